#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A printed slice is a model like any other, with the answers of the original: of every example and
every regression file, every property is sliced in every granularity, the slice is written, loaded
and checked, and verdict, bound and depth are compared with those of the original.

Of answers that are unknown only the loading counts. Equal slices of one property are checked once.
"""

import argparse
import itertools
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "regress"))
from findings import ROOT, Findings  # noqa: E402
from run import find_cases  # noqa: E402

GRANULARITIES = ["off", "machine", "coarse", "coi", "fine", "amorphous"]
SECONDS = 60  # for one run of the program
MARKED = {".c", ".i", ".bpmn"}  # slices are marks in the text, not texts of their own
FLOOR = 0.9  # of the answers must be comparable: known for the original and for the slice


def models():
    """(file, arguments for check) of everything that asks something."""
    found = []
    for file in sorted((ROOT / "examples").rglob("*")):
        if file.suffix in {".sts", ".proc", ".vmt", ".tebl", ".cfa"}:
            found.append((file, []))
        elif file.suffix == ".ebl" and "invariants" in file.read_text(encoding="utf-8"):
            found.append((file, []))
    for case in find_cases(ROOT / "tests/regress", []):
        if case.folder != "error" and case.command == "check" and case.file.suffix not in MARKED:
            found.append((case.file, case.arguments))
    return found


class Program:
    def __init__(self, path):
        self.path = str(Path(path).resolve())
        self.slice_options = set(re.findall(r"--[a-z][a-z-]*", self("slice", "--help").stdout))

    def __call__(self, *arguments):
        return subprocess.run([self.path, *map(str, arguments)], capture_output=True, text=True,
                              cwd=ROOT, timeout=SECONDS)

    def for_slice(self, arguments):
        """The arguments of a check that slicing has, too; each has its value behind '=' or next."""
        result, keep = [], False
        for word in arguments:
            if word.startswith("-"):
                keep = word.split("=")[0] in self.slice_options and not word.startswith("--slice")
            if keep:
                result.append(word)
        return result


def without_slice(arguments):
    words = iter(arguments)
    for word in words:
        if word == "--slice":
            next(words, None)
        elif not word.startswith("--slice="):
            yield word


def answers(done):
    """By name the list of (verdict, bound, depth), and what is wrong with the input."""
    report = json.loads(done.stdout)
    found = {}
    for r in report["results"]:
        # A run that need not be a shortest one has the depth of the day.
        # Infinite runs may be shorter in a slice: steps that nobody sees go.
        shortest = r["trace"] and r["trace"]["shortest"] and r["kind"] != "ltl"
        depth = r["depth"] if shortest else None
        found.setdefault(r["property"], []).append((r["verdict"], r["bound"], depth))
    errors = [d for d in report["diagnostics"] if d["severity"] == "error"]
    return found, errors


def alike(some, others):
    """The same verdicts and bounds, and the same depths where both are those of shortest runs."""
    def known(answer, other):
        return answer[:2] + ((None,) if None in (answer[2], other[2]) else (answer[2],))
    pairs = list(zip(sorted(some, key=str), sorted(others, key=str)))
    return len(some) == len(others) and all(known(a, b) == known(b, a) for a, b in pairs)


class Comparison:
    def __init__(self, whittle, folder):
        self.whittle = whittle
        self.folder = folder

    def run(self, number, file, arguments, granularities):
        """Problems, answers that were compared, and answers that were not, for one model."""
        self.problems, self.compared, self.unknown = [], 0, 0
        arguments = list(without_slice(arguments))
        shown = os.path.relpath(file, ROOT)
        expected, errors = answers(self.whittle("check", "--json", shown, *arguments))
        if errors:
            return [(shown, f"does not load: {errors}")], 0, 0
        known = {}  # the printed texts of a property, to their answers
        for granularity in granularities:
            for name, wanted in expected.items():
                target = self.folder / str(number) / granularity / str(abs(hash(name)))
                place = f"{shown} -p {shlex.quote(name)} --slice {granularity}"
                self.one(place, shown, name, wanted, granularity, arguments, target, known)
        return self.problems, self.compared, self.unknown

    def one(self, place, shown, name, wanted, granularity, arguments, target, known):
        done = self.whittle("slice", shown, "-p", name, "--slice", granularity, "-o", target,
                            *self.whittle.for_slice(arguments))
        written = [Path(line) for line in done.stdout.splitlines()]
        if done.returncode != 0 or not written:
            self.problems.append((place, f"no slice, exit code {done.returncode}: {done.stderr}"))
            return
        text = (name, *(path.read_text(encoding="utf-8") for path in written))
        if text not in known:
            try:
                known[text] = answers(self.whittle("check", "--json", written[0], *arguments))
            except subprocess.TimeoutExpired:
                known[text] = ({name: [("unknown", None, None)]}, [])
        actual, errors = known[text]
        if errors:
            self.problems.append((place, f"does not load: {errors[0]['message']} "
                                         f"({errors[0]['line']}:{errors[0]['column']})"))
            return
        # Of several checks of one configuration only one is printed, which then needs no number.
        got = actual.get(name, actual.get(re.sub(r"#\d+$", "", name), []))
        verdicts = {answer[0] for answer in got + wanted}
        if len(wanted) == len(got) and "unknown" in verdicts:
            self.unknown += 1
            return
        self.compared += 1
        if not alike(got, wanted):
            self.problems.append((place, f"{got}, the model {wanted}"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--whittle", required=True, help="the program")
    parser.add_argument("--every", type=int, default=1, metavar="N",
                        help="only every Nth pair of a model and a granularity")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("names", nargs="*", help="only files whose name contains one of these")
    arguments = parser.parse_args()
    findings = Findings("printed_slices")
    chosen = [m for m in models()
              if not arguments.names or any(n in str(m[0]) for n in arguments.names)]
    # Counted through, so that a sample has other granularities for other models.
    turn = itertools.count()
    runs = []
    for number, (file, more) in enumerate(chosen):
        granularities = [g for g in GRANULARITIES if next(turn) % arguments.every == 0]
        if granularities:
            runs.append((number, file, more, granularities))
    compared = unknown = 0
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(arguments.jobs) as pool:
        whittle = Program(arguments.whittle)
        outcomes = pool.map(lambda r: Comparison(whittle, Path(name)).run(*r), runs)
        for problems, some, others in outcomes:
            before = findings.problems
            for place, message in problems:
                findings.problem(place, message)
            findings.case(before)
            compared += some
            unknown += others
    before = findings.problems
    print(f"{compared} answers compared, {unknown} unknown")
    if compared < FLOOR * (compared + unknown) or not compared:
        findings.problem("all", "too few answers are known for the comparison to mean something")
    findings.case(before)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
