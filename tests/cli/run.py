#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Executes the examples of the documentation: README.md and docs/.

In a block marked ```console each line `$ ./whittle ...` is run, in a copy of the tree, and what
follows is its output (stdout and stderr). A line `...` stands for any lines, times and durations
do not count. `$ echo $?` shows the exit code of the command before. What is not to be run goes
into a block marked ```sh. `run.py --update` writes the actual output into the documents.
"""

import argparse
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import ROOT, Findings, source_files  # noqa: E402

RUNNABLE = re.compile(r"^(\./whittle|cat|echo|head|printf)\b")
COPIED = ("examples", "docs", "README.md")
SECONDS = 120


class Example:
    """One command with the lines it should print; `first` and `last` delimit them in the file."""

    def __init__(self, number, command):
        self.number = number  # line of the command, from 1
        self.command = command
        self.expected = []


def examples_of(lines):
    """The blocks of a document, each a list of examples."""
    blocks = []
    inside = False
    for number, line in enumerate(lines, 1):
        if not inside and line.strip() == "```console":
            inside = True
            blocks.append([])
        elif inside and line.strip() == "```":
            inside = False
        elif inside and line.startswith("$ "):
            blocks[-1].append(Example(number, line[2:]))
        elif inside and blocks[-1]:
            blocks[-1][-1].expected.append(line)
    return blocks


def normalised(line):
    line = re.sub(r"\d+(\.\d+)?(e-\d+)? ?(s|ms|µs|min)\b", "TIME", line)
    line = re.sub(r'("\w*seconds"): [\d.e+-]+', r"\1: TIME", line)
    return line.rstrip()


def matches(expected, actual):
    pattern = "".join("(?:.*\n)*?" if line.strip() == "..." else re.escape(normalised(line)) + "\n"
                      for line in expected)
    return re.fullmatch(pattern, "".join(normalised(line) + "\n" for line in actual)) is not None


def prepare_copy(folder, whittle):
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name)
        elif source.exists():
            shutil.copy(source, folder / name)
    (folder / "whittle").symlink_to(Path(whittle).resolve())


def run_block(findings, document, block, folder):
    """Runs the commands of one block; returns the actual output of each that failed."""
    failures = {}
    code = 0
    environment = {**os.environ, "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "COLUMNS": "100"}
    for example in block:
        place = f"{document}:{example.number}"
        before = findings.problems
        command = example.command.replace("$?", str(code))
        if not RUNNABLE.match(command):
            findings.problem(place, f"'{command}' cannot be run here; mark the block sh instead")
            findings.case(before)
            continue
        try:
            done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  errors="replace", stdin=subprocess.DEVNULL, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            findings.problem(place, f"not finished after {SECONDS} s: {command}")
            findings.case(before)
            continue
        code = done.returncode
        actual = done.stdout.splitlines()
        if code > 3:
            findings.problem(place, f"exit code {code}: {command}")
        if not matches(example.expected, actual):
            difference = difflib.unified_diff(example.expected, actual, "documented", "actual",
                                              lineterm="", n=1)
            findings.problem(place, f"$ {command}\n" + "\n".join("    " + d for d in difference))
            failures[example] = actual
        findings.case(before)
    return failures


def update(document, lines, failures):
    """Replaces documented output by actual output, from the end so that line numbers stay valid."""
    for example in sorted(failures, key=lambda e: -e.number):
        if "..." not in (line.strip() for line in example.expected):
            lines[example.number:example.number + len(example.expected)] = failures[example]
    (ROOT / document).write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--whittle", required=True, help="the program")
    parser.add_argument("--update", action="store_true", help="write the actual output")
    parser.add_argument("documents", nargs="*", type=Path)
    arguments = parser.parse_args()

    findings = Findings("doc_examples")
    documents = arguments.documents or [
        file for file in source_files(".md") if file.parts[0] in ("docs", "README.md")]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "tree"
        folder.mkdir()
        prepare_copy(folder, arguments.whittle)
        for document in documents:
            lines = (ROOT / document).read_text().splitlines()
            failures = {}
            for block in examples_of(lines):
                failures.update(run_block(findings, document, block, folder))
            if arguments.update and failures:
                update(document, lines, failures)
    if not findings.cases:
        findings.skip("the documentation has no examples")
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
