#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Answers about VMT-LIB files against a second, naive reader (naive_reader.py) and the programs z3
and cvc5: every trace is checked step by step on the terms as they are written, and what is said to
hold is looked for in all runs of a few steps.

Files: tests/regress/vmt, examples/vmt, random relations (random_relations.py), and the systems by
others in shared/corpus/vmt beside this tree (or where WHITTLE_CORPUS is), if they are there.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import ROOT, Findings  # noqa: E402
from naive_reader import CannotRead, System, Unrolling, decide  # noqa: E402
from random_relations import random_system  # noqa: E402

sys.setrecursionlimit(100_000)
SOLVERS = ["z3", "cvc5"]
MANY = 64  # repetitions of a step; more are not followed one by one
# Verdicts that the answers are compared with at least once, or the suite says nothing.
FLOOR = {"violated": 3, "holds": 3}


def corpus():
    named = os.environ.get("WHITTLE_CORPUS")
    folder = Path(named) if named else ROOT.parent / "shared/corpus"
    folder = folder / "vmt"
    return folder if folder.is_dir() else None


def answers(whittle, file, options, seconds):
    command = [whittle, "check", "--json", "--timeout", str(seconds), *options, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=10 * seconds + 60)
    try:
        results = json.loads(done.stdout)["results"]
    except (ValueError, KeyError):
        raise RuntimeError(f"exit code {done.returncode}, no results: {done.stderr[-300:]}")
    if done.returncode == 4:
        raise RuntimeError(f"a defect of whittle: {done.stderr[-300:]}")
    return [r for r in results if r["kind"] == "invariant"]


class Comparison:
    """One file. `problems`: what is wrong; `compared`: verdicts that were looked at."""

    def __init__(self, file, seconds, depth, verdict=None):
        self.file, self.seconds, self.depth, self.verdict = file, seconds, depth, verdict
        self.problems, self.notes, self.compared = [], [], {}

    def ask(self, unrolling, expected, what):
        """False: a solver says otherwise, or all of them say nothing."""
        text, known = unrolling.text(), False
        for solver in SOLVERS:
            answer = decide(text, solver, self.seconds)
            if answer not in ("unknown", expected):
                self.problems.append(f"{what}: {solver} says {answer}")
                return False
            known = known or answer == expected
        if not known:
            self.notes.append(f"{what}: no solver decides it in {self.seconds} s")
        return known

    def trace(self, system, term, trace):
        state = dict(trace["initial"])
        first = Unrolling(system)
        first.init()
        for name in state:
            first.fix(name, 0, state[name])
        if not self.ask(first, "sat", "the first state of the trace"):
            return False
        for step in trace["steps"]:
            following = {**state, **step["changes"]}
            if step["times"] > MANY:
                self.notes.append(f"step {step['n']} is taken {step['times']} times: not followed")
                return None
            one = Unrolling(system)
            for k in range(step["times"]):
                one.step(k)
                for name, value in step["arguments"].items():
                    one.fix(name, k, value)
            for name in state:
                one.fix(name, 0, state[name])
                one.fix(name, step["times"], following[name])
            if not self.ask(one, "sat", f"step {step['n']} of the trace"):
                return False
            state = following
        last = Unrolling(system)
        last.violated(term, 0)
        for name in state:
            last.fix(name, 0, state[name])
        return self.ask(last, "sat", "the last state of the trace")

    def no_violation(self, system, term, depth):
        unrolling = Unrolling(system)
        unrolling.init()
        for k in range(depth):
            unrolling.step(k)
        unrolling.violated(term, depth)
        return self.ask(unrolling, "unsat", f"no violation after {depth} steps")

    def run(self, whittle, options):
        system = System(self.file.read_text(encoding="latin-1"))
        results = answers(whittle, self.file, options, self.seconds)
        if not results:
            raise CannotRead("whittle answers nothing about it")
        for result in results:
            self.result(system, result)
            verdict = result["verdict"]
            if self.verdict and verdict not in ("unknown", self.verdict):
                self.problems.append(f"answered {verdict}, but it is {self.verdict}")

    def result(self, system, result):
        name = result["property"]
        found = [t for n, number, t in system.properties
                 if name in (n, f"invar-property {number}")]
        if len(found) != 1:
            raise CannotRead(f"which property is {name}?")
        if result["verdict"] == "violated":
            if self.trace(system, found[0], result["trace"]):
                self.count("violated")
        elif result["verdict"] == "holds":
            depths = range(self.depth + 1)
            if result["bound"] is not None:
                depths = range(min(self.depth, result["bound"]) + 1)
            if all(self.no_violation(system, found[0], d) for d in depths):
                self.count("holds")

    def count(self, verdict):
        self.compared[verdict] = self.compared.get(verdict, 0) + 1


def compare(file, whittle, options, arguments, verdict=None):
    comparison = Comparison(file, arguments.seconds, arguments.depth, verdict)
    try:
        comparison.run(whittle, options)
    except CannotRead as why:
        comparison.notes.append(f"not compared: {why}")
    except (RuntimeError, subprocess.TimeoutExpired) as why:
        comparison.problems.append(str(why))
    return comparison


def tasks(arguments, folder):
    """(file, more options, known verdict)"""
    result = []
    own = [f for place in ("tests/regress/vmt", "examples/vmt")
           for f in sorted((ROOT / place).rglob("*.vmt")) if f.parent.name != "error"]
    result += [(f, [], None) for f in own]
    result += [(f, ["--bound", "3"], None) for f in own]
    for number in range(arguments.random):
        file = folder / f"random{arguments.seed + number}.vmt"
        file.write_text(random_system(arguments.seed + number))
        result.append((file, [[], ["--slice", "off"], ["--bound", "2"]][number % 3], None))
    public = corpus()
    if public:
        verdicts = json.loads((public / "verdicts.json").read_text())
        names = sorted(verdicts)[::arguments.every]
        result += [(public / name, [], verdicts[name]) for name in names]
    return [t for t in result if all(word in str(t[0]) for word in arguments.only)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--whittle", required=True, help="the program")
    parser.add_argument("--every", type=int, default=8, help="systems by others: every nth")
    parser.add_argument("--random", type=int, default=60, help="how many random relations")
    parser.add_argument("--seed", type=int, default=1, help="of the first random relation")
    parser.add_argument("--seconds", type=float, default=10, help="for one question")
    parser.add_argument("--depth", type=int, default=3, help="steps in which nothing may be found")
    parser.add_argument("--jobs", type=int, default=2, help="files at the same time")
    parser.add_argument("--verbose", action="store_true", help="what was not compared, and why")
    parser.add_argument("only", nargs="*", help="parts of file names")
    arguments = parser.parse_args()
    findings = Findings("vmt_differential")
    missing = [solver for solver in SOLVERS if not shutil.which(solver)]
    if missing:
        findings.skip(f"there is no program {' and no '.join(missing)}")
        return findings.finish()
    if not corpus():
        print("vmt_differential: there is no folder shared/corpus/vmt beside this tree: own files only")
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(arguments.jobs) as pool:
        todo = tasks(arguments, Path(name))
        done = pool.map(lambda t: compare(t[0], arguments.whittle, t[1], arguments, t[2]), todo)
        total, silent = {}, 0
        for (file, options, _), comparison in zip(todo, done):
            before = findings.problems
            for problem in comparison.problems:
                findings.problem(" ".join([file.name, *options]), problem)
                if file.name.startswith("random"):
                    print(file.read_text())
            if arguments.verbose:
                for note in comparison.notes:
                    print(f"{file.name}: {note}", flush=True)
            silent += not comparison.compared
            for verdict, count in comparison.compared.items():
                total[verdict] = total.get(verdict, 0) + count
            findings.case(before)
    print(f"vmt_differential: {total.get('violated', 0)} traces and {total.get('holds', 0)} other "
          f"answers compared; {silent} of {len(todo)} files without any")
    if not arguments.only:
        for verdict, least in FLOOR.items():
            before = findings.problems
            if total.get(verdict, 0) < least:
                findings.problem("all files", f"fewer than {least} answers '{verdict}' compared")
            findings.case(before)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
