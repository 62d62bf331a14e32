#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Chooses ctest tests from several build trees, runs them, and adds up single cases.

A ctest test is a suite: a gtest executable or one of our runners. Each suite leaves a summary in
gtest's JSON form (`tests`, `failures`, `disabled`, `skipped`) in TREE/results/NAME.json; a suite
that leaves none counts as one case. A suite that ctest calls failed counts at least one failure,
whatever its summary says: it may have crashed half-way.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path

SKIP_CODE = 77  # a suite that cannot run here exits with it and says why


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="regular expressions over test names")
    parser.add_argument("--tree", action="append", required=True, type=Path)
    parser.add_argument("--all", action="store_true", help="slow suites too")
    parser.add_argument("--sample", action="store_true", help="samples of the slow suites too")
    parser.add_argument("--list", action="store_true", help="name the tests, run nothing")
    parser.add_argument("--targets", action="store_true", help="print what to build, per tree")
    return parser.parse_args()


def listed(tree):
    """All tests of a build tree: name -> (labels, files of the build tree it needs)."""
    text = subprocess.run(
        ["ctest", "--test-dir", tree, "--show-only=json-v1"],
        check=True, capture_output=True, text=True).stdout
    tests = {}
    for test in json.loads(text)["tests"]:
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        tests[test["name"]] = (properties.get("LABELS", []), properties.get("REQUIRED_FILES", []))
    return tests


def is_chosen(name, labels, arguments):
    if arguments.names:
        return any(re.search(pattern, name) for pattern in arguments.names)
    return arguments.all or "slow" not in labels or (arguments.sample and "sample" in labels)


def chosen(tree, arguments):
    tests = listed(tree)
    if not tests:
        sys.exit(f"{tree} is not configured for tests")
    return {name: test for name, test in tests.items() if is_chosen(name, test[0], arguments)}


def targets_of(tests):
    """What the tests need, as ninja targets: CMake names them by the file alone."""
    return sorted({Path(file).name for _, files in tests.values() for file in files})


class Tally:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def add(self, status, summary):
        if status == "Skipped":
            self.skipped += 1
            return "skipped"
        if summary is None:
            passed, failed, skipped = (1, 0, 0) if status == "Passed" else (0, 1, 0)
        else:
            failed = summary.get("failures", 0) + summary.get("errors", 0)
            skipped = summary.get("skipped", count_skipped_cases(summary))
            passed = summary.get("tests", 0) - failed - skipped - summary.get("disabled", 0)
            if status != "Passed":
                failed = max(failed, 1)
        self.passed += passed
        self.failed += failed
        self.skipped += skipped
        words = [f"{passed} passed"]
        if failed:
            words.append(f"{failed} failed")
        if skipped:
            words.append(f"{skipped} skipped")
        return ", ".join(words)

    def __str__(self):
        text = f"{self.passed} passed, {self.failed} failed"
        return f"{text}, {self.skipped} skipped" if self.skipped else text


def count_skipped_cases(summary):
    return sum(case.get("result") == "SKIPPED"
               for suite in summary.get("testsuites", []) for case in suite.get("testsuite", []))


def read_summary(tree, name):
    try:
        return json.loads((tree / "results" / f"{name}.json").read_text())
    except (OSError, ValueError):
        return None


RESULT_LINE = re.compile(
    r"^\s*\d+/\d+ Test +#\d+: (?P<name>\S+) \.*\s*(?P<status>Passed|Skipped|\**[A-Z].*?)"
    r"\s+(?P<seconds>[\d.]+) sec\s*$")
NOISE = re.compile(
    r"^(Internal ctest|Test project |\s*Start +\d+:|\d+% tests passed|Total Test time|Label Time|"
    r"The following tests|Errors while running|\s*\d+ - \S+ \(|Output from these tests|"
    r"Use \"--rerun-failed|No tests were found|\S+ += +[\d.]+ sec\*proc)")


def run(tree, tests, tally):
    """Runs the tests of one tree, a line each, with the output of those that fail."""
    for name in tests:
        (tree / "results" / f"{name}.json").unlink(missing_ok=True)
    (tree / "results").mkdir(exist_ok=True)
    exact = "^(" + "|".join(re.escape(name) for name in tests) + ")$"
    command = ["ctest", "--test-dir", str(tree), "-R", exact, "--output-on-failure",
               "-j", str(os.cpu_count() or 1)]
    width = max(map(len, tests))
    reported = set()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, errors="replace")
    for line in process.stdout:
        match = RESULT_LINE.match(line)
        if match and match["name"] in tests:
            name, status = match["name"], match["status"].strip("*")
            reported.add(name)
            mark = {"Passed": "ok  ", "Skipped": "skip"}.get(status, "FAIL")
            detail = tally.add(status, read_summary(tree, name))
            if mark == "FAIL" and status != "Failed":
                detail += f" ({status.strip()})"
            print(f"{mark}  {name:{width}}  {detail}, {float(match['seconds']):.1f} s", flush=True)
        elif line.strip() and not NOISE.match(line):
            print("      " + line.rstrip(), flush=True)
    process.wait()
    for name in sorted(set(tests) - reported):
        tally.failed += 1
        print(f"FAIL  {name:{width}}  did not run")


def main():
    arguments = parse_arguments()
    trees = {tree: chosen(tree, arguments) for tree in arguments.tree}
    if arguments.targets:
        for tree, tests in trees.items():
            print(tree.name, *([] if arguments.list else targets_of(tests)))
        return 0
    if arguments.list:
        for tree in trees:
            for name, (labels, _) in sorted(listed(tree).items()):
                print(name, f"({', '.join(labels)})" if labels else "")
        return 0
    tally = Tally()
    for tree, tests in trees.items():
        if tests:
            print(f"-- {tree.name}", flush=True)
            run(tree, tests, tally)
    if not any(trees.values()):
        print("no test has such a name" if arguments.names else "there are no tests")
    print(tally)
    return 0 if tally.failed == 0 and tally.passed > 0 else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
