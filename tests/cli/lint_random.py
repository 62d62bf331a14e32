#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`whittle lint` on small random systems against a search through all their states, which shares nothing
with the program: starts that nothing satisfies, transitions that can never happen, nodes where the system
is stuck, relations that are impossible and effects without a value."""

import argparse
import collections
import itertools
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import Findings  # noqa: E402

SECONDS = 900
VALUES = range(0, 4)  # of x and y; transitions keep to them
NODES = ["A", "B", "C"]


class Undefined(Exception):
    pass


def quotient(a, b):  # SMT-LIB's div
    if b == 0:
        raise Undefined
    return a // b if b > 0 else -(a // -b)


class Transition:
    """A guard on x and y, and for each of them a next value, a choice, or nothing."""

    def __init__(self, rng, name):
        self.name = name
        self.source, self.target = rng.choice(NODES), rng.choice(NODES)
        self.guard = [(rng.choice("xy"), rng.choice(["<", ">", "==", "!="]), rng.choice(VALUES))
                      for _ in range(rng.choice([0, 1, 1, 2]))]
        self.effects = {}
        for variable in "xy":
            other = "y" if variable == "x" else "x"
            kind = rng.choice(["keep", "set", "add", "choose", "divide"])
            if kind == "set":
                self.effects[variable] = (kind, rng.choice(VALUES))
            elif kind == "add":
                self.effects[variable] = (kind, rng.choice([-1, 1]))
            elif kind == "choose":  # strictly between two values, perhaps none
                self.effects[variable] = (kind, rng.choice([-1, 0, 1]), other)
            elif kind == "divide":
                self.effects[variable] = (kind, rng.choice(VALUES), other)

    def text(self):
        parts = []
        for variable, effect in self.effects.items():
            if effect[0] == "set":
                parts.append(f"{variable}' == {effect[1]}")
            elif effect[0] == "add":
                parts.append(f"{variable}' == {variable} + ({effect[1]})")
            elif effect[0] == "choose":
                parts.append(f"{variable}' > {effect[1]} && {variable}' < {effect[2]}")
            else:
                parts.append(f"{variable}' == {effect[1]} / {effect[2]}")
            parts.append(f"{variable}' >= 0 && {variable}' <= {max(VALUES)}")
        line = f"transition {self.name}: {self.source} -> {self.target}"
        if self.guard:
            line += " when " + " && ".join(f"{v} {op} {c}" for v, op, c in self.guard)
        return line + (" then " + " && ".join(parts) if parts else "")

    def allowed(self, state):
        tests = {"<": int.__lt__, ">": int.__gt__, "==": int.__eq__, "!=": int.__ne__}
        return all(tests[op](state["xy".index(v)], c) for v, op, c in self.guard)

    def next_values(self, state):
        now = dict(zip("xy", state))
        choices = []
        for variable in "xy":
            effect = self.effects.get(variable, ("keep",))
            if effect[0] == "keep":
                choices.append([now[variable]])
                continue
            if effect[0] == "set":
                values = [effect[1]]
            elif effect[0] == "add":
                values = [now[variable] + effect[1]]
            elif effect[0] == "choose":
                values = range(effect[1] + 1, now[effect[2]])
            else:
                try:
                    values = [quotient(effect[1], now[effect[2]])]
                except Undefined:
                    return []
            choices.append([v for v in values if v in VALUES])
        return list(itertools.product(*choices))


class System:
    def __init__(self, seed):
        rng = random.Random(seed)
        self.transitions = [Transition(rng, f"t{i}") for i in range(rng.choice([3, 4, 5]))]
        left = {t.source for t in self.transitions}
        self.final = {n for n in NODES if n not in left or rng.random() < 0.2}
        self.starts = {"A": rng.choice(VALUES), "B": rng.choice([None, None, 9])}

    def text(self):
        lines = ["system Random", "var x: Int", "var y: Int"]
        lines += [("final node " if n in self.final else "node ") + n for n in NODES]
        for node, x in self.starts.items():
            if x is not None:
                lines.append(f"start {node}: x == {x} && y >= 0 && y <= 1 && x * x < 80")
        return "\n".join(lines + [t.text() for t in self.transitions]) + "\n"

    def expected(self):
        """By check: is it a fault?"""
        result = {}
        reached = set()
        for node, x in self.starts.items():
            if x is None:
                continue
            result[f"start {node}"] = x * x >= 80
            if x * x < 80:
                reached |= {(node, x, y) for y in (0, 1)}
        result.update({f"transition {t.name}": True for t in self.transitions})
        result.update({f"relation of {t.name}": False for t in self.transitions})
        result.update({f"node {n}": False for n in NODES})
        open_states = list(reached)
        while open_states:
            node, *values = open_states.pop()
            stuck = True
            for t in self.transitions:
                if t.source != node or not t.allowed(values):
                    continue
                after = t.next_values(values)
                if after:
                    stuck = False
                    result[f"transition {t.name}"] = False
                else:
                    result[f"relation of {t.name}"] = True
                for x, y in after:
                    if (t.target, x, y) not in reached:
                        reached.add((t.target, x, y))
                        open_states.append((t.target, x, y))
            if stuck and node not in self.final:
                result[f"node {node}"] = True
        return result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whittle", required=True, help="the program")
    parser.add_argument("--systems", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    findings = Findings("lint_random")
    compared = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        systems = {}
        for seed in range(arguments.seed, arguments.seed + arguments.systems):
            file = Path(folder) / f"s{seed}.sts"
            systems[str(file)] = System(seed)
            file.write_text(systems[str(file)].text())
        done = subprocess.run([arguments.whittle, "lint", "--json", *systems], capture_output=True,
                              text=True, timeout=SECONDS)
        document = json.loads(done.stdout)
    expected = {file: system.expected() for file, system in systems.items()}
    seen = collections.defaultdict(set)
    for result in document["results"]:
        file, name = result["file"], result["property"]
        before = findings.problems
        seen[file].add(name)
        if result["met"] is None or result["verdict"] == "unknown":
            findings.problem(Path(file).stem, f"{name}: undecided")
        elif name not in expected[file] or (result["met"] is False) != expected[file][name]:
            findings.problem(Path(file).stem, f"{name}: met is {result['met']}, which the states "
                             f"do not confirm\n{systems[file].text()}")
        compared[(name.split()[0], result["met"])] += 1
        findings.case(before)
    before = findings.problems
    # A relation that is always possible is not asked about, nor is the end of the system.
    for file, checks in expected.items():
        for name in sorted(n for n, fault in checks.items() if fault and n not in seen[file]):
            findings.problem(Path(file).stem, f"{name}: nobody looked\n{systems[file].text()}")
    for kind, least in {("start", False): 15, ("start", True): 50, ("transition", False): 100,
                        ("transition", True): 35, ("node", False): 30, ("node", True): 60,
                        ("relation", False): 30, ("relation", True): 120}.items():
        if compared[kind] < least * arguments.systems // 60:
            findings.problem("floor", f"{kind}: only {compared[kind]} of {least} were compared")
    findings.case(before)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
