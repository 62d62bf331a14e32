#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many VMT-LIB systems whittle decides, and how many Z3's Spacer does, in the same time.

Spacer reads clauses as the Horn-clause competition has them: one predicate for the states, made by
the naive reader (naive_reader.py) from the terms as they are written, so nothing that whittle does
to a system helps or hinders it. Each program has the machine for itself, one file after the other;
seconds of processor time are shown. Not a test: it takes up to an hour.

  tests/vmt/against_spacer.py --whittle build/release/whittle ../shared/corpus/vmt
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from naive_reader import CannotRead, System, plain, text_of

sys.setrecursionlimit(100_000)
VERDICTS = {"sat": "holds", "unsat": "violated"}  # of the clauses


def quoted(name):
    return f"|{name}|"


class Clauses:
    """The three clauses of a system: `init`, `step`, and no state violates the property."""

    def __init__(self, system):
        self.system = system
        self.bodies = {name: body for name, parameters, _, body in system.definitions}
        if any(parameters for _, parameters, _, _ in system.definitions):
            raise CannotRead("a definition with parameters")
        if len(system.properties) != 1:
            raise CannotRead("not one property")

    def used(self, term):
        """Definitions that a term uses, each after those that it uses itself."""
        order, seen, work = [], set(), [term]
        while work:
            e = work.pop()
            if isinstance(e, tuple):
                order.append(e[0])
            elif isinstance(e, str):
                name = plain(e)
                if name in self.bodies and name not in seen:
                    seen.add(name)
                    work.append((name,))
                    work.append(self.bodies[name])
            else:
                work.extend(e)
        return order

    def clause(self, body, head, state=False):
        names = self.used(body)
        text = text_of(body)
        bound = "(and {} {})".format(self.predicate() if state else "true", text)
        result = f"(=> {bound} {head})"
        for name in reversed(names):
            result = f"(let (({quoted(name)} {text_of(self.bodies[name])})) {result})"
        variables = " ".join(f"({quoted(n)} {text_of(s)})" for n, s in self.system.constants.items())
        return f"(assert (forall ({variables}) {result}))"

    def predicate(self, following=False):
        names = self.system.next_of
        return "(States {})".format(
            " ".join(quoted(names[n] if following else n) for n in names))

    def text(self):
        system = self.system
        sorts = " ".join(text_of(system.constants[n]) for n in system.next_of)
        good = system.properties[0][2]
        return "\n".join([
            "(set-logic HORN)", *system.sorts, f"(declare-fun States ({sorts}) Bool)",
            self.clause(["and", "true", *system.inits], self.predicate()),
            self.clause(["and", "true", *system.transitions], self.predicate(True), True),
            self.clause(["not", good], "false", True), "(check-sat)", ""])


def measured(command, seconds, limited=False):
    """Output, processor time and time that passed. `limited`: seconds of processor time, which do
    not depend on what else the machine does."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.monotonic()

    def limit():
        if limited:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))

    try:
        out = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit,
                             timeout=4 * seconds + 30).stdout
    except subprocess.TimeoutExpired:
        out = ""
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return out, spent, time.monotonic() - begun


def by_spacer(file, seconds, folder):
    clauses = Path(folder) / "clauses.smt2"
    try:
        clauses.write_text(Clauses(System(file.read_text(encoding="latin-1"))).text())
    except CannotRead as why:
        return f"not read: {why}", 0, 0
    out, spent, passed = measured(["z3", "fp.engine=spacer", str(clauses)], seconds, True)
    answer = out.split()[0] if out.split() else ""
    if "error" in out:
        return "error: " + out.strip()[:80], spent, passed
    return VERDICTS.get(answer, "unknown"), spent, passed


def by_whittle(whittle, file, seconds, jobs, more):
    """What it answers, times, and who found it."""
    command = [whittle, "check", "--json", "--jobs", str(jobs), "--timeout", str(seconds), *more,
               str(file)]
    out, spent, passed = measured(command, seconds)
    try:
        result = json.loads(out)["results"][0]
    except (ValueError, KeyError, IndexError):
        return "no answer", spent, passed, ""
    return result["verdict"], spent, passed, result.get("engine") or ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--whittle", required=True, help="the program")
    parser.add_argument("--seconds", type=int, default=20, help="for one system")
    parser.add_argument("--jobs", type=int, default=2, help="of whittle")
    parser.add_argument("--record", type=Path, help="a JSON file; what it has is not measured again")
    parser.add_argument("--only", default="", help="a part of file names")
    parser.add_argument("--no-whittle", action="store_true", help="measure Spacer alone")
    parser.add_argument("--option", action="append", default=[], help="of whittle check")
    parser.add_argument("folder", type=Path, help="systems, with their verdicts in verdicts.json")
    arguments = parser.parse_args()
    verdicts = json.loads((arguments.folder / "verdicts.json").read_text())
    record = {}
    if arguments.record and arguments.record.exists():
        record = json.loads(arguments.record.read_text())
    wrong = 0
    solved = {"whittle": 0, "spacer": 0}
    with tempfile.TemporaryDirectory() as folder:
        for name in sorted(verdicts):
            if arguments.only not in name:
                continue
            file, line = arguments.folder / name, record.setdefault(name, {})
            if "spacer" not in line:
                line["spacer"] = by_spacer(file, arguments.seconds, folder)
            if "whittle" not in line and not arguments.no_whittle:
                line["whittle"] = by_whittle(arguments.whittle, file, arguments.seconds,
                                             arguments.jobs, arguments.option)
            if arguments.record:
                arguments.record.write_text(json.dumps(record, indent=0))
            text = f"{name:<48} {verdicts[name]:<9}"
            for who in line:
                answer, spent, passed, *engine = line[who]
                solved[who] += answer == verdicts[name]
                wrong += answer in VERDICTS.values() and answer != verdicts[name]
                text += f" {who}: {answer:<9}{spent:>6.1f}{passed:>6.1f} {' '.join(engine):<11}"
            print(text, flush=True)
    print(f"solved by whittle {solved['whittle']}, by Spacer {solved['spacer']}; wrong: {wrong}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
