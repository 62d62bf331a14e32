#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The simulator in every language: a walk that was saved ends in the same state when it is walked again,
and a trace of `check --json` leads to the state that the report says."""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import Findings  # noqa: E402

CHOICES = """program choices
shared x: Int
shared a: Int[3]
process P[i: 0..1] {
  x := *;
  assume x > 10;
  a[i] := x + 1;
}
property small: a[0] + a[1] < 100 || a[0] < 50
"""
OPEN = """system Open
var x, y: Int
node A
start A: x > 3 && y == 0
transition grow: A -> A (by: Int) when by > 0 then x' > x + by && (y' == x || y' == 7)
safety small: x < 100 || y != 7
"""
MODELS = ["examples/sts/bank_account.sts", "examples/sts/limited_account.sts", "examples/proc/mutex.proc",
          "examples/proc/figure1.proc", "examples/proc/stack.proc", "examples/vmt/elevator.vmt",
          "examples/vmt/thermostat.vmt", "examples/vmt/counter.vmt",
          "examples/rebel/account/AccountTest.tebl", "examples/rebel/account/TransferTest.tebl",
          "examples/rebel/garage/GarageTest.tebl", "examples/rebel/hotel/HotelTest.tebl",
          "examples/rebel/library/LoansTest.tebl", "examples/rebel/shipment/OrderTest.tebl"]


def simulate(whittle, model, commands, *more):
    done = subprocess.run([whittle, "simulate", model, *more], input=commands, capture_output=True,
                          text=True)
    return done.returncode, done.stdout


def last_state(out):
    """What `state` printed after a line that only it follows."""
    return out.rpartition("no command 'mark'")[2].partition("\n")[2]


def check_saved_walk(findings, whittle, model, folder):
    walk = str(Path(folder) / "walk.txt")
    _, out = simulate(whittle, model, f"random 7\nsave {walk}\nmark\nstate\n", "--seed", "3")
    expected = last_state(out)
    script = Path(walk).read_text(encoding="utf-8")
    Path(walk).write_text(script + "mark\nstate\n", encoding="utf-8")
    _, out = simulate(whittle, model, "", "--script", walk)
    if not expected or last_state(out) != expected:
        findings.problem(model, f"the saved walk ends in {last_state(out)!r}, not {expected!r}:\n{script}")
    code, out = simulate(whittle, model, script)
    if code != 0:
        findings.problem(model, f"the saved walk has exit code {code}: {out}")


def check_trace(findings, whittle, model, folder):
    """Says whether there was a trace."""
    done = subprocess.run([whittle, "check", model, "--json", "--timeout", "20"],
                          capture_output=True, text=True)
    report = Path(folder) / "report.json"
    report.write_text(done.stdout, encoding="utf-8")
    found = [r for r in json.loads(done.stdout)["results"] if r["trace"]]
    if not found:
        return False
    code, out = simulate(whittle, model, "mark\nstate\n", "--trace", str(report))
    state = last_state(out)
    if "is not possible" in out or "no such first state" in out:
        findings.problem(model, f"the trace is refused: {out}")
    for key, value in found[0]["trace"]["final"].items():
        wanted = f"at {value}" if key.endswith("@") else f"{key.rpartition('.')[2]} = {value}"
        if wanted not in state:
            findings.problem(model, f"'{wanted}' is not in the last state: {state}")
    code, out = simulate(whittle, model, f"load {report}\n", "--property", found[0]["property"])
    if code != 0:
        findings.problem(model, f"load has exit code {code}: {out}")
    # The walk as a document ends where the trace does, and is a trace again.
    walk = Path(folder) / "walk.json"
    for source in (report, walk):
        code, out = simulate(whittle, model, "", "--trace", str(source), "--json")
        walk.write_text(out, encoding="utf-8")
        walked = json.loads(out).get("walks", []) if code == 0 else []
        if [w["trace"]["final"] for w in walked] != [found[0]["trace"]["final"]]:
            findings.problem(model, f"the walk of {source.name} has exit code {code}: {out[:500]}")
    return True


def check_words(findings, whittle):
    model = "examples/sts/bank_account.sts"
    for command, answer in [("why withdraw amount=70", "amount <= balance does not hold"),
                            ("why withdraw amount=10", "is possible"),
                            ("why withdraw amnt=1", "write NAME=VALUE with amount"),
                            ("start balance=51", "no first state with these values"),
                            ("load /dev/null", "no document of 'check --json' or 'simulate --json'"),
                            ("load missing.json", "'missing.json' cannot be read")]:
        before = findings.problems
        _, out = simulate(whittle, model, command + "\n")
        if answer not in out:
            findings.problem(command, f"'{answer}' is not in {out!r}")
        findings.case(before)


def check_loops(findings, whittle, folder):
    model = Path(folder) / "loops.sts"
    model.write_text("""system Loops
var x: Int
node A
start A: x == 0
transition up: A -> A when x < 2 then x' == x + 1
transition down: A -> A when x > 0 then x' == x - 1
ltl top: <>(x == 2)
ltl low: [](x < 2)
""", encoding="utf-8")
    for commands, answers in [
            ("do up\ndo down\nloop 1\n", ["top: violated", "low: not violated, the run does not refute"]),
            ("do up\nloop 1\n", ["top: not violated, the loop does not come back"]),
            ("do up\nloop 2\n", ["top: not violated, something is possible in the last state"]),
            ("loop 3\n", ["name a step from 1 to 1"])]:
        before = findings.problems
        _, out = simulate(whittle, str(model), commands)
        for answer in answers:
            if answer not in out:
                findings.problem(f"loops: {commands!r}", f"'{answer}' is not in {out!r}")
        findings.case(before)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whittle", required=True, help="the program")
    whittle = str(Path(parser.parse_args().whittle).resolve())
    findings = Findings("simulation")
    traces = 0
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "choices.proc").write_text(CHOICES, encoding="utf-8")
        (Path(folder) / "open.sts").write_text(OPEN, encoding="utf-8")
        for model in [*MODELS, f"{folder}/choices.proc", f"{folder}/open.sts"]:
            before = findings.problems
            check_saved_walk(findings, whittle, model, folder)
            traces += check_trace(findings, whittle, model, folder)
            findings.case(before)
        check_loops(findings, whittle, folder)
    if traces < 8:
        findings.problem("simulation", f"only {traces} models have a trace")
    check_words(findings, whittle)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
