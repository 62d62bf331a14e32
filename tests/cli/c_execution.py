#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counterexamples of C programs run: the inputs of a trace are put into a table, the program is compiled with
`gcc -fwrapv`, and must come to an error. Programs without an error are run with random inputs, and must not."""

import argparse
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import ROOT, Findings  # noqa: E402

REACHED = 107
FOLDERS = ["examples/c", "tests/regress/c/violated", "tests/regress/c/mixed", "tests/regress/c/holds"]
NONDET = re.compile(r"\b((?:__VERIFIER_)?nondet_(\w+))\s*\(")
C_TYPES = {"bool": "_Bool", "char": "char", "uchar": "unsigned char", "short": "short", "ushort": "unsigned short", "int": "int",
           "uint": "unsigned int", "unsigned": "unsigned int", "long": "long", "ulong": "unsigned long",
           "longlong": "long long", "ulonglong": "unsigned long long"}


def harness(text, values):
    lines = ["extern void exit(int);", f"static const __int128 table[] = {{{', '.join(values) or '0'}}};",
             f"static unsigned long at; enum {{ count = {len(values)} }};",
             "static __int128 next(void) { if (at >= count) exit(3); return table[at++]; }",
             "void reach_error(void) __attribute__((weak)); void reach_error(void) { exit(107); }",
             "void __VERIFIER_error(void) __attribute__((weak)); void __VERIFIER_error(void) { exit(107); }",
             "void assert(int c) __attribute__((weak)); void assert(int c) { if (!c) exit(107); }",  # without its header
             "void __assert_fail(const char *a, const char *f, unsigned l, const char *n) { exit(107); }",
             "void __VERIFIER_assume(int c) __attribute__((weak)); void __VERIFIER_assume(int c) { if (!c) exit(0); }"]
    for name, kind in sorted(set(NONDET.findall(text))):
        lines.append(f"{C_TYPES[kind]} {name}(void) {{ return ({C_TYPES[kind]})next(); }}")
    return "\n".join(lines) + "\n"


def compiled(file, folder, values, flags):
    text = Path(file).read_text(encoding="utf-8", errors="replace")
    (Path(folder) / "harness.c").write_text(harness(text, values), encoding="utf-8")
    program = str(Path(folder) / "program")
    done = subprocess.run(["gcc", "-x", "c", "-w", "-std=gnu11", "-fwrapv", "-O0", *flags, str(file), str(Path(folder) / "harness.c"),
                           "-o", program], capture_output=True, text=True)
    return (program, "") if done.returncode == 0 else (None, done.stderr[-400:])


def inputs_of(trace):
    values = []
    for step in trace["steps"]:
        own = [v for k, v in step["arguments"].items() if k.startswith("value")]
        values += [str(v) for v in own] * step.get("times", 1)
    return [v if v.lstrip("-").isdigit() else "0" for v in values]


def exit_code(program):
    try:
        return subprocess.run([program], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=10).returncode
    except subprocess.TimeoutExpired:
        return None


def check_file(findings, arguments, file, options):
    before = findings.problems
    text = Path(file).read_text(encoding="utf-8", errors="replace")
    done = subprocess.run([arguments.whittle, "check", str(file), "--json", "--timeout", str(arguments.timeout), "--jobs", "1",
                           *options], capture_output=True, text=True)
    try:
        results = [r for r in json.loads(done.stdout)["results"] if r["kind"] == "assert"]
    except ValueError:
        results = []
    flags = ["-m32"] if "--c-model=ilp32" in options else []
    with tempfile.TemporaryDirectory() as folder:
        for result in results:
            if result["verdict"] != "violated" or result["trace"] is None:
                continue
            program, problem = compiled(file, folder, inputs_of(result["trace"]), flags)
            if program is None:
                findings.problem(file, f"does not compile: {problem}")
                continue
            code = exit_code(program)
            if code != REACHED:
                findings.problem(file, f"the trace of '{result['property']}' ends with {code}, inputs {inputs_of(result['trace'])}")
        if results and all(r["verdict"] == "holds" for r in results) and NONDET.search(text):
            for seed in range(arguments.runs):
                pick = random.Random(seed)
                border = [0, 1, 2, -1, 127, 128, 255, 32767, 2147483647, -2147483648, 4294967295]
                values = [str(pick.choice(border) if pick.random() < 0.5 else pick.randint(-20, 20)) for _ in range(50)]
                program, problem = compiled(file, folder, values, flags)
                if program is None:
                    findings.problem(file, f"does not compile: {problem}")
                    break
                if exit_code(program) == REACHED:
                    findings.problem(file, f"holds, but the inputs {values} reach an error")
    findings.case(before)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whittle", required=True)
    parser.add_argument("--timeout", type=float, default=10)
    parser.add_argument("--runs", type=int, default=5, help="random runs of a program without errors")
    parser.add_argument("files", nargs="*", help="instead of the examples and regression inputs")
    arguments = parser.parse_args()
    findings = Findings("c_execution")
    if shutil.which("gcc") is None:
        findings.skip("there is no gcc")
        return findings.finish()
    files = [Path(f) for f in arguments.files]
    if not files:
        files = [f for folder in FOLDERS for f in sorted((ROOT / folder).glob("*.c"))]
    for file in files:
        check_file(findings, arguments, file, [])
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
