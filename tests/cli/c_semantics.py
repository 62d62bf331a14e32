#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""C as gcc has it: random programs without inputs, simulated, end with the values that they have with gcc."""

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import Findings  # noqa: E402

TYPES = ["_Bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long",
         "unsigned long", "long long", "unsigned long long"]
CONSTANTS = ["0", "1", "2", "3", "7", "-1", "-2", "100", "127", "128", "255", "256", "-128", "32767", "32768", "65535", "65536",
             "2147483647", "2147483648", "(-2147483647 - 1)", "4294967295U", "1u", "-1L", "077", "0xFF", "'a'", "'\\xff'",
             "9223372036854775807LL", "0x80000000", "0xFFFFFFFFFFFFFFFF", "sizeof(int)", "sizeof(long)"]


class Program:
    """Without undefined behaviour but overflow, which gcc's -fwrapv defines."""

    def __init__(self, seed, bits):
        self.random = random.Random(seed)
        self.bits = bits
        self.globals = [f"g{i}" for i in range(self.random.randint(2, 5))]
        self.lines = []
        self.counter = 0
        self.functions = []

    def pick(self, options):
        return self.random.choice(options)

    def expression(self, depth, names):
        r = self.random
        if depth == 0 or r.random() < 0.15:
            return self.pick(names) if r.random() < 0.7 else self.pick(CONSTANTS)
        sub = lambda: self.expression(depth - 1, names)  # noqa: E731
        kind = r.random()
        if kind < 0.34:
            return f"({sub()} {self.pick(['+', '-', '*', '+', '-'])} {sub()})"
        if kind < 0.42:
            divisor = self.pick(["3", "7u", "10L", "-5", "256", "1000"]) if r.random() < 0.6 else f"(1 | (unsigned char){sub()})"
            if "|" in divisor and not self.bits:
                divisor = f"(1 + (unsigned char){sub()})"
            left = sub()
            return f"({left} {self.pick(['/', '%'])} {divisor})"
        if kind < 0.60:
            return f"({sub()} {self.pick(['<', '<=', '>', '>=', '==', '!='])} {sub()})"
        if kind < 0.68:
            return f"({sub()} {self.pick(['&&', '||'])} {sub()})"
        if kind < 0.74:
            return f"({sub()} ? {sub()} : {sub()})"
        if kind < 0.84:
            return f"(({self.pick(TYPES)}){sub()})"
        if kind < 0.90:
            return f"({self.pick(['-', '~', '!', '+'])} {sub()})"
        if self.bits:
            if r.random() < 0.4:
                return f"({sub()} {self.pick(['<<', '>>'])} ({sub()} & 7))"
            return f"({sub()} {self.pick(['&', '|', '^'])} {sub()})"
        if r.random() < 0.5:
            return f"({sub()} {self.pick(['<<', '>>'])} {r.randint(0, 7)})"
        return f"({sub()} & {self.pick(['1', '3', '255', '0xFFFF', '~7', '0'])})"

    def assignment(self, names, targets):
        target = self.pick(targets)
        form = self.random.random()
        value = self.expression(3, names)
        if form < 0.55:
            return f"{target} = {value};"
        if form < 0.75:
            return f"{target} {self.pick(['+=', '-=', '*='])} {value};"
        if form < 0.80:
            return f"{target} {self.pick(['/=', '%='])} {self.pick(['3', '-7', '10u', '300L'])};"
        if form < 0.86:
            return f"{target} {self.pick(['<<=', '>>='])} {self.random.randint(0, 7)};"
        if form < 0.93:
            other = self.pick(targets)
            if other != target:
                return f"{other} = {self.pick(['++' + target, target + '++', '--' + target, target + '--'])} + 1;"
        if self.bits:
            return f"{target} {self.pick(['&=', '|=', '^='])} {value};"
        return f"{self.pick(['++', '--'])}{target};"

    def statement(self, depth, names, targets, functions, out, indent):
        r = self.random
        kind = r.random()
        pad = "  " * indent
        inner = lambda: self.block(depth - 1, names, targets, functions, out, indent + 1)  # noqa: E731
        if depth == 0 or kind < 0.5:
            if functions and r.random() < 0.25:
                name, count = self.pick(functions)
                arguments = ", ".join(self.expression(2, names) for _ in range(count))
                # In which order `g` and `f()` are evaluated in `g += f()` is for the compiler to say.
                own = [t for t in targets if not t.startswith("g")]
                form = f"{self.pick(own)} +=" if own and r.random() < 0.4 else f"{self.pick(targets)} ="
                out.append(f"{pad}{form} {name}({arguments});")
            elif functions and r.random() < 0.15:
                name, count = self.pick(functions)
                arguments = ", ".join(self.expression(1, names) for _ in range(count))
                out.append(f"{pad}if ({self.expression(2, names)} {self.pick(['&&', '||'])} {name}({arguments}))")
                out.append(f"{pad}  {self.assignment(names, targets)}")
            else:
                out.append(pad + self.assignment(names, targets))
        elif kind < 0.68:
            out.append(f"{pad}if ({self.expression(3, names)}) {{")
            inner()
            if r.random() < 0.5:
                out.append(f"{pad}}} else {{")
                inner()
            out.append(f"{pad}}}")
        elif kind < 0.85:
            self.counter += 1
            i = f"i{self.counter}"
            form = r.random()
            if form < 0.5:
                out.append(f"{pad}for (int {i} = 0; {i} < {r.randint(1, 5)}; {i}++) {{")
            elif form < 0.75:
                out.append(f"{pad}unsigned char {i} = {r.randint(1, 5)};")
                out.append(f"{pad}while ({i}-- > 0) {{")
            else:
                out.append(f"{pad}short {i} = 0;")
                out.append(f"{pad}do {{")
            self.block(depth - 1, names + [i], targets, functions, out, indent + 1)
            if r.random() < 0.3:
                out.append(f"{pad}  if ({self.expression(2, names + [i])}) {self.pick(['break', 'continue'])};")
            out.append(f"{pad}}}" + (f" while (++{i} < {r.randint(1, 5)});" if form >= 0.75 else ""))
        else:
            out.append(f"{pad}switch ({self.expression(2, names)}) {{")
            for value in r.sample(["0", "1", "-1", "2", "255", "'a'", "65535"], 3):
                out.append(f"{pad}case {value}: ;")
                inner()
                if r.random() < 0.7:
                    out.append(f"{pad}  break;")
            out.append(f"{pad}default: ;")
            inner()
            out.append(f"{pad}}}")

    def block(self, depth, names, targets, functions, out, indent):
        for _ in range(self.random.randint(1, 3)):
            self.statement(depth, names, targets, functions, out, indent)

    def text(self):
        out = []
        r = self.random
        for name in self.globals:
            out.append(f"{self.pick(TYPES)} {name} = {self.pick(CONSTANTS)};")
        for number in range(r.randint(0, 2)):
            count = r.randint(1, 2)
            parameters = [f"p{i}" for i in range(count)]
            declared = ", ".join(f"{self.pick(TYPES)} {p}" for p in parameters)
            out.append(f"{self.pick(TYPES)} f{number}({declared}) {{")
            out.append(f"  {self.pick(TYPES)} x = {self.pick(CONSTANTS)};")
            self.block(1, self.globals + parameters + ["x"], self.globals + parameters + ["x"],
                       self.functions, out, 1)
            out.append(f"  return {self.expression(2, self.globals + parameters + ['x'])};")
            out.append("}")
            self.functions.append((f"f{number}", count))
        out.append("int main(void) {")
        names = list(self.globals)
        for i in range(r.randint(1, 3)):
            out.append(f"  {self.pick(TYPES)} l{i} = {self.expression(1, names)};")
            names.append(f"l{i}")
        for _ in range(r.randint(3, 6)):
            self.statement(2, names, names, self.functions, out, 1)
        self.names = names
        return "\n".join(out)


def gcc_values(text, names, folder, data_model):
    prints = "".join(f'printf("%llu\\n", (unsigned long long){n});' for n in names)
    source = Path(folder) / "p.c"
    source.write_text(f"#include <stdio.h>\n{text}\n{prints}\nreturn 0;\n}}\n", encoding="utf-8")
    flags = ["-m32"] if data_model == "ilp32" else []
    program = str(Path(folder) / "p")
    subprocess.run(["gcc", "-w", "-fwrapv", "-O0", *flags, str(source), "-o", program], check=True)
    done = subprocess.run([program], capture_output=True, text=True, timeout=10, check=True)
    return [int(line) for line in done.stdout.split()]


def our_values(whittle, text, names, folder, data_model, extra):
    """What the simulator ends with; an error text where it does not get there."""
    file = Path(folder) / "q.c"
    file.write_text(f"{text}\n  return 0;\n}}\n", encoding="utf-8")
    done = subprocess.run([whittle, "simulate", str(file), f"--c-model={data_model}", *extra],
                          input="random 1000000\nstate\n", capture_output=True, text=True, timeout=120)
    lines = done.stdout.splitlines()
    if not lines or "at end" not in lines[-1]:
        return f"no end: {lines[-1:]} {done.stderr[-300:]}"
    state = dict(part.strip().split(" = ") for part in lines[-1].split(",") if " = " in part)
    return [int(state[n if n.startswith("g") else f"main::{n}"]) % 2**64 for n in names]


def check_seed(arguments, seed, data_model):
    with tempfile.TemporaryDirectory() as folder:
        program = Program(seed, bits=seed % 3 == 0)
        text = program.text()
        expected = gcc_values(text, program.names, folder, data_model)
        # A variable without a use is none of the network's, and the simulator wants a question.
        use = f"if (0 & ({' + '.join(program.names)})) reach_error();"
        got = our_values(arguments.whittle, f"void reach_error(void);\n{text}\n  {use}", program.names, folder, data_model, arguments.option)
        if got == expected:
            return []
        wrong = got if isinstance(got, str) else [f"{n}: {g}, with gcc {e}" for n, g, e in zip(program.names, got, expected) if g != e]
        return [str(wrong) + (f"\n{text}" if arguments.show else "")]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whittle", required=True)
    parser.add_argument("--programs", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--option", action="append", default=[], help="more for whittle")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", action="store_true", help="print the programs that fail")
    arguments = parser.parse_args()
    findings = Findings("c_semantics")
    if shutil.which("gcc") is None:
        findings.skip("there is no gcc")
        return findings.finish()
    with ThreadPoolExecutor(arguments.jobs) as pool:
        seeds = range(arguments.seed, arguments.seed + arguments.programs)
        for seed, problems in zip(seeds, pool.map(lambda s: check_seed(arguments, s, "lp64"), seeds)):
            before = findings.problems
            for problem in problems:
                findings.problem(f"seed {seed}", problem)
            findings.case(before)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
