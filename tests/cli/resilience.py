#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whatever happens to worker processes, verdicts stay right: they are killed at random moments, get
little memory, are interrupted; nobody is left behind, and neither is any file."""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import Findings  # noqa: E402

# Two questions that need a race (no engine answers at once), with the right verdicts.
MODEL = """system Work
var x: Int
var y: Int
node A
start A: x == 0 && y == 0
transition up: A -> A (d: Int) when d > 0 && d < 5 then x' == x + d && y' == y + d
transition down: A -> A when x > 3 then x' == x - 1 && y' == y - 1
safety together: x == y
safety small: x < 400
"""
RIGHT = {"together": "holds", "small": "violated"}
# Every engine starts in a worker: the quick ones get no time of their own.
CALL = ["--auto-presolve", "0", "--json", "--timeout", "120"]


def children(process):
    """Process ids of the workers."""
    try:
        return [int(p) for p in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []


def verdicts(out):
    return {result["property"]: result["verdict"] for result in json.loads(out)["results"]}


def alive(pid):
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def check_kills(findings, whittle, model, runs, seed):
    dice = random.Random(seed)
    for number in range(runs):
        before = findings.problems
        place = f"run {number}"
        process = subprocess.Popen([whittle, "check", model, *CALL, "--jobs", "2"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        left = dice.randint(1, 4)
        end = time.time() + 100
        while process.poll() is None and left > 0 and time.time() < end:
            time.sleep(dice.random() * 0.06)
            workers = children(process.pid)
            if not workers:
                continue
            try:
                os.kill(dice.choice(workers), dice.choice([signal.SIGKILL, signal.SIGSEGV]))
                left -= 1
            except ProcessLookupError:
                pass
        out, error = process.communicate(timeout=200)
        if process.returncode != 1:
            findings.problem(place, f"exit code {process.returncode}: {error}")
        elif verdicts(out) != RIGHT:
            findings.problem(place, f"{verdicts(out)}: {error}")
        findings.case(before)


def check_memory(findings, whittle, model):
    for limit in ("200", "120"):
        before = findings.problems
        done = subprocess.run([whittle, "check", model, "--memory", limit, "--json", "--timeout", "20"],
                              capture_output=True, text=True)
        if done.returncode not in (0, 1, 3):
            findings.problem(f"--memory {limit}", f"exit code {done.returncode}: {done.stderr}")
        else:
            for result in json.loads(done.stdout)["results"]:
                right = RIGHT[result["property"]]
                if result["verdict"] not in (right, "unknown"):
                    findings.problem(f"--memory {limit}", f"{result['property']} {result['verdict']}")
                if result["verdict"] == "unknown" and not result["reason"]:
                    findings.problem(f"--memory {limit}", "unknown without a reason")
        findings.case(before)


def check_interrupt(findings, whittle, folder):
    """The verdicts so far, nobody left behind, no file left behind."""
    before = findings.problems
    endless = Path(folder) / "endless.sts"
    endless.write_text("system Endless\nvar x: Int\nvar y: Int\nnode A\nstart A: x == 3 && y == 5\n"
                       "transition t: A -> A (d: Int) when d > 2 then x' == x * d + y && y' == y * y + d\n"
                       "reach start: x == 3 within 2\nsafety odd: x * x + y * y != 1000003\n")
    own = Path(folder) / "tmp"
    own.mkdir()
    process = subprocess.Popen([whittle, "check", str(endless), *CALL], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True,
                               env={**os.environ, "TMPDIR": str(own)})
    end = time.time() + 30
    workers = []
    while len(workers) < 1 and time.time() < end and process.poll() is None:
        time.sleep(0.05)
        workers = children(process.pid)
    time.sleep(0.3)
    workers = set(workers) | set(children(process.pid))
    process.send_signal(signal.SIGTERM)
    try:
        out, error = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        out, error = process.communicate()
        findings.problem("interrupt", "does not end")
    if process.returncode == 3:
        found = verdicts(out)
        if found.get("start") != "reachable" or found.get("odd") != "unknown":
            findings.problem("interrupt", f"{found}: {error}")
    else:
        findings.problem("interrupt", f"exit code {process.returncode}: {error}")
    time.sleep(0.2)
    orphans = [pid for pid in workers if alive(pid)]
    if orphans:
        findings.problem("interrupt", f"left behind: {orphans}")
    if list(own.iterdir()):
        findings.problem("interrupt", f"files left behind: {list(own.iterdir())}")
    findings.case(before)


def check_same(findings, whittle, model):
    """One job at a time: the same verdicts, engines and traces every time. How much work was done
    before (`solver_calls`, `statistics`) is a measurement like the time: it depends on how far an
    engine got that was stopped."""
    before = findings.problems
    measured = ("seconds", "solver_calls", "statistics")

    def report():
        done = subprocess.run([whittle, "check", model, "--jobs", "1", "--json"], capture_output=True,
                              text=True)

        def plain(value):
            if isinstance(value, dict):
                return {k: plain(v) for k, v in value.items()
                        if k not in measured}
            return [plain(v) for v in value] if isinstance(value, list) else value
        return plain(json.loads(done.stdout))

    first, second = report(), report()
    if first != second:
        findings.problem("--jobs 1", f"two reports differ: {first} {second}")
    findings.case(before)


def check_record(findings, whittle, model, folder):
    """Enough is kept to repeat the run."""
    before = findings.problems
    kept = Path(folder) / "kept"
    subprocess.run([whittle, "check", model, "--record", str(kept), "--auto-presolve", "0"],
                   capture_output=True, text=True)
    for name in ("command.txt", "versions.txt", "log.txt"):
        if not (kept / name).is_file() or not (kept / name).read_text():
            findings.problem("--record", f"there is no {name}")
    if model not in (kept / "command.txt").read_text():
        findings.problem("--record", "the command is not the one that was given")
    for name in RIGHT:
        own = [path for path in kept.iterdir() if path.name.endswith("." + name)]
        if not own or not list(own[0].glob("slice/*.sts")):
            findings.problem("--record", f"there is no slice of {name}")
        elif not list(own[0].rglob("*.smt2")):
            findings.problem("--record", f"there are no queries of {name}")
    unwritable = subprocess.run([whittle, "check", model, "--record", "/dev/null/x"],
                                capture_output=True, text=True)
    if unwritable.returncode != 2 or "cannot be written" not in unwritable.stderr:
        findings.problem("--record", f"exit code {unwritable.returncode}: {unwritable.stderr}")
    findings.case(before)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whittle", required=True)
    parser.add_argument("--runs", type=int, default=8)
    arguments = parser.parse_args()
    findings = Findings("resilience")
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "work.sts"
        model.write_text(MODEL)
        check_kills(findings, arguments.whittle, str(model), arguments.runs, 7)
        check_memory(findings, arguments.whittle, str(model))
        check_interrupt(findings, arguments.whittle, folder)
        check_same(findings, arguments.whittle, str(model))
        check_record(findings, arguments.whittle, str(model), folder)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
