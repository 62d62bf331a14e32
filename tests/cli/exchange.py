#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Questions in the formats of other tools mean the same. For examples and for random VMT-LIB systems:
Z3 on the exported Horn clauses agrees with `whittle check`, and so does whittle itself on the exported
VMT-LIB and on the printed slice; the text for nuXmv is well formed. Random systems are finite and an
explicit search in this file knows the answer. Seeded; WHITTLE_EFFORT multiplies the random part."""

import argparse
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import ROOT, Findings  # noqa: E402

EFFORT = int(os.environ.get("WHITTLE_EFFORT", "1"))
SECONDS = 30
FILES = ["examples/vmt/counter.vmt", "examples/vmt/elevator.vmt", "examples/vmt/thermostat.vmt",
         "examples/vmt/lustre_speed.vmt", "examples/sts/bank_account.sts",
         "examples/sts/survey/transfer.sts", "examples/sts/survey/triangle_of_nodes.sts",
         "examples/sts/survey/account_holder.sts"]
RANDOM = 16


# ----- random systems: terms are tuples (operator, arguments...), leaves are names and values

SMT = {"and": "and", "or": "or", "not": "not", "=>": "=>", "=": "=", "<=": "<=", "<": "<", "+": "+", "ite": "ite",
       "bvadd": "bvadd", "bvult": "bvult", "bvnot": "bvnot"}


def text(term):
    if isinstance(term, bool):
        return "true" if term else "false"
    if isinstance(term, int):
        return str(term)
    if isinstance(term, str):
        return term
    if term[0] == "bits":
        return f"#b{term[1]:02b}"
    return f"({SMT[term[0]]} {' '.join(text(part) for part in term[1:])})"


def value(term, state):
    if isinstance(term, (bool, int)):
        return term
    if isinstance(term, str):
        return state[term]
    operator = term[0]
    if operator == "bits":
        return term[1]
    if operator == "and":
        return all(value(part, state) for part in term[1:])
    if operator == "or":
        return any(value(part, state) for part in term[1:])
    if operator == "=>":
        return not value(term[1], state) or value(term[2], state)
    if operator == "ite":
        return value(term[2] if value(term[1], state) else term[3], state)
    arguments = [value(part, state) for part in term[1:]]
    if operator == "not":
        return not arguments[0]
    if operator == "=":
        return arguments[0] == arguments[1]
    if operator == "<=":
        return arguments[0] <= arguments[1]
    if operator in ("<", "bvult"):
        return arguments[0] < arguments[1]
    if operator == "+":
        return arguments[0] + arguments[1]
    if operator == "bvadd":
        return (arguments[0] + arguments[1]) % 4
    return arguments[0] ^ 3  # bvnot


class RandomSystem:
    """Two or three variables (Bool, Int in 0..3, two bits) and Bool inputs. Relations are written in
    the ways of several translators: step by step, case by case, with a name for every block that is
    passed, with a program counter."""

    INPUTS = ["bin", "bleft", "bright"]
    SORTS = {"b": "Bool", "i": "Int", "v": "(_ BitVec 2)"}

    def __init__(self, seed):
        self.pick = random.Random(seed)
        self.kinds = [self.pick.choice("biv") for _ in range(self.pick.randint(2, 3))]
        self.names = [f"{kind}{number}" for number, kind in enumerate(self.kinds)]
        self.init = ("and", *[("=", name, self.constant(kind))
                              for name, kind in zip(self.names, self.kinds)
                              if self.pick.random() < 0.8], True, *self.ranges(""))
        way = self.pick.choice([lambda: self.step(2), self.cases, self.blocks, self.program])
        self.trans = ("and", way(), True, *self.ranges("'"))
        self.properties = [self.condition(2, self.names) for _ in range(2)]

    def ranges(self, mark):
        return [part for name, kind in zip(self.names, self.kinds) if kind == "i"
                for part in (("<=", 0, name + mark), ("<=", name + mark, 3))]

    def constant(self, kind):
        number = self.pick.randint(0, 3)
        return {"b": number > 1, "i": number, "v": ("bits", number)}[kind]

    def term(self, kind, depth, names):
        leaves = [name for name in names if name[0] == kind]
        if depth == 0 or self.pick.random() < 0.3:
            return self.pick.choice([*leaves, *leaves, self.constant(kind)])
        if kind == "b":
            return self.condition(depth, names)
        if self.pick.random() < 0.4:
            return ("ite", self.condition(depth - 1, names), self.term(kind, depth - 1, names),
                    self.term(kind, depth - 1, names))
        if kind == "i":
            return ("+", self.term(kind, depth - 1, names), self.pick.choice([0, 1, 1, 2]))
        if self.pick.random() < 0.3:
            return ("bvnot", self.term(kind, depth - 1, names))
        return ("bvadd", self.term(kind, depth - 1, names), self.term(kind, depth - 1, names))

    def condition(self, depth, names):
        choice = self.pick.random()
        if depth == 0 or choice < 0.5:
            kind = self.pick.choice([name[0] for name in names])
            depth = max(depth - 1, 0)
            operator = {"b": "=", "i": self.pick.choice(["=", "<=", "<"]),
                        "v": self.pick.choice(["=", "bvult"])}[kind]
            return (operator, self.term(kind, depth, names), self.term(kind, depth, names))
        if choice < 0.65:
            return ("not", self.condition(depth - 1, names))
        return (self.pick.choice(["and", "or"]), self.condition(depth - 1, names),
                self.condition(depth - 1, names))

    def step(self, depth):
        if depth > 0 and self.pick.random() < 0.5:
            return ("or", self.step(depth - 1), self.step(depth - 1))
        known = self.names + ["bin"]
        parts = [self.condition(1, known)] if self.pick.random() < 0.5 else []
        for name, kind in zip(self.names, self.kinds):
            choice = self.pick.random()
            if choice < 0.2:
                continue  # free
            if choice < 0.35:
                parts.append(("=", name + "'", name))
            elif choice < 0.5:
                parts.append(self.condition(1, known + [name + "'"]))
            else:
                parts.append(("=", name + "'", self.term(kind, 2, known)))
            known.append(name + "'")
        return ("and", *parts, True)

    def assigned(self, name, kind):
        if self.pick.random() < 0.3:
            return ("=", name, name + "'")
        return ("=", name + "'", self.term(kind, 1, self.names + ["bin"]))

    def cases(self):
        """Implications, which may overlap and may leave something open."""
        conditions = [self.condition(1, self.names + ["bin"]) for _ in range(self.pick.randint(1, 2))]
        otherwise = [("not", condition) for condition in conditions]
        parts = []
        for name, kind in zip(self.names, self.kinds):
            for condition in conditions:
                parts.append(("=>", condition, self.assigned(name, kind)))
            if self.pick.random() < 0.8:
                parts.append(("=>", ("and", *otherwise, True), self.assigned(name, kind)))
        return ("and", *parts, True)

    def blocks(self):
        """A branch whose ways have names."""
        condition = self.condition(1, self.names)
        parts = ["bin", ("or", ("and", "bleft", "bin"), ("and", "bright", "bin"), ("not", "bin")),
                 ("or", condition, ("not", "bleft")), ("or", ("not", condition), ("not", "bright"))]
        for name, kind in zip(self.names, self.kinds):
            for way in ("bleft", "bright"):
                parts.append(("or", self.assigned(name, kind), ("not", ("and", way, "bin"))))
        return ("and", *parts)

    def program(self):
        """A disjunction of steps from a value of the first number to another one."""
        if "i" not in self.kinds:
            return self.step(2)
        counter = self.names[self.kinds.index("i")]
        steps = []
        for place in range(self.pick.randint(2, 4)):
            parts = [self.assigned(name, kind) for name, kind in zip(self.names, self.kinds)
                     if name != counter]
            steps.append(("and", ("=", counter, place), self.condition(1, self.names + ["bin"]),
                          ("=", counter + "'", self.pick.randint(0, 3)), *parts))
        return ("or", *steps)

    def written(self):
        lines = [f"(declare-fun {name} () Bool)" for name in self.INPUTS]
        for name, kind in zip(self.names, self.kinds):
            lines += [f"(declare-fun {name} () {self.SORTS[kind]})",
                      f"(declare-fun {name}' () {self.SORTS[kind]})",
                      f"(define-fun .{name} () {self.SORTS[kind]} (! {name} :next {name}'))"]
        lines += [f"(define-fun .init () Bool (! {text(self.init)} :init true))",
                  f"(define-fun .trans () Bool (! {text(self.trans)} :trans true))"]
        for number, condition in enumerate(self.properties):
            lines.append(f"(define-fun p{number} () Bool (! {text(condition)} :invar-property {number}))")
        return "\n".join(lines) + "\n"

    def states(self):
        values = [[False, True] if kind == "b" else range(4) for kind in self.kinds]
        return itertools.product(*values)

    def verdicts(self):
        """Of the properties, by search."""
        everything = list(self.states())
        reached = {state for state in everything if value(self.init, dict(zip(self.names, state)))}
        marked = [name + "'" for name in self.names]
        work = list(reached)
        while work:
            now = dict(zip(self.names, work.pop()))
            for after in everything:
                if after in reached:
                    continue
                both = {**now, **dict(zip(marked, after))}
                if any(value(self.trans, {**both, **dict(zip(self.INPUTS, given))}) for given in
                       itertools.product((False, True), repeat=len(self.INPUTS))):
                    reached.add(after)
                    work.append(after)
        return {f"p{number}": "holds" if all(value(condition, dict(zip(self.names, state)))
                                             for state in reached) else "violated"
                for number, condition in enumerate(self.properties)}


# ----- comparing

class Exchange:
    def __init__(self, whittle, findings, folder):
        self.whittle = whittle
        self.findings = findings
        self.folder = folder
        self.z3 = shutil.which("z3")

    def call(self, *arguments):
        return subprocess.run([self.whittle, *arguments], cwd=ROOT, capture_output=True, text=True,
                              timeout=10 * SECONDS)

    def verdicts(self, file):
        done = self.call("check", "--json", "--timeout", str(SECONDS), str(file))
        try:
            return {r["property"]: r["verdict"] for r in json.loads(done.stdout)["results"]}
        except (ValueError, KeyError):
            self.findings.problem(file, f"check: exit code {done.returncode}: {done.stderr[-300:]}")
            return {}

    def exported(self, file, name, form):
        done = self.call("export", str(file), "--property", name, "--to", form)
        if done.returncode:
            self.findings.problem(file, f"export of {name} to {form}: {done.stderr[-300:]}")
        return done.stdout

    def same(self, place, expected, actual):
        """Unknown is no answer; whoever decides decides the same."""
        good = {"holds": "holds", "unreachable": "holds"}
        if "unknown" in (expected, actual) or expected is None:
            return
        if good.get(expected, "violated") != good.get(actual, "violated"):
            self.findings.problem(place, f"expected {expected}, got {actual}")

    def horn(self, file, name, expected):
        clauses = self.folder / "clauses.smt2"
        clauses.write_text(self.exported(file, name, "chc"))
        done = subprocess.run([self.z3, "-T:10", str(clauses)], capture_output=True, text=True)
        answer = done.stdout.split()[0] if done.stdout.split() else done.stderr
        known = {"sat": "holds", "unsat": "violated", "unknown": "unknown", "timeout": "unknown"}
        if answer not in known:
            self.findings.problem(file, f"z3 on the Horn clauses of {name}: {done.stdout[:300]}")
        else:
            self.same(f"{file}: Horn clauses of {name}", expected, known[answer])

    def reloaded(self, place, content, expected):
        again = self.folder / "again.vmt"
        again.write_text(content)
        for verdict in self.verdicts(again).values():
            self.same(place, expected, verdict)

    def smv(self, file, name):
        content = re.sub(r"--.*", "", self.exported(file, name, "smv"))
        place = f"{file}: smv of {name}"
        for word in ("MODULE main", "INIT", "TRANS", "(?:INVAR|LTL)SPEC"):
            if len(re.findall(rf"^{word}\b", content, re.M)) != 1:
                self.findings.problem(place, f"not one {word}")
        if content.count("(") != content.count(")"):
            self.findings.problem(place, "parentheses that do not match")
        declared = set(re.findall(r"^(?:I?VAR|DEFINE) (\w+) :", content, re.M))
        for values in re.findall(r"\{([^}]*)\}", content):
            declared |= set(re.split(r",\s*", values))
        body = re.sub(r"\b\d\w*|f'\d+/\d+", "", "\n".join(
            line.split(":", 1)[1] if re.match(r"I?VAR|DEFINE", line) else line
            for line in content.splitlines()))
        known = declared | {"MODULE", "main", "INIT", "TRANS", "INVARSPEC", "TRUE", "FALSE", "next",
                            "mod", "xor", "boolean", "integer", "real", "unsigned", "signed", "word",
                            "array", "of", "READ", "WRITE", "CONSTARRAY", "extend", "toint", "floor"}
        if "LTLSPEC" in content:
            known |= {"LTLSPEC", "X", "F", "G", "U", "V", "S", "T"}
        for unknown in sorted(set(re.findall(r"[A-Za-z_]\w*", body)) - known):
            self.findings.problem(place, f"{unknown} is not declared")

    def compare(self, file, expected):
        for name, verdict in expected.items():
            before = self.findings.problems
            if self.z3:
                self.horn(file, name, verdict)
            self.reloaded(f"{file}: exported VMT-LIB of {name}", self.exported(file, name, "vmt"), verdict)
            if str(file).endswith(".vmt"):
                self.reloaded(f"{file}: slice for {name}",
                              self.call("slice", str(file), "--property", name).stdout, verdict)
            self.smv(file, name)
            self.findings.case(before)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whittle", required=True, help="the program")
    arguments = parser.parse_args()
    findings = Findings("exchange")
    with tempfile.TemporaryDirectory() as name:
        exchange = Exchange(os.path.abspath(arguments.whittle), findings, Path(name))
        if not exchange.z3:
            findings.skip("the program z3 is not there: Horn clauses are not run")
        for file in FILES:
            exchange.compare(file, exchange.verdicts(file))
        for seed in range(RANDOM * EFFORT):
            system = RandomSystem(seed)
            file = Path(name) / f"seed{seed}.vmt"
            file.write_text(system.written())
            expected = system.verdicts()
            before = findings.problems
            for prop, verdict in exchange.verdicts(file).items():
                exchange.same(f"seed {seed}: {prop}", expected[prop], verdict)
                if verdict == "unknown":
                    findings.problem(f"seed {seed}: {prop}", "a small finite system is not decided")
            exchange.compare(file, expected)
            if findings.problems > before:
                print(file.read_text(), flush=True)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
