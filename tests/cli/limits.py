#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Limits of time and memory hold at every stage: models that are hard to load, to prepare, to decide
or to write, with tiny limits. The process must end in time, with a complete report and the right exit
code, and leave nobody behind. Judged by processor time (of the process and its workers), because a
machine that is busy with other things makes elapsed time longer, for which there is a slack; and by the
peak of the memory of all processes of the call, shared pages counted once."""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import Findings  # noqa: E402

TIMEOUT = 1.0
GRACE = 1.0  # seconds after the limit
SLACK = 8.0  # seconds more that may pass on a busy machine
JOBS = 2
MEMORY = 150  # megabytes
MEMORY_GRACE = 1.1  # what is used between two looks of those who watch it


def many_variables(count):
    """A loop in which each variable depends on others, of which a few matter."""
    lines = ["system Many"] + [f"var v{i}: Int" for i in range(count)] + ["node A"]
    lines.append("start A: " + " && ".join(f"v{i} >= 0 && v{i} <= {i + 1}" for i in range(count)))
    steps = " && ".join(f"v{i}' == v{i} + v{(i * 7 + 1) % count} - v{(i * 3 + 2) % count}" for i in range(count))
    lines.append(f"transition step: A -> A when v0 <= v1 || v2 <= v3 then {steps}")
    lines.append("safety sum: v0 + v1 + v2 + v3 != 31337")
    return "\n".join(lines) + "\n"


def cases(count):
    """Cases of cases: unions of polyhedra."""
    lines = ["system Cases"] + [f"var v{i}: Int" for i in range(6)] + ["node A"]
    lines.append("start A: " + " && ".join(f"v{i} == 0" for i in range(6)))
    guard = "true"
    for i in range(count):
        guard = f"((v{i % 6} <= d{i % 3} && {guard}) || (v{(i + 1) % 6} >= d{(i + 1) % 3} + {i}))"
    steps = " && ".join(f"v{i}' == v{(i + 1) % 6} + d{i % 3}" for i in range(6))
    lines.append(f"transition step: A -> A (d0: Int, d1: Int, d2: Int) when {guard} then {steps}")
    lines.append("safety far: v0 * v1 != 31337 || v2 * v3 != 271 || v4 < 7")
    return "\n".join(lines) + "\n"


def deep_terms(depth):
    """Let-bound terms that are exponentially large as trees, in VMT."""
    lines = ["(declare-fun x () Int)", "(declare-fun x_n () Int)",
             "(define-fun sx () Int (! x :next x_n))", "(define-fun t0 () Int (+ x 1))"]
    for i in range(depth):
        lines.append(f"(define-fun t{i + 1} () Int (ite (< t{i} {i}) (+ t{i} (* 3 t{i})) (- t{i} x)))")
    lines += ["(define-fun i () Bool (! (= x 0) :init true))",
              f"(define-fun t () Bool (! (= x_n t{depth}) :trans true))",
              "(define-fun p () Bool (! (not (= x 31337)) :invar-property 0))"]
    return "\n".join(lines) + "\n"


def large_file(count):
    """Long to load."""
    lines = ["system Large", "var x: Int", "node A", "start A: x == 0"]
    for i in range(count):
        lines.append(f"transition t{i}: A -> A (d: Int) when d > {i} && x < {i * 3} then x' == x + d * {i} - x")
    lines.append("safety low: x != -31337")
    return "\n".join(lines) + "\n"


def large_product(processes, steps):
    """Processes that interleave: more states than anybody can see."""
    lines = ["program Product"] + [f"shared x{p}: Int = 0" for p in range(processes)]
    for p in range(processes):
        body = " ".join(f"x{p} := x{p} + x{(p + 1) % processes} + {s};" for s in range(steps))
        lines.append(f"process P{p} {{ {body} }}")
    lines.append("property p: " + " + ".join(f"x{p}" for p in range(processes)) + " != 31337")
    return "\n".join(lines) + "\n"


def huge_literals(digits):
    lines = ["system Literals", "var x: Int", "node A", "start A: x == 1"]
    lines.append(f"transition t: A -> A when x < {'9' * digits} then x' == x * {'7' * digits} + {'3' * digits}")
    lines.append(f"safety odd: x != {'8' * digits}")
    return "\n".join(lines) + "\n"


def large_alphabet(count):
    values = ", ".join(f"E{i}" for i in range(count))
    lines = ["system Alphabet", f"enum Sign {{ {values} }}", "var s: Sign", "var n: Int", "node A",
             "start A: s == E0 && n == 0"]
    for i in range(count):
        lines.append(f"transition t{i}: A -> A when s == E{i} then s' == E{(i * 17 + 3) % count} && n' == n + {i}")
    lines.append("safety never: n != 31337133")
    return "\n".join(lines) + "\n"


def large_rebel(events, fields):
    """A specification with many events about money and dates, and a test of two instances."""
    lines = ["module large.Account", "", "specification Account {", "  fields {", "    number: IBAN @key"]
    lines += [f"    m{i}: Money" for i in range(fields)]
    lines += ["  }", "  events {", "    open[]"] + [f"    e{i}[]" for i in range(events)] + ["  }", "  invariants {", "    sum", "  }"]
    lines += ["  lifeCycle {", "    initial new -> opened: open", "    opened -> opened: " + ", ".join(f"e{i}" for i in range(events)),
              "           -> closed: e0", "    final closed", "  }", "}", ""]
    start = " ".join(f"new this.m{i} == EUR {i}.00;" for i in range(fields))
    lines.append(f"event open() {{ postconditions {{ {start} }} }}")
    for i in range(events):
        a, b, c = i % fields, (i * 7 + 1) % fields, (i * 3 + 2) % fields
        lines.append(f"event e{i}(x: Money) {{ preconditions {{ x > EUR {i}.00; this.m{a} - x > EUR 0.00 - this.m{b}; }} "
                     f"postconditions {{ new this.m{a} == this.m{a} + x - this.m{c}; }} }}")
    lines.append("invariant sum { " + " + ".join(f"this.m{i}" for i in range(fields)) + " != EUR 31337.00; }")
    return "\n".join(lines) + "\n"


def long_trace(variables, steps):
    """A trace of many different steps, each of which changes everything."""
    lines = ["system Trace", "var n: Int"] + [f"var v{i}: Int" for i in range(variables)] + ["node A"]
    lines.append("start A: n == 0 && " + " && ".join(f"v{i} == {i}" for i in range(variables)))
    changes = " && ".join(f"v{i}' == 3 * v{i} + 7 * v{(i + 1) % variables} + n" for i in range(variables))
    lines.append(f"transition step: A -> A when n < {steps} then n' == n + 1 && {changes}")
    lines.append(f"safety end: n < {steps} || v0 + v{variables - 1} < 0")
    return "\n".join(lines) + "\n"


def large_invariant(count):
    """The reachable states have no short description."""
    lines = ["system Scattered", "var x: Int", "var y: Int", "node A", "start A: x == 1 && y == 1"]
    for i in range(count):
        lines.append(f"transition t{i}: A -> A when x % {count} == {i} then x' == (x * {2 * i + 3} + {i}) % 8191 && y' == (y * 5 + x) % 61")
    lines.append("safety apart: x != 8190 || y != 60 || x == y")
    return "\n".join(lines) + "\n"


def models(size):
    return {
        "variables.sts": many_variables(100 * size),
        "cases.sts": cases(30),
        "deep.vmt": deep_terms(400 * size),
        "large.sts": large_file(20_000 * size),
        "product.proc": large_product(8, 30 * size),
        "literals.sts": huge_literals(3_000 * size),
        "alphabet.sts": large_alphabet(2_000 * size),
        "Account.ebl": large_rebel(60 * size, 20),
        "trace.sts": long_trace(40 * size, 30),
        "scattered.sts": large_invariant(40 * size),
    }


def expect(findings, condition, place, message):
    if not condition:
        findings.problem(place, message)


def group_is_gone(group):
    """All processes of the call, a moment after it ended."""
    for _ in range(50):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


class MemoryWatch(threading.Thread):
    """The most memory that the processes of a session had together (proportional set size), in megabytes."""

    def __init__(self, session):
        super().__init__(daemon=True)
        self.session = session
        self.peak = 0.0
        self.ended = threading.Event()

    def run(self):
        while True:  # at least once, however soon the process ends
            self.peak = max(self.peak, sum(self.used(p) for p in Path("/proc").iterdir() if p.name.isdigit()))
            if self.ended.wait(0.03):
                return

    def used(self, process):
        try:
            stat = (process / "stat").read_text()
            if int(stat[stat.rindex(")") + 2:].split()[3]) != self.session:
                return 0.0
            lines = (process / "smaps_rollup").read_text().splitlines()
            return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
        except (OSError, ValueError):  # gone meanwhile
            return 0.0

    def finish(self):
        self.ended.set()
        self.join()
        return self.peak


def run(whittle, path, options):
    """(result of the process or None if it had to be ended, processor time, elapsed time, peak memory, nobody is left)"""
    begun = time.monotonic()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen([whittle, "check", str(path), *options], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, start_new_session=True)
    memory = MemoryWatch(process.pid)
    memory.start()
    try:
        out, err = process.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.communicate()
        return None, 0, 0, memory.finish(), True
    elapsed = time.monotonic() - begun
    peak = memory.finish()
    gone = group_is_gone(process.pid)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return subprocess.CompletedProcess(process.args, process.returncode, out.decode(), err.decode()), used, elapsed, peak, gone


def check_report(findings, place, done, in_json):
    expect(findings, done.returncode in (0, 1, 3), place, f"exit code {done.returncode}: {done.stderr[:300]}")
    if not in_json:
        expect(findings, done.stdout.endswith("\n") or (done.returncode == 3 and done.stderr), place, f"no complete text: {done.stdout[-100:]!r}")
        return
    try:
        report = json.loads(done.stdout)
    except ValueError as error:
        expect(findings, False, place, f"no JSON ({error}): {done.stdout[-200:]!r}")
        return
    results = report["results"]
    expect(findings, bool(results) or bool(report["diagnostics"]), place, "an empty report")
    for result in results:
        if result["verdict"] == "unknown":
            expect(findings, bool(result["reason"]), place, "unknown without a reason")
    undecided = not results or any(r["verdict"] == "unknown" for r in results)
    failed = any(r["met"] is False for r in results)
    expect(findings, done.returncode == (1 if failed else 3 if undecided else 0), place, f"exit code {done.returncode} does not fit the report")


def check_limits(findings, whittle, folder, size):
    watched = 0  # calls whose memory was measured
    for name, text in models(size).items():
        path = folder / name
        path.write_text(text)
        for options in (["--json"], [], ["--json", "--memory", str(MEMORY)], ["--json", "--engine", "kinduction"],
                        ["--json", "--total-timeout", str(TIMEOUT), "--timeout", "100"]):
            call = ["--jobs", str(JOBS), *options]
            if "--timeout" not in call:
                call += ["--timeout", str(TIMEOUT)]
            place = f"{name} {' '.join(call)}"
            done, used, elapsed, peak, gone = run(whittle, path, call)
            before = findings.problems
            expect(findings, done is not None, place, "still there after two minutes")
            expect(findings, gone, place, "left processes behind")
            if done is not None:
                # As many processors as there are jobs, and the main process.
                most = (TIMEOUT + GRACE) * (JOBS + 1)
                expect(findings, used <= most, place, f"{used:.2f} s of processor time, {most:.2f} s allowed")
                latest = TIMEOUT + GRACE + SLACK
                expect(findings, elapsed <= latest, place, f"ended after {elapsed:.2f} s, {latest:.2f} s allowed")
                if "--memory" in call:
                    expect(findings, 0 < peak <= MEMORY * MEMORY_GRACE, place, f"{peak:.0f} MB at the peak, {MEMORY} MB allowed")
                    watched += 1
                check_report(findings, place, done, "--json" in call)
            findings.case(before)
    expect(findings, watched == len(models(size)), "limits", f"the memory of {watched} calls was measured")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whittle", required=True)
    parser.add_argument("--size", type=int, default=1, help="of the models")
    arguments = parser.parse_args()
    findings = Findings("limits")
    with tempfile.TemporaryDirectory() as folder:
        check_limits(findings, arguments.whittle, Path(folder), arguments.size)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
