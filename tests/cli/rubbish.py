#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whatever is fed to `whittle check`, and whenever it is stopped: a clear message and the right
exit code, no crash, no hang. Seeded; WHITTLE_EFFORT multiplies the random part."""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import ROOT, Findings  # noqa: E402

EFFORT = int(os.environ.get("WHITTLE_EFFORT", "1"))
ENDINGS = ["sts", "ebl", "tebl", "proc", "vmt", "bpmn", "owl"]
SECONDS = 60
DEEP = 100_000

STS = "system S\nvar x: Int\nnode A\nstart A: x == 0\n"
BPMN = '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"><process id="p">'
RDF = ('<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
       'xmlns="http://www.daml.org/services/owl-s/1.2/Process.owl#">')
PROC = "program P\nshared x: Int = 0\nprocess Q { x := 1; }\n"


def wrong_inputs(generator):
    """Name, content: texts that are wrong in every language."""
    yield "empty", b""
    yield "blank", b" \n\t\r\n\n"
    yield "zeros", b"\0" * 1000
    yield "binary", generator.randbytes(5000)
    yield "high bytes", bytes(range(128, 256)) * 20
    yield "utf-16", "system S".encode("utf-16")
    yield "open comment", b"/* and so on"
    yield "open string", b'"and so on'
    yield "parentheses", b"(" * DEEP
    yield "closing parentheses", b")" * DEEP
    yield "braces", b"{" * DEEP
    yield "one long word", b"a" * 3_000_000
    yield "many words", b"a " * DEEP
    yield "many lines", b"\n" * DEEP + b"?"
    yield "escape sequences", b"\x1b[31m\x1b]0;title\x07"


def deep_inputs():
    """Name, ending, content: right as far as they go, but far too deep. Any exit code that is not a
    crash will do: a language may bound nesting or not."""
    for name, opening, closing in [("parentheses", "(", ")"), ("negations", "!", ""),
                                   ("implications", "x == 0 -> ", "")]:
        for ending, text in (("sts", STS + "safety s: "), ("proc", PROC + "property p: ")):
            yield name, ending, f"{text}{opening * DEEP}x == 0{closing * DEEP}\n"
    yield "long sum", "sts", STS + "safety s: x" + " + 1" * DEEP + " >= 0\n"
    yield "unary minus", "sts", STS + "safety s: " + "-" * DEEP + "x >= 0\n"
    yield "nested ifs", "proc", "program P\nshared x: Int = 0\nprocess Q { " \
        + "if (x == 0) { " * DEEP + "skip; " + "} " * DEEP + "}\n"
    yield "nested lets", "vmt", "(declare-fun x () Int)\n(define-fun t () Bool (! " \
        + "(not " * DEEP + "true" + ")" * DEEP + " :init true))\n"


def xml_inputs():
    """The same for the languages that are XML: depth, width, and entities that grow."""
    yield "nested sub-processes", "bpmn", BPMN + "<subProcess>" * DEEP \
        + "</subProcess>" * DEEP + "</process></definitions>"
    yield "many tasks", "bpmn", BPMN + "<task/>" * DEEP + "</process></definitions>"
    yield "one id", "bpmn", BPMN + '<task id="a"/>' * 1000 + "</process></definitions>"
    yield "flows to nowhere", "bpmn", BPMN + '<sequenceFlow sourceRef="a"/>' * 1000 \
        + "</process></definitions>"
    yield "a process that calls itself", "bpmn", BPMN + '<callActivity id="c" calledElement="p"/>' \
        + "</process></definitions>"
    yield "nested resources", "owl", RDF + "<Sequence><components>" * DEEP \
        + "</components></Sequence>" * DEEP + "</r:RDF>"
    laughs = '<!ENTITY a0 "ha">' + "".join(
        f'<!ENTITY a{k} "{f"&a{k - 1};" * 10}">' for k in range(1, 20))
    yield "entities that grow", "owl", f"<!DOCTYPE x [{laughs}]>{RDF}&a19;</r:RDF>"
    yield "an entity of itself", "owl", f'<!DOCTYPE x [<!ENTITY a "&a;">]>{RDF}&a;</r:RDF>'
    yield "a construct in itself", "owl", RDF + '<CompositeProcess r:ID="p"><composedOf>' \
        '<Sequence r:ID="s"><components r:parseType="Collection"><Sequence r:about="#s"/>' \
        "</components></Sequence></composedOf></CompositeProcess></r:RDF>"
    yield "a process that performs itself", "owl", RDF + '<CompositeProcess r:ID="p"><composedOf>' \
        '<Perform><process r:resource="#p"/></Perform></composedOf></CompositeProcess></r:RDF>'


def mutated(text, generator):
    """A text with a few bytes, words or lines gone wrong."""
    text = bytearray(text)
    for _ in range(generator.randint(1, 4)):
        start = generator.randrange(len(text) + 1)
        end = min(len(text), start + generator.choice([0, 1, 1, 3, 20]))
        text[start:end] = generator.choice(
            [b"", generator.randbytes(1), b"(", b"'", b"99999999999999999999", bytes(text[:start][-15:]),
             b"/ 0", b"@", b"within", b"\n"])
    return bytes(text)


class Trial:
    def __init__(self, findings, whittle, folder):
        self.findings = findings
        self.whittle = whittle
        self.folder = folder

    def run(self, name, path, codes, *options):
        """One call; its stderr. Problems: a code that is not among `codes`, silence, bad JSON."""
        before = self.findings.problems
        try:
            done = subprocess.run([self.whittle, "check", "--json", *options, str(path)],
                                  capture_output=True, timeout=SECONDS, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            self.fail(name, path, f"not finished after {SECONDS} s")
            self.findings.case(before)
            return
        if done.returncode not in codes:
            last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
            self.fail(name, path, f"exit code {done.returncode}, not among {sorted(codes)}: {last}")
        elif done.returncode == 2:
            self.check_refusal(name, path, done.stdout)
        self.findings.case(before)

    def check_refusal(self, name, path, stdout):
        try:
            output = json.loads(stdout)
        except ValueError:
            self.fail(name, path, "stdout is not JSON")
            return
        errors = [d for d in output["diagnostics"] if d["severity"] == "error"]
        if not errors or not all(d["message"] for d in errors):
            self.fail(name, path, "refused without an error")
        if output["results"]:
            self.fail(name, path, "refused, but has results")

    def fail(self, name, path, message):
        kept = ""
        if path and Path(path).is_file():
            kept = Path(tempfile.gettempdir()) / f"whittle-rubbish-{os.getpid()}-{self.findings.problems}{path.suffix}"
            kept.write_bytes(Path(path).read_bytes())
        self.findings.problem(name, f"{message} {kept}")

    def write(self, name, ending, content):
        path = self.folder / f"{name.replace(' ', '_')}.{ending}"
        path.write_bytes(content)
        return path


def try_places(trial):
    """Things in the place of a file that are none."""
    trial.run("no such file", trial.folder / "missing.sts", {2})
    folder = trial.folder / "folder.sts"
    folder.mkdir()
    trial.run("directory", folder, {2})
    pipe = trial.folder / "pipe.sts"
    os.mkfifo(pipe)
    trial.run("pipe nobody writes to", pipe, {2})
    loop = trial.folder / "loop.sts"
    loop.symlink_to(loop)
    trial.run("link to itself", loop, {2})
    trial.run("device", Path("/dev/null"), {2})
    trial.run("name too long", trial.folder / ("x" * 5000 + ".sts"), {2})
    if os.geteuid() != 0:
        locked = trial.write("locked", "sts", STS.encode())
        locked.chmod(0)
        trial.run("no right to read", locked, {2})


def try_signals(trial, generator):
    """A run that is stopped ends soon, with what it has or with the signal."""
    endless = trial.write("endless", "sts", (
        STS + "var y: Int\ntransition t: A -> A (a: Int) when a > 1 then x' == x + a * y && y' == y * a + 1\n"
        "safety s: x * x != y * 7 + 3\n").encode())
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        for _ in range(2 * EFFORT):
            before = trial.findings.problems
            process = subprocess.Popen([trial.whittle, "check", "--json", str(endless)],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            time.sleep(generator.choice([0.0, 0.01, 0.05, 0.2, 0.5]))
            process.send_signal(number)
            try:
                stdout, _ = process.communicate(timeout=SECONDS)
                # -number: before the program had a handler.
                if process.returncode not in (0, 1, 3, 128 + number, -number):
                    trial.fail(number.name, None, f"exit code {process.returncode}")
                if stdout:
                    json.loads(stdout)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                trial.fail(number.name, None, f"still running after {SECONDS} s")
            except ValueError:
                trial.fail(number.name, None, "half a JSON object")
            trial.findings.case(before)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--whittle", required=True, help="the program")
    arguments = parser.parse_args()
    findings = Findings("rubbish")
    generator = random.Random(2026)
    if subprocess.run([arguments.whittle, "help", "check"], capture_output=True).returncode:
        findings.skip("there is no command 'check'")
        return findings.finish()
    with tempfile.TemporaryDirectory() as name:
        trial = Trial(findings, arguments.whittle, Path(name))
        for ending in ENDINGS:
            for title, content in wrong_inputs(generator):
                # An empty Rebel module is one that asks nothing: a warning.
                may_be_empty = not content.strip() and ending in ("ebl", "tebl")
                trial.run(f"{title} ({ending})", trial.write(title, ending, content),
                          {0, 2} if may_be_empty else {2})
        for title, ending, text in deep_inputs():
            trial.run(f"{title} ({ending})", trial.write(title, ending, text.encode()), {0, 1, 2, 3},
                      "--timeout", "5")
        for title, ending, text in xml_inputs():
            trial.run(f"{title} ({ending})", trial.write(title, ending, text.encode()), {0, 1, 2, 3},
                      "--timeout", "2")
        try_places(trial)
        for example in sorted((ROOT / "examples").rglob("*.*")):
            text = example.read_bytes()
            for round_number in range(15 * EFFORT):
                path = trial.write("mutated", example.suffix[1:], mutated(text, generator))
                trial.run(f"{example.name}, mutated ({round_number})", path, {0, 1, 2, 3},
                          "--timeout", "1")
        try_signals(trial, generator)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
