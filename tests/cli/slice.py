#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`whittle slice` and `whittle explain` as people use them: what is printed, drawn and written, and
that a written slice is a model like any other with the same answers."""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "corpus"))
from findings import ROOT, Findings  # noqa: E402
from run import corpus  # noqa: E402

EXAMPLES = ROOT / "examples"
TRANSFER = EXAMPLES / "rebel/account/TransferTest.tebl"

# The machine of figure 9 of Eilers 2018: the slice is s1, s3, s4 and t4.
FIGURE_9 = """system Figure9
var x: Int
node s1, s2, s3, s4
start s1: x == 0
transition t1: s1 -> s2
transition t2: s2 -> s3
transition t3: s2 -> s4
transition t4: s4 -> s3
  then x' == 1
reach goal: @s3 && x == 1 within 10
"""

# Figures 4, 8 and 9 of Dwyer and Hatcliff 1999: model, criterion, slice without its header.
WRITER = "{WriterPresent}"
FLOWCHARTS = [
    ("power", "([loop.2],{n})", """(n) (init)

init:
  goto test;                            [2]

test:
  if <(n 1)                             [1]
     then end
     else loop;

loop:
  n := -(n 1);                          [2]
  goto test;                            [3]

end:
  return;                               [1]
"""),
    ("readers_writers_consistent",
     " ".join(f"([{place}],{WRITER})" for place in (
         "start-read.1", "attempt-start-read.1", "start-read.2", "init.3", "start-write.1",
         "stop-write.1")), """(reqs) (init)

init:
  req := 0;                                           [1]
  ActiveReaders := 0;                                 [2]
  WriterPresent := 0;                                 [3]
  goto check-reqs;                                    [5]

check-reqs:
  if (null? reqs)                                     [1]
     then end
     else next-req;

next-req:
  req := (car reqs);                                  [1]
  reqs := (cdr reqs);                                 [2]
  goto attempt-start-read;                            [3]

attempt-start-read:
  if (req=1 and WriterPresent=0)                      [1]
     then start-read
     else attempt-stop-read;

attempt-stop-read:
  if (req=2 and ActiveReaders>0)                      [1]
     then stop-read
     else attempt-start-write;

attempt-start-write:
  if (req=3 and ActiveReaders=0 and WriterPresent=0)  [1]
     then start-write
     else attempt-stop-write;

attempt-stop-write:
  if (req=4 and WriterPresent=1)                      [1]
     then stop-write
     else check-reqs;

end:
  return;                                             [1]

start-read:
  ActiveReaders := ActiveReaders+1;                   [1]
  goto check-reqs;                                    [2]

stop-read:
  ActiveReaders := ActiveReaders-1;                   [1]
  goto check-reqs;                                    [2]

start-write:
  WriterPresent := 1;                                 [1]
  goto check-reqs;                                    [2]

stop-write:
  WriterPresent := 0;                                 [1]
  goto check-reqs;                                    [2]

input reqs: list of 1..4
"""),
    ("readers_writers", "([check-reqs.1],{}) ([init.5],{}) ([end.1],{}) ([next-req.1],{})",
     """(reqs) (init)

init:
  goto check-reqs;                      [5]

check-reqs:
  if (null? reqs)                       [1]
     then end
     else next-req;

next-req:
  skip;                                 [1]
  reqs := (cdr reqs);                   [2]
  goto check-reqs;                      [3]

end:
  return;                               [1]

input reqs: list of 1..4
"""),
]

FIGURE_COUNTS = ["machines", "locations", "variables", "transitions", "effects", "synchronisations"]


class Program:
    def __init__(self, path):
        self.path = str(Path(path).resolve())

    def __call__(self, *arguments, cwd=ROOT):
        return subprocess.run([self.path, *map(str, arguments)], capture_output=True, text=True,
                              cwd=cwd)


def expect(findings, place, text, present=(), absent=()):
    for part in present:
        if part not in text:
            findings.problem(place, f"should contain {part!r}:\n{text}")
    for part in absent:
        if part in text:
            findings.problem(place, f"should not contain {part!r}:\n{text}")


def check_text(findings, whittle):
    """Comments and annotations of what is kept stay."""
    done = whittle("slice", TRANSFER, "-p", "received")
    expect(findings, "slice received", done.stdout,
           ["specification Transfer", "specification Account", "carryOut", "@key",
            "An order to move money", "A current account",
            "Both accounts must be in use", "2 of 2 machines", "transitions", "synchronisations"],
           ["event refuse", "event block()", "final closed"])
    if done.returncode != 0:
        findings.problem("slice received", f"exit code {done.returncode}: {done.stderr}")


def check_json(findings, whittle):
    done = whittle("slice", TRANSFER, "-p", "received", "--json")
    document = json.loads(done.stdout)
    problems = list(schema().iter_errors(document))
    if problems:
        findings.problem("slice --json", f"schema: {problems[0].message}")
    result = document["slices"][0]
    figures = result["slice"]
    for name in FIGURE_COUNTS:
        kept, every = figures[name]
        if not 0 < kept <= every:
            findings.problem("slice --json", f"{name}: {kept} of {every}")
    if figures["seconds"] < 0 or result["property"] != "received" or figures["mode"] != "fine":
        findings.problem("slice --json", done.stdout)
    names = {m["machine"]: m for m in result["kept"]}
    if set(names) != {"Transfer", "Account"} or "withdraw" not in names["Account"]["events"]:
        findings.problem("slice --json", f"kept: {result['kept']}")
    # Per machine, and the sums are those of the whole.
    for name in FIGURE_COUNTS[1:]:
        for side in (0, 1):
            total = sum(m["figures"][name][side] for m in result["per_machine"])
            if total != figures[name][side]:
                findings.problem("slice --json", f"{name}: the machines have {total}, "
                                                 f"the slice {figures[name][side]}")


SIMPLIFIED = """system Simplified
var x, limit: Int
node P
start P: x == 0 && limit == 3
transition up: P -> P (d: Int) when d > 0 && x < limit then x' == x + 1
safety small: x <= limit
"""


def check_preparation(findings, whittle, folder):
    """What is shown is what `check` decides: figures, texts and explanations after simplifying."""
    model = folder / "simplified.sts"
    model.write_text(SIMPLIFIED)
    shown = whittle("slice", model).stdout
    expect(findings, "slice of constants", shown, ["// simplified: 1 name for a value of others, 1 eliminated input", "x < 3"],
           ["when d > 0", "var x, limit"])
    expect(findings, "slice --explain", whittle("slice", model, "--explain").stdout,
           ["simplified: 1 name"])
    expect(findings, "explain", whittle("explain", model, "d").stdout,
           ["what is left after simplifying does not have it"])
    expect(findings, "slice without", whittle("slice", model, "--refine", "off").stdout,
           ["d > 0"], ["input"])
    if "limit" in whittle("export", model, "--to", "smv").stdout:
        findings.problem("export of constants", "the constant is still there")
    for file in [model, *sorted(EXAMPLES.glob("sts/*.sts")), *sorted(EXAMPLES.glob("vmt/*.vmt")),
                 *sorted(EXAMPLES.glob("proc/*.proc"))]:
        slices = json.loads(whittle("slice", file, "--json").stdout)["slices"]
        checked = json.loads(whittle("check", file, "--json", "--timeout", 5).stdout)["results"]
        for one, result in zip(slices, checked):
            place = f"{file.name}: {one['property']}"
            for name in FIGURE_COUNTS[:-1]:
                if one["slice"][name] != result["slice"][name]:
                    findings.problem(place, f"{name}: slice {one['slice'][name]}, check {result['slice'][name]}")
            for name in ("constants", "guards", "inputs", "locations"):
                did = (one["simplified"] or {}).get(name, 0)
                if did != result["statistics"].get(f"refine.{name}", 0):
                    findings.problem(place, f"{name}: slice {did}, check {result['statistics']}")


def check_drawings(findings, whittle):
    done = whittle("slice", TRANSFER, "-p", "received", "--dot")
    expect(findings, "slice --dot", done.stdout, ["digraph", "opened", "blocked", "withdraw"])
    if shutil.which("dot"):
        done = whittle("slice", TRANSFER, "-p", "received", "--svg")
        expect(findings, "slice --svg", done.stdout, ["<svg", "</svg>", "opened"])


def schema():
    content = json.loads((ROOT / "src/report/schema.json").read_text())
    return jsonschema.validators.validator_for(content)(content)


def answers(whittle, file, *options):
    """(verdict, depth) by property."""
    output = json.loads(whittle("check", "--json", file, *options).stdout)
    return {r["property"]: (r["verdict"], r["depth"]) for r in output["results"]}


def check_written(findings, whittle, folder):
    """Files in a folder of one's own, by default in `slices` beside the model; same answers."""
    for file, names in [("rebel/account/TransferTest.tebl", ["received", "refusedBecauseBlocked"]),
                        ("rebel/account/AccountTest.tebl", ["emptied", "overdrawn"]),
                        ("rebel/library/LoansTest.tebl", ["everythingLent"]),
                        ("sts/bank_account.sts", ["broke", "lost", "nonNegative"])]:
        original = EXAMPLES / file
        expected = answers(whittle, original)
        for name in names:
            target = folder / f"{Path(file).stem}-{name}"
            done = whittle("slice", original, "-p", name, "-o", target)
            written = [Path(line) for line in done.stdout.splitlines()]
            # A system is written under its name, a test module under the name of its file.
            model = [f for f in written if f.suffix == original.suffix]
            if done.returncode != 0 or len(model) != 1 or not model[0].is_file():
                findings.problem(f"slice {file} -o", f"{done.stdout}{done.stderr}")
                continue
            actual = answers(whittle, model[0], "-p", name)
            if actual.get(name) != expected[name]:
                findings.problem(f"slice {file} for {name}",
                                 f"{actual.get(name)}, the model {expected[name]}")
            again = whittle("slice", model[0], "-p", name)
            if again.returncode != 0:
                findings.problem(f"slice of the slice {file} for {name}", again.stderr)
    beside = folder / "account"
    shutil.copytree(EXAMPLES / "rebel/account", beside)
    done = whittle("slice", beside / "TransferTest.tebl", "-p", "received", "--write")
    if done.returncode != 0 or not list(beside.glob("slices/**/Transfer.ebl")):
        findings.problem("slice --write", f"nothing in slices/: {done.stdout}{done.stderr}")


def check_figures(findings, whittle, folder):
    """Figure 9 becomes figure 10, and figure 11 with shortcuts."""
    model = folder / "figure9.sts"
    model.write_text(FIGURE_9)
    done = whittle("slice", model)
    expect(findings, "figure 10", done.stdout,
           [f"transition t{i}:" for i in (1, 2, 3, 4)] + [f"s{i}" for i in (1, 2, 3, 4)])
    done = whittle("slice", model, "--slice", "amorphous")
    expect(findings, "figure 11", done.stdout, ["shortcut", "transition t4: s4 -> s3"],
           ["transition t1", "transition t2", "transition t3", "s2"])
    # A way with a condition is no shortcut: the model could be unable to take it.
    model.write_text(FIGURE_9.replace("transition t3: s2 -> s4", "transition t3: s2 -> s4 when x > 1"))
    done = whittle("slice", model, "--slice", "amorphous")
    expect(findings, "figure 11 with a condition", done.stdout,
           ["transition t1", "transition t3"], ["shortcut"])


def check_flowcharts(findings, whittle):
    """Slices for a criterion are those of the paper, byte for byte."""
    for model, criterion, figure in FLOWCHARTS:
        done = whittle("slice", EXAMPLES / f"fcl/{model}.fcl", "--criterion", criterion)
        printed = done.stdout.split("\n", 2)[2] if done.returncode == 0 else done.stderr
        if printed != figure:
            findings.problem(f"{model} for {criterion}", f"is not the figure:\n{printed}")
    power = EXAMPLES / "fcl/power.fcl"
    for criterion, message in [("([loop.9],{n})", "'[loop.9]' is nothing in the model"),
                               ("([loop.2],{q})", "'q' is nothing in the model"),
                               ("loop", "no list of pairs")]:
        done = whittle("slice", power, "--criterion", criterion)
        expect(findings, f"--criterion {criterion}", done.stderr, [message])
        if done.returncode != 2:
            findings.problem(f"--criterion {criterion}", f"exit code {done.returncode}")
    done = whittle("slice", power, "--criterion", "([loop.2],{n})", "--json")
    problems = list(schema().iter_errors(json.loads(done.stdout)))
    if problems:
        findings.problem("--criterion --json", f"schema: {problems[0].message}")


def check_explanations(findings, whittle):
    def explained(name, question="received"):
        return whittle("explain", TRANSFER, name, "-p", question).stdout

    expect(findings, "explain balance", explained("balance"),
           ["`Account.balance` is needed for `received`:\n",
            "  The question asks about `Account.balance` at `opened`.\n"],
           ["balance.amount", "currency"])
    expect(findings, "explain withdraw", explained("withdraw"),
           ["`Account.withdraw` sets it in `new this.balance == this.balance - amount`."])
    expect(findings, "explain block", explained("block"),
           ["`Account.block` is not needed for `received`."])
    expect(findings, "explain refuse", explained("withdraw", "refusedBecauseBlocked"),
           ["`Transfer.refuse` lies on a way to `Transfer` at `refused`.",
            "`Transfer.refuse` happens only where `Account.withdraw` cannot"],
           ["@doc", "happens together"])
    done = whittle("explain", TRANSFER, "blance", "-p", "received")
    expect(findings, "explain blance", done.stderr, ["is nothing in the model", "did you mean"])
    if done.returncode != 2:
        findings.problem("explain blance", f"exit code {done.returncode}")
    done = whittle("slice", TRANSFER, "-p", "received", "--explain")
    expect(findings, "slice --explain", done.stdout,
           ["+     balance: Money    // The question asks about", "-     blocked -> opened: unblock",
            "+ event withdraw"])
    # What the slice leaves out inside an event that stays is marked as going, and a line of which
    # only a part stays as such.
    limited = "examples/rebel/library/LoansTest.tebl"
    done = whittle("slice", limited, "-p", "greedy", "--explain")
    expect(findings, "slice --explain LoansTest", done.stdout,
           ["-     new this.due ==", "~     lent"], ["+     new this.due =="])


def check_river(findings, whittle):
    """Who crosses needs the farmer: the passengers cannot row."""
    models = corpus()
    river = models / "rebel/rivercrossing/Problem.tebl" if models else None
    if river is None or not river.is_file():
        return
    done = whittle("slice", river, "--json")
    kept = [m["machine"] for m in json.loads(done.stdout)["slices"][0]["kept"]]
    if not any("farmer" in name.lower() for name in kept):
        findings.problem("rivercrossing", f"kept: {kept}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whittle", required=True, help="the program")
    whittle = Program(parser.parse_args().whittle)
    findings = Findings("slice_commands")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for check, more in [(check_text, ()), (check_json, ()), (check_drawings, ()),
                            (check_written, (folder,)), (check_preparation, (folder,)),
                            (check_figures, (folder,)), (check_flowcharts, ()),
                            (check_explanations, ()), (check_river, ())]:
            before = findings.problems
            check(findings, whittle, *more)
            findings.case(before)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
