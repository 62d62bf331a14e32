#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What somebody tries first: a model to begin with, its picture, its run, help, mistakes.

For every language: `init` writes a model that loads, is decided and drawn; `help` shows the language;
the same text under the ending of every other language is one message that says what it is.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import ROOT, Findings  # noqa: E402

ACCOUNT = """module bank.Account
specification Account {
  fields { id: Integer @key  balance: Money }
  events { open[] }
  lifeCycle { initial new -> opened: open  final opened }
}
"""
LIBRARY = "module bank.Library\nevent open() { postconditions { new this.balance == EUR 0.00; } }\n"
BROKEN = """system S
var x: Int
node A, "<&>"
start A: x == 0
transition go: A -> "<&>" then x' == 7
safety p: x < 5
"""


class Newcomer:
    def __init__(self, whittle, folder):
        self.whittle = whittle
        self.folder = folder
        self.findings = Findings("newcomer")

    def run(self, *arguments, text=None):
        return subprocess.run([self.whittle, *arguments], cwd=self.folder, input=text, capture_output=True, text=True,
                              timeout=120)

    def wants(self, place, condition, done):
        if not condition:
            self.findings.problem(place, (done.stdout + done.stderr)[:600])

    def languages(self):
        return json.loads(self.run("languages", "--json").stdout)["languages"]

    def begin(self, language):
        """The file that `init` writes: it is decided, drawn, and read from standard input."""
        before = self.findings.problems
        done = self.run("init", language)
        if "hint: begin with " in done.stderr:  # what nobody writes by hand begins with an example
            name = shutil.copy(ROOT / done.stderr.split("hint: begin with ")[1].split()[0], self.folder)
            name = Path(name).name
        else:
            self.wants(f"init {language}", done.returncode == 0, done)
            name = done.stdout.split()[0]
        checked = self.run("check", name, "--timeout", "10")
        self.wants(f"check {name}", checked.returncode in (0, 3), checked)
        piped = self.run("check", "-", "--language", language, "--timeout", "10", text=(self.folder / name).read_text())
        self.wants(f"check - of {name}", piped.returncode == checked.returncode, piped)
        drawn = self.run("draw", name, "--format", "mermaid")
        self.wants(f"draw {name}", drawn.returncode == 0 and drawn.stdout.startswith("stateDiagram-v2\n"), drawn)
        dot = self.run("draw", name, "--format", "dot")
        self.wants(f"draw {name}", dot.returncode == 0 and dot.stdout.startswith("digraph"), dot)
        if shutil.which("dot"):
            picture = self.run("draw", name)
            self.wants(f"draw {name}", "</svg>" in picture.stdout, picture)
        sheet = self.run("help", language)
        self.wants(f"help {language}", sheet.returncode == 0 and sheet.stdout.count("\n") > 5, sheet)
        self.findings.case(before)
        return name

    def mistake(self, name, language, other, ending):
        before = self.findings.problems
        wrong = self.folder / f"wrong{ending}"
        shutil.copy(self.folder / name, wrong)
        done = self.run("check", wrong.name, "--timeout", "10")
        if done.returncode == 2:  # a text may be right in two languages
            self.wants(f"{name} as {other}", f"--language {language}" in done.stderr and
                       done.stderr.count("error[") == 1, done)
        self.findings.case(before)

    def runs(self):
        before = self.findings.problems
        (self.folder / "broken.sts").write_text(BROKEN)
        done = self.run("draw", "broken.sts", "-p", "p", "--trace")
        self.wants("draw --trace", done.returncode == 0, done)
        texts = [one.text for one in xml.fromstring(done.stdout).iter() if one.tag.endswith("text")]
        if "at <&>, x = 7" not in texts or "go" not in texts:
            self.findings.problem("draw --trace", str(texts))
        done = self.run("draw", "broken.sts", "-p", "p", "--trace", "--format", "dot")
        self.wants("draw --trace --format dot", done.returncode == 2 and "cli-007" in done.stderr, done)
        (self.folder / "right.sts").write_text("system S\nvar x: Int\nnode A\nstart A: x == 0\nsafety p: x < 5\n")
        done = self.run("draw", "right.sts", "--trace", "--format", "mermaid")
        self.wants("draw --trace of what holds", done.returncode == 2 and "check-012" in done.stderr, done)
        self.findings.case(before)

    def forgotten_import(self):
        before = self.findings.problems
        (self.folder / "Account.ebl").write_text(ACCOUNT)
        (self.folder / "Library.ebl").write_text(LIBRARY)
        done = self.run("check", "Account.ebl")
        self.wants("forgotten import", "add 'import bank.Library'" in done.stderr, done)
        self.findings.case(before)

    def shells(self):
        before = self.findings.problems
        for shell, words in (("bash", "complete"), ("zsh", "bashcompinit"), ("fish", "complete -c"), ("man", ".TH")):
            done = self.run("completion", shell)
            self.wants(f"completion {shell}", words in done.stdout and "vacuous" in done.stdout, done)
        self.findings.case(before)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whittle", required=True, help="the program")
    whittle = str(Path(parser.parse_args().whittle).resolve())
    with tempfile.TemporaryDirectory() as temporary:
        newcomer = Newcomer(whittle, Path(temporary))
        languages = newcomer.languages()
        for language in languages:
            name = newcomer.begin(language["id"])
            for other in languages:
                if other["id"] != language["id"]:
                    newcomer.mistake(name, language["id"], other["id"], other["extensions"][0])
        newcomer.runs()
        newcomer.forgotten_import()
        newcomer.shells()
        return newcomer.findings.finish()


if __name__ == "__main__":
    sys.exit(main())
