#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Models with one fault each, and the same models with the fault repaired: `whittle lint` finds exactly
the fault, and nothing at all in the repaired one. What is found is the name of a check or the id of a
warning."""

import argparse
import collections
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import Findings  # noqa: E402

SECONDS = 300  # for one run
ATLEAST = 30

DOOR = """system Door
enum Key { RED, BLUE }
var x: Int
var y: Int
var key: Key
node Shut, Ajar
final node Gone
start Shut: x == 0 && y == 3 && key == RED
transition open: Shut -> Ajar when x < 5 then x' == x + 1
transition close: Ajar -> Shut when key == RED then y' == 3
transition paint: Ajar -> Ajar (k: Key) when k != key then key' == k
transition leave: Ajar -> Gone when x >= 1 then x' == 0
transition fall: Shut -> Gone when x >= 5
"""
TURNS = """program turns
const LAST = 2
shared turn: Int = 0
shared free: Bool = false
shared a: Int[3] = 0
process P {
  while (turn < LAST) {
    a[turn] := turn + 2;
    if (turn < 1 && a[0] > 1) { a[2] := 6 / a[0]; }
    turn := turn + 1;
  }
  lock free;
  unlock free;
}
process Q {
  lock free;
  assume turn == LAST;
  assert a[2] == 3;
  unlock free;
}
"""
SHOP = """module shop
specification Order {
  fields { number: Integer @key total: Money parts: Integer share: Integer }
  events { place[] pay[] split[] send[] cancel[] }
  lifeCycle {
    initial new -> placed: place
    placed -> placed: split
           -> paid: pay
           -> cancelled: cancel
    paid -> sent: send
    final sent
    final cancelled
  }
}
event place(total: Money) {
  preconditions { total > EUR 0.00; total < EUR 900.00; }
  postconditions { new this.total == total; new this.parts == 2; new this.share == 0; }
}
event split(parts: Integer) {
  preconditions { parts > 0; this.parts > 0; }
  postconditions { new this.share == 10 / this.parts; new this.parts == parts; }
}
event pay(amount: Money) {
  preconditions { amount == this.total; }
  postconditions { new this.total == this.total - amount; }
}
event send() { preconditions { this.total == EUR 0.00; } }
event cancel() { preconditions { this.parts >= 1; } }
"""
COUNTER = """(declare-fun x () Int)
(declare-fun x.next () Int)
(declare-fun up () Bool)
(define-fun .x () Int (! x :next x.next))
(define-fun init () Bool (! (= x 0) :init true))
(define-fun trans () Bool (! (ite up (and (< x 5) (= x.next (+ x 1))) (= x.next 0)) :trans true))
(define-fun small () Bool (! (<= 0 x 5) :invar-property 0))
"""
MODELS = {"sts": DOOR, "proc": TURNS, "ebl": SHOP, "vmt": COUNTER}

Fault = collections.namedtuple("Fault", "language right wrong found")
FAULTS = {
    # STS
    "a guard that no reachable value satisfies": Fault(
        "sts", "when x >= 1 then x' == 0", "when x >= 9 then x' == 0", ["transition leave"]),
    "a guard that contradicts itself": Fault(
        "sts", "when x >= 1 then", "when x >= 3 && x < 2 then", ["transition leave", "sts-019"]),
    "an effect without a next value": Fault(
        "sts", "when key == RED then y' == 3", "when key == RED then y == 4",
        ["sts-018", "transition close", "relation of close", "transition fall"]),
    "an effect that contradicts itself": Fault(
        "sts", "then y' == 3", "then y' == 3 && y' < y",
        ["transition close", "relation of close", "transition fall"]),
    "an effect that is impossible later": Fault(
        "sts", "then key' == k", "then key' == k && y' == y - 1 && y' >= 1", ["relation of paint"]),
    "a division by what becomes zero": Fault(
        "sts", "then key' == k", "then key' == k && y' == y - 1 && x' == x / y",
        ["relation of paint", "node Ajar"]),
    "nothing left to do": Fault(
        "sts", "Shut -> Gone when x >= 5", "Shut -> Gone when x > 5",
        ["transition fall", "node Shut"]),
    "a start that nothing satisfies": Fault(
        "sts", "start Shut: x == 0", "start Ajar: x > 3 && x < 4\nstart Shut: x == 0",
        ["start Ajar", "sts-019"]),
    "a start that only a solver refutes": Fault(
        "sts", "start Shut: x == 0", "start Ajar: x * x == 3\nstart Shut: x == 0",
        ["start Ajar"]),
    "a node that nothing leads to": Fault(
        "sts", "final node Gone", "final node Gone\nnode Lost\ntransition find: Lost -> Gone",
        ["transition find", "sts-012"]),
    "a property that is wrong": Fault(
        "sts", "transition fall", "safety low: x < 5\ntransition fall", ["low"]),
    "a constraint that is wrong": Fault(
        "sts", "transition fall", "constraint Ajar: y <= 2\ntransition fall", ["constraint Ajar"]),
    # PROC
    "waiting for a turn that never comes": Fault(
        "proc", "turn == LAST;", "turn == LAST + 1;",
        ["node P.line 12", "node Q.line 17", "transition Q.assert a[2] == 3",
         "transition Q.assume turn == LAST + 1", "transition Q.unlock free"]),
    "a condition that contradicts itself": Fault(
        "proc", "turn < 1 && a[0] > 1", "turn < 1 && turn > 1",
        ["assert at line 18", "node P.line 12", "proc-022", "transition P.a[2] := 6 / a[0]",
         "transition P.if (turn < 1 && turn > 1)", "transition Q.assert a[2] == 3",
         "transition Q.unlock free"]),
    "an index out of range": Fault("proc", "a[turn] := turn + 2;", "a[turn + 2] := turn + 2;",
        ["bounds", "node Q.line 17", "transition P.a[2] := 6 / a[0]",
         "transition P.if (turn < 1 && a[0] > 1)", "transition P.lock free",
         "transition P.unlock free", "transition P.while (turn < LAST) else",
         "transition Q.assert a[2] == 3", "transition Q.assume turn == LAST",
         "transition Q.unlock free"]),
    "a division by zero": Fault("proc", "6 / a[0]", "6 / (a[0] - 2)",
        ["division", "node Q.line 17", "transition P.a[2] := 6 / (a[0] - 2)",
         "transition P.if (turn < 1 && a[0] > 1) else", "transition P.lock free",
         "transition P.turn := turn + 1", "transition P.unlock free",
         "transition P.while (turn < LAST) else", "transition Q.assert a[2] == 3",
         "transition Q.assume turn == LAST", "transition Q.unlock free"]),
    "an assertion that fails": Fault("proc", "a[2] == 3;", "a[2] == 4;",
        ["assert at line 18", "node P.line 12", "transition Q.assert a[2] == 4",
         "transition Q.unlock free"]),
    "a lock that is not returned": Fault(
        "proc", "assert a[2] == 3;\n  unlock free;", "assert a[2] == 3;", ["node P.line 12"]),
    "two that wait for each other": Fault(
        "proc", "  while (turn < LAST) {", "  lock free;\n  unlock free;\n  while (turn < LAST) {",
        ["node P.line 7", "node Q.line 19"]),
    "a branch that is never taken": Fault(
        "proc", "assert a[2] == 3;", "assert a[2] == 3;\n  if (turn < 0) { turn := 0; }",
        ["transition Q.if (turn < 0)", "transition Q.turn := 0"]),
    # Rebel
    "an event that can never happen": Fault(
        "ebl", "this.parts >= 1", "this.parts < 0", ["transition cancel"]),
    "an order that is stuck": Fault(
        "ebl", "this.total == EUR 0.00", "this.total == EUR 0.00; this.parts > 1", ["node paid"]),
    "preconditions that exclude each other": Fault(
        "ebl", "total < EUR 900.00", "total < EUR 0.00",
        ["rebel-093", "node new", "transition place", "transition cancel", "transition pay",
         "transition send", "transition split"]),
    "money of two currencies": Fault(
        "ebl", "total < EUR 900.00", "total < USD 900.00",
        ["rebel-092", "node new", "transition place", "transition cancel", "transition pay",
         "transition send", "transition split"]),
    "a sum of two currencies": Fault(
        "ebl", "this.total - amount", "this.total - USD 1.00",
        ["rebel-092", "relation of pay", "transition pay", "transition send"]),
    "a forgotten new": Fault(
        "ebl", "{ new this.total == this.total - amount; }",
        "{ this.total == this.total - amount; }",
        ["rebel-088", "transition pay", "transition send"]),
    "a division by zero in an effect": Fault(
        "ebl", "parts > 0; this.parts > 0;", "parts >= 0;", ["relation of split"]),
    "cases that are missing": Fault(
        "ebl", "new this.share == 10 / this.parts;",
        "case this.parts { 1 => new this.share == 1; 2 => new this.share == 2; };",
        ["relation of split"]),
    "a state that is never entered": Fault(
        "ebl", "    final sent\n", "    lost -> sent: send\n    final sent\n",
        ["rebel-089", "transition send (lost -> sent)"]),
    # VMT-LIB
    "a state without a step": Fault(
        "vmt", "(= x.next 0))", "(and (< x 5) (= x.next 0)))", ["node state"]),
    "a bound that is too small": Fault("vmt", "(<= 0 x 5)", "(<= 0 x 4)", ["small"]),
    "a first state that does not exist": Fault(
        "vmt", "(= x 0) :init", "(and (= x 0) (> x 0)) :init", ["init", "transition step"]),
}


def lint(whittle, folder, texts):
    """What is found in each text: checks that are not met or not decided, and ids of messages."""
    files = {}
    for name, (language, text) in texts.items():
        files[name] = folder / f"model{len(files)}.{language}"
        # Rebel wants the name of the file as the name of the module.
        files[name].write_text(text.replace("module shop", f"module {files[name].stem}"))
    done = subprocess.run([whittle, "lint", "--json", *files.values()], capture_output=True,
                          text=True, timeout=SECONDS)
    document = json.loads(done.stdout)
    found = {str(file): set() for file in files.values()}
    looked_at = collections.Counter()
    for result in document["results"]:
        looked_at[result["file"]] += 1
        if result["met"] is not True:
            what = "undecided: " if result["verdict"] == "unknown" else ""
            found[result["file"]].add(what + result["property"])
    for message in document["diagnostics"]:
        found[message["file"]].add(message["id"])
    return {name: found[str(file)] if looked_at[str(file)] else {"nothing was looked at"}
            for name, file in files.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whittle", required=True, help="the program")
    arguments = parser.parse_args()
    findings = Findings("lint_faults")
    texts = {f"repaired {language}": (language, text) for language, text in MODELS.items()}
    expected = {name: set() for name in texts}
    for name, fault in FAULTS.items():
        right = MODELS[fault.language]
        if right.count(fault.right) != 1:
            findings.problem(name, f"'{fault.right}' does not stand in the model exactly once")
        texts[name] = (fault.language, right.replace(fault.right, fault.wrong))
        expected[name] = set(fault.found)
        if not fault.found:
            findings.problem(name, "a fault that nothing shows")
    if len(FAULTS) < ATLEAST:
        findings.problem("faults", f"fewer than {ATLEAST}")
    findings.case(0)
    with tempfile.TemporaryDirectory() as folder:
        found = lint(arguments.whittle, Path(folder), texts)
    for name in texts:
        before = findings.problems
        if found[name] != expected[name]:
            findings.problem(name, f"found {sorted(found[name])}, expected {sorted(expected[name])}")
        findings.case(before)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
