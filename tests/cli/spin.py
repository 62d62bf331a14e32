#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares verdicts with SPIN: programs with `whittle check`, and exported as Promela.

Programs are the examples and the regressions of PROC, and files of STS with formulas of temporal logic; SPIN compiles for seconds, so --every N takes
only each Nth question. What Promela cannot express is counted, not compared. Without `spin` or a C compiler the test is skipped and says so.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import ROOT, Findings  # noqa: E402

SECONDS = 60


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False,
                          **options)


def spin_verdict(promela, folder):
    """violated, holds, or None when the search was not complete."""
    (folder / "model.pml").write_text(promela)
    try:
        made = run(["spin", "-a", "model.pml"], cwd=folder)
    except subprocess.TimeoutExpired:
        return None
    if made.returncode != 0 or not (folder / "pan.c").exists():
        return f"not accepted: {made.stdout[:200]}"
    live = "\nltl asked" in promela
    kind = ["-DNOREDUCE"] if live else ["-DSAFETY"]
    run(["cc", "-O1", "-w", *kind, "-DMEMLIM=1000", "-o", "pan", "pan.c"], cwd=folder)
    output = run(["./pan", *(["-a"] if live else []), "-m1000000"], cwd=folder).stdout
    if "assertion violated" in output or "acceptance cycle" in output.split("errors:")[0].split(
            "Full statespace")[0]:
        return "violated"
    whole = "Search not completed" not in output and "max search depth too small" not in output
    return "holds" if whole and "errors: 0" in output else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whittle", required=True)
    parser.add_argument("--every", type=int, default=1)
    arguments = parser.parse_args()
    findings = Findings("spin")
    if not shutil.which("spin") or not shutil.which("cc"):
        findings.skip("`spin` or `cc` is not installed")
        return findings.finish()
    whittle = str(Path(arguments.whittle).resolve())
    files = sorted(Path(ROOT, "examples/proc").glob("*.proc"))
    for folder in ("holds", "violated", "mixed"):
        files += sorted(Path(ROOT, "tests/regress/proc", folder).glob("*.proc"))
    for folder in ("holds", "violated", "mixed"):
        files += [file for file in sorted(Path(ROOT, "tests/regress/sts", folder).glob("*.sts"))
                  if "\nltl " in file.read_text()]
    compared = formulas = refused = asked = 0
    for file in files:
        checked = run([whittle, "check", str(file), "--json", "--timeout", "20"])
        for result in json.loads(checked.stdout)["results"]:
            if result["verdict"] not in ("holds", "violated"):
                continue
            asked += 1
            if asked % arguments.every != 0:
                continue
            place = f"{file.name}, {result['property']}"
            exported = run([whittle, "export", str(file), "--to", "promela",
                            "-p", result["property"]])
            if exported.returncode != 0:
                refused += 1
                continue
            with tempfile.TemporaryDirectory() as folder:
                verdict = spin_verdict(exported.stdout, Path(folder))
            if verdict is None:
                continue
            compared += 1
            formulas += result["kind"] == "ltl"
            before = findings.problems
            if verdict != result["verdict"]:
                findings.problem(place, f"whittle: {result['verdict']}, SPIN: {verdict}")
            findings.case(before)
    print(f"spin: {compared} verdicts compared, {refused} questions that Promela cannot express")
    before = findings.problems
    if compared < 10 or (arguments.every == 1 and formulas < 8):
        findings.problem("spin", "hardly anything could be compared")
    findings.case(before)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
