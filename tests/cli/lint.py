#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `whittle lint` finds in every example. Each finding was confirmed by reading the model: what is
said beside it is the fault. Anything else that is found is a fault of the example or a false alarm.
Undecided is allowed only where HARD says so."""

import argparse
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import ROOT, Findings  # noqa: E402

ENDINGS = {".sts", ".proc", ".vmt", ".ebl", ".tebl"}
SECONDS = 400  # for one run
INVALID = ["invalid"]  # the systems of the survey are there to be refuted
CONSTRAINED = {f"sts/constraints/{name}.sts": INVALID
               for name in ["bank_account", "bank_account_with_interest", "linear_loan",
                            "money_movement", "non_interest_loan", "triangle_of_nodes"]}
SURVEY = {f"sts/survey/{name}.sts": INVALID
          for name in ["account_holder", "bank_account", "bank_account_with_interest", "linear_loan",
                       "money_movement", "non_interest_loan", "transfer", "triangle_of_nodes"]}
FOUND = {
    "proc/figure1.proc": ["notTwelve"],
    "proc/indexer.proc": ["noCollision"],
    # Slow waits for its own copy of `top`; three processes want two cells, and only one returns any.
    "proc/stack.proc": ["once", "node Slow.line 19", "node Quick.line 30", "node Quick.line 29",
                        "node Third.line 36"],
    # `exit` does not ask who leaves; a garage closes with a car inside that has paid.
    "rebel/garage/Garage.ebl": ["Garage.neverOverfull", "node Car.parked"],
    "rebel/garage/GarageTest.tebl": ["node Car.parked"],
    # There is no case for grade 3.
    "rebel/hotel/Hotel.ebl": ["relation of Guest.upgrade"],
    "rebel/hotel/HotelTest.tebl": ["relation of Guest.upgrade"],
    # `now` does not move, so nothing is overdue. A member can `bring` what was not lent and leave.
    "rebel/library/Loans.ebl": ["transition Book.writeOff", "node Book.lent"],
    "rebel/library/LoansTest.tebl": ["transition Book.writeOff", "node Book.lent"],
    # A worker that fails is what the file is about; everybody has one fork; the token is lost.
    "ltl/crash.proc": ["assert at line 8"],
    "ltl/philosophers_symmetric.proc": [f"node P[{i}].second" for i in range(3)],
    "ltl/ring_lossy.proc": [f"node P[{i}].wait" for i in range(3)],
    "sts/bank_account.sts": ["closedIsEmpty"],
    "sts/constraints/limited_account.sts": ["belowMaximum"],
    "sts/limited_account.sts": ["belowMaximum"],
    # `large` allows 100 and more, with which nothing goes on.
    "sts/diamond.sts": ["node n3"],
    "sts/tutorial/lossy.sts": ["nothingLost", "transition reopen"],
    "rebel/tutorial/Savings.ebl": ["Savings.nothingLost"],
    **CONSTRAINED,
    **SURVEY,
    "vmt/copy_loop.vmt": ["not_three"],
    "vmt/counter.vmt": ["small"],
    "vmt/elevator.vmt": ["never_top_open"],
    "vmt/lustre_speed.vmt": ["in_time"],
    "vmt/thermostat.vmt": ["never_19"],
}
# Dates at any time; sets of any size.
HARD = {
    "rebel/hotel/Hotel.ebl": {"node Guest.booked"},
    "rebel/hotel/HotelTest.tebl": {"node Guest.booked"},
    "rebel/library/Loans.ebl": {"transition Book.writeOff", "node Book.lent"},
    "rebel/library/LoansTest.tebl": {"node Book.lent"},
    "rebel/shipment/Order.ebl": {"Order.someItems", "Order.sensibleTotal", "node basket",
                                 "node filling", "node confirmed", "node settled"},
    "rebel/shipment/OrderTest.tebl": {"node basket", "node filling", "node confirmed",
                                      "node settled"},
}
SLOW = {*HARD, "sts/constraints/linear_loan.sts", "sts/survey/linear_loan.sts"}
# Only imported by others: they have no specification to look at.
PARTS = {"rebel/account/Library.ebl", "rebel/account/TransferLibrary.ebl",
         "rebel/shipment/Carrier.ebl", "rebel/shipment/OrderLibrary.ebl"}


def lint(findings, whittle, file):
    name = str(file.relative_to(ROOT / "examples"))
    done = subprocess.run([whittle, "lint", "--json", "--no-expect", "--timeout", "20", file], capture_output=True,
                          text=True, timeout=SECONDS)
    if name in PARTS:
        if done.returncode != 2:
            findings.problem(name, f"exit code {done.returncode}, expected 2: nothing to look at")
        return
    try:
        results = json.loads(done.stdout)["results"]
    except (ValueError, KeyError):
        findings.problem(name, f"no results, exit code {done.returncode}")
        return
    if not results:
        findings.problem(name, "nothing was looked at")
    expected = set(FOUND.get(name, []))
    found = {r["property"] for r in results if r["met"] is False}
    unknown = {r["property"] for r in results if r["verdict"] == "unknown"}
    for what in sorted(found - expected):
        findings.problem(name, f"'{what}' is found, which nobody confirmed")
    for what in sorted(expected - found - unknown):
        findings.problem(name, f"'{what}' is not found")
    for what in sorted(unknown - HARD.get(name, set())):
        findings.problem(name, f"'{what}' is undecided")
    wanted = 1 if found else 3 if unknown else 0
    if done.returncode != wanted:
        findings.problem(name, f"exit code {done.returncode}, expected {wanted}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whittle", required=True, help="the program")
    parser.add_argument("--quick", action="store_true", help="without those that take long")
    arguments = parser.parse_args()
    findings = Findings("lint_examples")
    files = sorted(f for f in (ROOT / "examples").rglob("*") if f.suffix in ENDINGS)
    names = {str(f.relative_to(ROOT / "examples")) for f in files}
    for name in sorted((set(FOUND) | set(HARD) | PARTS) - names):
        findings.problem(name, "where is it?")
    findings.case(0)
    for file in files:
        if arguments.quick and str(file.relative_to(ROOT / "examples")) in SLOW:
            continue
        before = findings.problems
        lint(findings, arguments.whittle, file)
        findings.case(before)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
