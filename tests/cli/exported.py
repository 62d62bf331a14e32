#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every exported question is read by the tool that it is for. Of every example and every regression
file, every property is exported to every format: either the format cannot say it, which is exit code
2 with `check-009` and a hint, or the text is read: SMT-LIB by Z3 and cvc5, Horn clauses by Z3,
Promela and never claims by SPIN, VMT-LIB by whittle itself, drawings by Graphviz, and of SMV and
Hanoi automata (nuXmv is not free) the names and the shape are checked. Answers that come within seconds are compared with those of `whittle check`."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from exchange import Exchange  # noqa: E402
from findings import ROOT, Findings  # noqa: E402
from printed_slices import Program, models  # noqa: E402

FORMATS = ["smtlib", "chc", "smv", "promela", "vmt"]
AUTOMATA = ["hoa", "dot", "never"]  # only of temporal logic
STEPS = 10  # of bounded formats
SECONDS = 5  # for one solver
QUESTIONS = {"reach", "invariant", "constraint", "assert", "bounds", "division"}
SOLVERS = {"z3": ["z3", f"-T:{SECONDS}"], "cvc5": ["cvc5", f"--tlimit={1000 * SECONDS}"]}


class Problems:
    """What the checks of exchange.py report, collected for one question."""

    def __init__(self):
        self.found = []

    def problem(self, place, message):
        self.found.append((place, message))


class Question:
    def __init__(self, whittle, file, arguments, result):
        self.whittle = whittle
        self.file = os.path.relpath(file, ROOT)
        self.arguments = whittle.for_slice(arguments)
        self.result = result
        self.problems = Problems()
        self.read = self.refused = self.compared = 0

    def check(self, folder):
        formats = FORMATS + AUTOMATA if self.result["kind"] == "ltl" else FORMATS
        for form in formats:
            place = f"{self.file} -p '{self.result['property']}' --to {form}"
            done = self.whittle("export", self.file, "-p", self.result["property"], "--to", form,
                                "--bound", STEPS, "--json", *self.arguments)
            report = json.loads(done.stdout)
            errors = [d for d in report["diagnostics"] if d["severity"] == "error"]
            if done.returncode == 2 and [d["id"] for d in errors] == ["check-009"] and errors[0]["hint"]:
                # Questions about whole runs are for few formats.
                self.refused += self.result["kind"] not in ("ltl", "recoverable")
                continue
            if done.returncode != 0 or errors:
                self.problems.problem(place, f"exit code {done.returncode}: {errors}")
                continue
            getattr(self, form)(place, report["exports"][0]["text"], folder)
            self.read += 1
        return self

    def reached(self, steps):
        """Whether the goal is reached within so many steps; None: not known."""
        r = self.result
        if r["kind"] not in QUESTIONS or r["verdict"] in ("unknown", "bounded"):
            return None
        if r["verdict"] in ("holds", "unreachable"):
            return False if r["bound"] is None or (steps is not None and r["bound"] >= steps) else None
        if steps is None or r["depth"] <= steps:
            return True
        return False if r["trace"]["shortest"] else None

    def solved(self, place, solver, text, folder, sat_means, steps):
        if not shutil.which(solver):
            return
        file = folder / "question.smt2"
        file.write_text(text)
        done = subprocess.run([*SOLVERS[solver], str(file)], capture_output=True, text=True)
        answer = (done.stdout.split() or [""])[0]
        if "error" in done.stdout + done.stderr and "interrupted" not in done.stdout + done.stderr:
            self.problems.problem(place, f"{solver}: {(done.stdout + done.stderr)[:200]}")
        expected = self.reached(steps)
        if answer not in ("sat", "unsat") or expected is None:
            return
        self.compared += 1
        if (answer == "sat") != (expected == sat_means):
            self.problems.problem(place, f"{solver} says {answer}, whittle {self.result['verdict']}")

    def smtlib(self, place, text, folder):
        steps = int(text.split(" to ", 1)[1].split()[0])  # as the first line says
        for solver in SOLVERS:
            self.solved(place, solver, text, folder, True, steps)

    def chc(self, place, text, folder):
        self.solved(place, "z3", text, folder, False, None)

    def smv(self, place, text, folder):
        exchange = Exchange(self.whittle.path, self.problems, folder)
        exchange.exported = lambda *_: text
        exchange.smv(self.file, self.result["property"])

    def promela(self, place, text, folder):
        (folder / "model.pml").write_text(text)
        if not shutil.which("spin"):
            return
        try:
            done = subprocess.run(["spin", "-a", "model.pml"], cwd=folder, capture_output=True,
                                  text=True, timeout=2 * SECONDS)
        except subprocess.TimeoutExpired:  # it takes long over the negation of a formula
            return
        if done.returncode != 0 or not (folder / "pan.c").exists():
            self.problems.problem(place, f"spin: {(done.stdout + done.stderr)[:200]}")
        (folder / "pan.c").unlink(missing_ok=True)

    def hoa(self, place, text, _):
        states = int(re.search(r"^States: (\d+)$", text, re.M)[1])
        atoms = int(re.search(r"^AP: (\d+)", text, re.M)[1])
        head, body = text.split("--BODY--\n")
        sets = int(re.search(r"^Acceptance: (\d+) ", head, re.M)[1])
        if re.findall(r"^State: (\d+)$", body, re.M) != [str(q) for q in range(states)]:
            self.problems.problem(place, "not all states")
        for label, target, marks in re.findall(r"^\[(.*)\] (\d+)(?: \{(.*)\})?$", body, re.M):
            used = [int(n) for n in re.findall(r"\d+", label)]
            if int(target) >= states or any(n >= atoms for n in used) or any(
                    int(n) >= sets for n in marks.split()):
                self.problems.problem(place, f"[{label}] {target} {marks}")

    def dot(self, place, text, folder):
        if shutil.which("dot"):
            done = subprocess.run(["dot", "-Tplain"], input=text, capture_output=True, text=True)
            if done.returncode != 0:
                self.problems.problem(place, f"dot: {done.stderr[:200]}")

    def never(self, place, text, folder):
        atoms = "".join(f"bool atom{n};\n" for n in re.findall(r"^// atom(\d+):", text, re.M))
        self.promela(place, atoms + text + "active proctype p() { skip }\n", folder)

    def vmt(self, place, text, folder):
        (folder / "again.vmt").write_text(text)
        if self.result["kind"] == "ltl":
            if text.count("(") != text.count(")") or text.count(":ltl-property") != 1:
                self.problems.problem(place, "not one formula")
            if not any("ltl.G" in file.read_text()
                       for file in Path(ROOT, "src/frontend/vmt").glob("*.cpp")):
                return  # our reader has no formulas
        done = self.whittle("slice", folder / "again.vmt", "--slice", "off", "--refine", "off")
        if done.returncode != 0:
            self.problems.problem(place, f"does not load: {done.stderr[:300]}")


def questions(whittle, number, file, arguments, every):
    done = whittle("check", "--json", "--timeout", SECONDS, os.path.relpath(file, ROOT), *arguments)
    results = json.loads(done.stdout)["results"]
    names = [r["property"] for r in results]
    for place, result in enumerate(results):
        if names.count(result["property"]) == 1 and (number + place) % every == 0:
            with tempfile.TemporaryDirectory() as folder:
                yield Question(whittle, file, arguments, result).check(Path(folder))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--whittle", required=True, help="the program")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth question")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("names", nargs="*", help="only files whose name contains one of these")
    arguments = parser.parse_args()
    findings = Findings("exported")
    for tool in [*SOLVERS, "spin"]:
        if not shutil.which(tool):
            print(f"exported: {tool} is not there; what it would read is not run")
    whittle = Program(arguments.whittle)
    whittle.slice_options -= {"--bound"}
    chosen = [m for m in models()
              if not arguments.names or any(n in str(m[0]) for n in arguments.names)]
    read = refused = compared = 0
    with ThreadPoolExecutor(arguments.jobs) as pool:
        work = [pool.submit(lambda n, m: list(questions(whittle, n, *m, arguments.every)), n, m)
                for n, m in enumerate(chosen)]
        for done in work:
            for question in done.result():
                before = findings.problems
                for place, message in question.problems.found:
                    findings.problem(place, message)
                findings.case(before)
                read += question.read
                refused += question.refused
                compared += question.compared
    before = findings.problems
    print(f"exported: {read} texts read, {refused} that the format cannot say, {compared} answers compared")
    if not arguments.names and (read < 2 * refused or compared < read // 5):
        findings.problem("all", "too little was read or compared for this to mean something")
    findings.case(before)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
