#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Models by others, where they are at hand: a folder `shared/corpus` beside this tree, or the one
that WHITTLE_CORPUS names. Without it the suite is skipped."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import ROOT, Findings  # noqa: E402

SECONDS = 300
# File, text to replace (or None) and its replacement, expected verdict, depth of the trace.
# A verdict None means: refused, with this text in a message or a hint.
CASES = [
    ("rebel/simple_transaction/TransactionTest.tebl", None, None, "reachable", 5),
    ("rebel/simple_transaction/TransactionTest.tebl", "max 5", "max 4", "unreachable", None),
    ("rebel/simple_transaction/AccountTest.tebl", None, None, None, "accountBelowZero"),
    ("rebel/simple_transaction/AccountTest.tebl", "accountBelowZeroInMax", "accountBelowZero",
     "reachable", 2),
    ("rebel/rivercrossing/Problem.tebl", None, None, "reachable", 11),
    ("rebel/rivercrossing/Problem.tebl", "max 11", "max 10", "unreachable", None),
]


def corpus():
    named = os.environ.get("WHITTLE_CORPUS")
    folder = Path(named) if named else ROOT.parent / "shared/corpus"
    return folder if folder.is_dir() else None


def can_read(whittle, ending):
    done = subprocess.run([whittle, "languages"], capture_output=True, text=True)
    return done.returncode == 0 and ending in done.stdout


def problem_of(whittle, file, options, verdict, detail):
    """What is wrong with the answer, or None. Who sets a time limit may get no verdict."""
    may_give_up = "--timeout" in options
    try:
        done = subprocess.run([whittle, "check", "--json", *options, str(file)],
                              capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return f"not finished after {SECONDS} s"
    try:
        output = json.loads(done.stdout)
    except ValueError:
        return f"exit code {done.returncode}, no JSON: {done.stderr[-300:]}"
    if verdict is None:
        said = " ".join(f"{d['message']} {d['hint']}" for d in output["diagnostics"])
        return None if done.returncode == 2 and detail in said else f"should be refused: {said}"
    actual = [(r["verdict"], r["depth"]) for r in output["results"]]
    if may_give_up and [v for v, _ in actual] == ["unknown"]:
        return None
    if actual != [(verdict, detail)]:
        return f"expected {verdict}, depth {detail}; got {actual} {output['diagnostics']}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--whittle", required=True, help="the program")
    arguments = parser.parse_args()
    findings = Findings("corpus")
    folder = corpus()
    if not folder:
        findings.skip("there is no folder shared/corpus beside this tree")
        return findings.finish()
    if not can_read(arguments.whittle, ".tebl"):
        findings.skip("whittle does not read Rebel")
        return findings.finish()
    with tempfile.TemporaryDirectory() as name:
        for number, (path, old, new, verdict, detail) in enumerate(CASES):
            copy = Path(name) / str(number)
            shutil.copytree(folder / "rebel", copy / "rebel")
            file = copy / path
            if old:
                file.chmod(0o644)
                file.write_text(file.read_text().replace(old, new))
            for options in ([], ["--slice", "off"], ["--solver", "cvc5", "--timeout", "20"]):
                before = findings.problems
                problem = problem_of(arguments.whittle, file, options, verdict, detail)
                if problem:
                    findings.problem(f"{path} {new or ''} {' '.join(options)}", problem)
                findings.case(before)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
