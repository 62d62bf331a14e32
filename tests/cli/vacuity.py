#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Demands that hold for no good reason are noted, and others are not.

Models with planted vacuity in STS, PROC and Rebel, each with the words of the note it must have, and
what a waiver does; then files of the tree that are sound, none of which may have a note.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import ROOT, Findings  # noqa: E402

SYSTEM = """system S
var x, y: Int
node A, B, Far
final node End
start A: {start}
transition go: A -> B (n: Int) when n > 0 && n < 5 then x' == x + n
transition back: B -> A when x > 3 then y' == y + 1
transition never: B -> Far when x < 0 then y' == -1
transition stop: B -> End
{property}
"""


def system(prop, start="x == 0 && y == 0"):
    return "model.sts", SYSTEM.format(start=start, property=prop)


def program(prop, body="x := x + 1; done: skip;", init=""):
    return "model.proc", f"program p\nshared x: Int = 0\nshared y: Int\nprocess P {{ {body} }}\n{init}\n{prop}\n"


def entity(prop, guard="amount > EUR 0.00;", life="initial new -> opened: openUp\n opened -> opened: put\n -> closed: shut\n final closed"):
    return "Entity.ebl", f"""module Entity
specification Entity {{
  fields {{ id: Integer @key  balance: Money  limit: Integer }}
  events {{ openUp[] put[] shut[] lock[] }}
  invariants {{ planted }}
  lifeCycle {{ {life} }}
}}
event openUp() {{ postconditions {{ new this.balance == EUR 1.00; new this.limit == 7; }} }}
event put(amount: Money) {{ preconditions {{ {guard} }} postconditions {{ new this.balance == this.balance + amount; }} }}
event shut() {{ }}
event lock() {{ }}
invariant planted {{ {prop} }}
"""


NEVER = "never happens"
TRUE = "true in every state"
START = "no first state"
# Model and what its note says.
PLANTED = [
    # Left sides that never happen.
    (system("safety p: x < 0 -> y == 9"), NEVER),
    (system("safety p: @Far -> y == 9"), NEVER),
    (system("safety p @Far: y == 9"), NEVER),
    (system("safety p: x >= 0 && (x < -3 -> y > 100)"), NEVER),
    (system("safety p: (@A && x < 0) -> y > 0"), NEVER),
    (system("safety p: !(x == -5) || y == 9"), NEVER),
    (system("safety p: !(x < 0) || y == 9"), "`never` can never happen"),
    (system("safety p: x < 0 -> (y > 5 -> y == 9)"), NEVER),
    # Nothing can make it false.
    (system("safety p: x == x"), TRUE),
    (system("safety p: x > 3 || x <= 3"), TRUE),
    (system("safety p: @A || @B || @Far || @End"), TRUE),
    (system("safety p: x > 5 -> x > 4"), TRUE),
    # Nothing begins.
    (system("safety p: y == 9", "x == 0 && x > y && y > x"), START),
    (program("property p: x < 9", init="init y > 3 && x > y"), START),
    # Processes.
    (program("property p: x < 0 -> y == 7"), NEVER),
    (program("property p: P@done -> x == 1", body="assume x > 3; done: skip;"), NEVER),
    (program("property p: x >= 0 || x < 1"), TRUE),
    # Entities.
    (entity("this.limit > 9 -> this.balance > EUR 5.00;"), NEVER),
    (entity("this.balance < EUR 0.00 -> this.limit == 3;"), NEVER),
    (entity("this.limit == this.limit;"), TRUE),
    (entity("this.limit > 5 || this.limit < 6;"), TRUE),
    (entity("this instate closed -> this.balance > EUR 100.00;",
            life="initial new -> opened: openUp\n opened -> opened: put\n closed -> opened: shut\n final closed"), NEVER),
    # An event that can never happen is what the demand is about.
    (system("transition ghost: A -> End when x < -7 then y' == -3\nsafety p: y >= 0"), "`ghost` can never happen"),
    (entity("this.balance >= EUR 1.00;", guard="amount > EUR 5.00; amount < EUR 1.00;"), "`put` can never happen"),
]
SOUND = 100  # files at least
NOT_SOUND = {"vacuous.sts", "no_state_at_all.sts"}  # regressions that are about this


def results_of(whittle, path, *options, cwd=ROOT):
    done = subprocess.run([whittle, "check", str(path), "--json", "--timeout", "5", *options], capture_output=True,
                          text=True, cwd=cwd, timeout=300)
    return json.loads(done.stdout)["results"]


def look_at_planted(findings, whittle):
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for (name, text), words in PLANTED:
            before = findings.problems
            (folder / name).write_text(text, encoding="utf-8")
            for result in results_of(whittle, name, cwd=folder):
                notes = " ".join(result["notes"])
                if result["verdict"] != "holds" or words not in notes:
                    findings.problem(text, f"{result['property']} {result['verdict']}: no note '{words}', but '{notes}'")
            for result in results_of(whittle, name, "--vacuous", result["property"], cwd=folder):
                if result["notes"]:
                    findings.problem(text, "a note although --vacuous waives it")
            findings.case(before)


def sound_files():
    for file in sorted((ROOT / "examples").rglob("*")):
        if file.suffix in {".sts", ".proc", ".ebl"}:
            yield file
    for language in ("sts", "proc"):
        yield from sorted((ROOT / "tests/regress" / language / "holds").glob(f"*.{language}"))


def look_at_sound(findings, whittle, most):
    looked = 0
    for file in sound_files():
        if file.name in NOT_SOUND or looked >= most:
            continue
        before = findings.problems
        for result in results_of(whittle, file.relative_to(ROOT)):
            if result["verdict"] == "holds" and result["notes"]:
                findings.problem(str(file), f"{result['property']}: {result['notes']}")
        looked += 1
        findings.case(before)
    return looked


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whittle", required=True, help="the program")
    parser.add_argument("--sound", type=int, default=SOUND, help="how many sound files")
    arguments = parser.parse_args()
    whittle = str(Path(arguments.whittle).resolve())
    findings = Findings("vacuity")
    look_at_planted(findings, whittle)
    looked = look_at_sound(findings, whittle, arguments.sound)
    if looked < arguments.sound:
        findings.problem("sound files", f"only {looked} of {arguments.sound}")
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
