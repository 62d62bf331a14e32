#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `check` says to do next where it does not know, for each kind of reason, in text and JSON."""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import Findings  # noqa: E402

# Holds by an invariant that is not inductive: x == y is missing.
PRODUCTS = """system Products
var x, y, z: Int
node A, B
start A: x == 1 && y == 1 && z == 1
transition t: A -> B (k: Int) when k > 2 then x' == x * k && y' == y * k
transition u: B -> A then z' == x * y - x * x + 1
safety one: z == 1
"""
COUNTER = """program counter
const N = 3
shared sum: Int = 0
process P[i: 0..N - 1] {
  while (true) { sum := sum + 1; }
}
property small: sum != 1000000
"""
# Arguments, what one of the sentences contains; None: there is no advice.
CASES = [
    ("products.sts", ["--engine", "explicit"], "u breaks it from at B"),
    ("products.sts", ["--engine", "explicit"], "say why with `constraint B: ...`"),
    ("products.sts", ["--engine", "explicit"], "--engine auto"),
    ("products.sts", ["--engine", "bmc", "--timeout", "1"], "--timeout, now 1 s"),
    ("counter.proc", ["--engine", "explicit", "--explicit-memory", "1"], "--explicit-memory"),
    ("counter.proc", ["--engine", "explicit", "--explicit-memory", "1"], "fewer processes"),
    ("counter.proc", ["--engine", "explicit", "--explicit-memory", "1"], "--bound N"),
    ("counter.proc", ["--bound", "3"], None),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whittle", required=True, help="the program")
    whittle = str(Path(parser.parse_args().whittle).resolve())
    findings = Findings("advice")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "products.sts").write_text(PRODUCTS, encoding="utf-8")
        (Path(folder) / "counter.proc").write_text(COUNTER, encoding="utf-8")
        for name, options, wanted in CASES:
            before = findings.problems
            call = [whittle, "check", name, *options]
            text = subprocess.run(call, capture_output=True, text=True, cwd=folder).stdout
            done = subprocess.run([*call, "--json"], capture_output=True, text=True, cwd=folder)
            result = json.loads(done.stdout)["results"][0]
            said = [line.strip() for line in text.splitlines() if line.strip().startswith("next: ")]
            place = " ".join(call[1:])
            if wanted is None:
                if said or result["next"]:
                    findings.problem(place, f"advice without need: {said} {result['next']}")
            elif result["verdict"] != "unknown":
                findings.problem(place, f"the verdict is {result['verdict']}")
            elif not any(wanted in line for line in said):
                findings.problem(place, f"'{wanted}' is not said in text: {said}")
            elif not any(wanted in line for line in result["next"]) or len(result["next"]) > 2:
                findings.problem(place, f"'{wanted}' is not said in JSON: {result['next']}")
            findings.case(before)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
