#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Test suites of C programs compiled and run: every test ends as `whittle tests` says, and the branches that it claims to
cover are those that gcov measures. Suites of other languages: what they say of themselves, and that their runs exist."""

import argparse
import collections
import gzip
import json
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import ROOT, Findings  # noqa: E402

PROGRAMS = ["examples/c", "tests/regress/c/violated", "tests/regress/c/holds", "tests/regress/c/tests"]
# The ways back from the one copy of a recursive function count as branches (docs/tests.md).
RECURSIVE = {"recursion.c"}
MODELS = ["examples/sts/bank_account.sts", "examples/cfa/order.cfa", "examples/proc/transfer.proc", "examples/vmt/counter.vmt",
          "examples/bpmn/loan.bpmn", "examples/rebel/account/AccountTest.tebl", "examples/fcl/sum.fcl"]


def run(arguments, *options):
    done = subprocess.run([arguments.whittle, "tests", *map(str, options), "--timeout", str(arguments.timeout)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def measured(folder, claim):
    """Line -> outcomes of branches, and how many of them were taken, in functions that main reaches."""
    subprocess.run(["gcov", "-b", "--json-format", "program.o"], cwd=folder, capture_output=True)
    files = json.load(gzip.open(next(Path(folder).glob("*.gcov.json.gz"))))["files"]
    lines = collections.defaultdict(lambda: [0, 0])
    for file in files:
        if file["file"] != "program.c":
            continue
        reached = {line.get("function_name") for line in file["lines"] if line["line_number"] in claim or line["count"] > 0}
        for line in file["lines"]:
            if line.get("function_name") not in reached:
                continue
            for branch in line["branches"]:
                lines[line["line_number"]][0] += 1
                lines[line["line_number"]][1] += branch["count"] > 0
    return dict(lines)


def claimed(suite):
    lines = collections.defaultdict(lambda: [0, 0])
    for goal in suite["goals"]:
        lines[goal["line"]][0] += 1
        lines[goal["line"]][1] += goal["status"] == "covered"
    return dict(lines)


def check_program(findings, arguments, file):
    before = findings.problems
    with tempfile.TemporaryDirectory() as folder:
        code, out, error = run(arguments, file, "--format", "c", "--out", folder)
        if code == 2 and "c-" in error:
            return  # refused; that is another test's business
        if code not in (0, 3):
            findings.problem(file, f"ends with {code}: {out}{error}")
            return
        suite = json.loads(Path(folder, "suite.json").read_text())["suites"][0]
        done = subprocess.run(["sh", f"{folder}/run.sh"], capture_output=True, text=True)
        if done.returncode != 0:
            findings.problem(file, f"run.sh: {done.stdout[-400:]}{done.stderr[-400:]}")
        if code == 0 and shutil.which("gcov") and file.name not in RECURSIVE:
            claim = claimed(suite)
            fact = measured(folder, claim)
            if claim != fact:
                different = {line: (claim.get(line), fact.get(line)) for line in sorted(claim.keys() | fact.keys())
                             if claim.get(line) != fact.get(line)}
                findings.problem(file, f"branches by line, claimed and measured: {different}")
    findings.case(before)


def check_exchange(findings, arguments):
    before = findings.problems
    with tempfile.TemporaryDirectory() as folder:
        code, out, error = run(arguments, ROOT / "examples/c/leap_year.c", "--cover", "errors", "--format", "testcomp", "--out",
                               folder)
        tests = sorted(Path(folder).glob("testcase-*.xml"))
        if code != 0 or not tests:
            findings.problem("testcomp", f"{code} {out}{error}")
        for test in tests:
            root = xml.etree.ElementTree.parse(test).getroot()
            if root.tag != "testcase" or not all(re.fullmatch(r"-?\d+", i.text) for i in root):
                findings.problem(test, "is no test case")
        metadata = xml.etree.ElementTree.parse(Path(folder, "metadata.xml")).getroot()
        names = [child.tag for child in metadata]
        if names != ["sourcecodelang", "producer", "specification", "programfile", "programhash", "entryfunction", "architecture",
                     "creationtime"]:
            findings.problem("metadata.xml", f"has {names}")
    findings.case(before)


def check_model(findings, arguments, file, cover):
    before = findings.problems
    code, out, error = run(arguments, ROOT / file, "--cover", cover, "--format", "json", "--borders", "on")
    if code not in (0, 3):
        findings.problem(file, f"--cover {cover} ends with {code}: {error}")
        return
    suite = json.loads(out)["suites"][0]
    numbers = {test["test"] for test in suite["tests"]}
    for goal in suite["goals"]:
        good = bool(goal["tests"]) == (goal["status"] == "covered") and numbers.issuperset(goal["tests"])
        if not good or (goal["status"] == "unknown" and not goal["why"]):
            findings.problem(file, f"--cover {cover}: {goal}")
    used = {n for goal in suite["goals"] for n in goal["tests"]}
    if used != numbers:
        findings.problem(file, f"--cover {cover}: the tests {numbers - used} cover nothing")
    # A smallest suite has no test that the others make superfluous.
    for n in numbers if cover in ("branches", "locations") else ():
        only = [goal for goal in suite["goals"] if goal["tests"] == [n]]
        if not only and len(numbers) > 1 and not any(n in goal["tests"] and goal["kind"] in ("on", "off") for goal in suite["goals"]):
            findings.problem(file, f"--cover {cover}: test {n} is superfluous")
    findings.case(before)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whittle", required=True)
    parser.add_argument("--timeout", type=float, default=10, help="seconds for each part of a program")
    parser.add_argument("files", nargs="*", help="C programs instead of the examples and regression inputs")
    arguments = parser.parse_args()
    findings = Findings("suites")
    if shutil.which("gcc") is None:
        findings.skip("there is no gcc")
    else:
        files = [Path(f) for f in arguments.files]
        if not files:
            files = [f for folder in PROGRAMS for f in sorted((ROOT / folder).glob("*.c"))]
        for file in files:
            check_program(findings, arguments, file)
    if not arguments.files:
        check_exchange(findings, arguments)
        for file in MODELS:
            for cover in ("branches", "locations", "errors"):
                check_model(findings, arguments, file, cover)
        for cover in ("conditions", "paths:1"):
            check_model(findings, arguments, "examples/cfa/order.cfa", cover)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
