#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Certificates (`whittle check --certificate FOLDER`) check with Z3 and with cvc5 alone: check.sh passes with
each of them, every verdict of the report is in the manifest with the obligations that its kind needs, and what
is tampered with fails. By default a sample of the examples; `--all` takes every one."""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import ROOT, Findings  # noqa: E402

SAMPLE = ["examples/sts/bank_account.sts", "examples/sts/chain_add.sts", "examples/sts/limited_account.sts",
          "examples/vmt/copy_loop.vmt", "examples/vmt/elevator.vmt", "examples/proc/figure1.proc",
          "examples/proc/mutex.proc", "examples/rebel/garage/GarageTest.tebl",
          "tests/regress/proc/mixed/deadlock.proc"]
SUFFIXES = {".sts", ".proc", ".vmt", ".tebl"}
SOLVERS = {"z3": ["z3", "-T:120"], "cvc5": ["cvc5", "--tlimit=120000"]}
LEAST = 40  # obligations that a run of this test has to see


def run(*arguments, seconds=900):
    return subprocess.run([str(argument) for argument in arguments], cwd=ROOT, capture_output=True, text=True,
                          timeout=seconds)


def passes(folder, solver):
    done = run("sh", folder / "check.sh", *SOLVERS[solver], seconds=3600)
    return done.returncode, done.stdout + done.stderr


def needed(verdict):
    """The names of the obligations without which the certificate would prove nothing."""
    kind = verdict["certificate"]
    if kind == "trace":
        return {"trace.smt2"}
    if kind == "invariant":
        return {"initiation.smt2", "consecution.smt2", "safety.smt2"}
    if kind == "k-induction":
        return {f"base-{i}.smt2" for i in range(verdict["k"])} | {"step.smt2", "safety.smt2"}
    if kind == "unrollings":
        return {f"depth-{verdict['bound']}.smt2"}
    return {"a certificate of a known kind"}


def check_manifest(findings, place, folder, report):
    manifest = json.loads((folder / "manifest.json").read_text())
    told = [(result["property"], result["verdict"]) for result in report["results"]]
    listed = [(verdict["property"], verdict["verdict"]) for verdict in manifest["verdicts"]]
    if told != listed:
        findings.problem(place, f"the report has {told}, the manifest {listed}")
    obligations = 0
    for verdict in manifest["verdicts"]:
        if verdict["certificate"] is None:
            if verdict["verdict"] != "unknown":
                findings.problem(place, f"no certificate for {verdict['property']}: {verdict['reason']}")
            continue
        files = {Path(obligation["file"]).name for obligation in verdict["obligations"]}
        if not needed(verdict) <= files:
            findings.problem(place, f"{verdict['property']} lacks {needed(verdict) - files}")
        for obligation in verdict["obligations"]:
            status = f"(set-info :status {obligation['expected']})"
            if (folder / obligation["file"]).read_text().splitlines()[1] != status:
                findings.problem(place, f"{obligation['file']} does not say {status}")
            obligations += 1
    return obligations


def check_file(findings, whittle, file, scratch):
    folder = scratch / re.sub(r"\W", "_", str(file))
    done = run(whittle, "check", "--json", "--certificate", folder, file)
    if done.returncode not in (0, 1, 3):
        findings.problem(file, f"exit code {done.returncode}: {done.stderr.strip()}")
        return 0
    obligations = check_manifest(findings, file, folder, json.loads(done.stdout))
    for solver in SOLVERS:
        code, output = passes(folder, solver)
        if code != 0:
            wrong = [line for line in output.splitlines() if not line.startswith("pass")]
            findings.problem(file, f"check.sh {solver} says {code}: " + "; ".join(wrong))
    return obligations


def tampered(findings, whittle, scratch):
    """Wrong certificates do not pass: (file, its property, what is changed)."""
    def edit(folder, name, old, new):
        path = next(folder.glob(f"*/{name}"))
        text = path.read_text()
        if not re.search(old, text):
            findings.problem("tampered", f"{name} has no {old}")
        path.write_text(re.sub(old, new, text, count=1))

    def weaken(folder):
        invariant = next(folder.glob("*/invariant.smt2"))
        text = invariant.read_text()
        weaker = re.sub(r"Bool .*\)\n", "Bool true)\n", text)
        for path in [invariant, *invariant.parent.glob("*.smt2")]:
            path.write_text(path.read_text().replace(text, weaker))

    changes = [
        ("examples/sts/bank_account.sts", "nonNegative", "the invariant is true", weaken),
        ("examples/sts/bank_account.sts", "nonNegative", "an obligation has another model",
         lambda folder: edit(folder, "consecution.smt2", r"\(define-fun step!1 (.*) Bool .*\n",
                             r"(define-fun step!1 \1 Bool false)\n")),
        ("examples/sts/bank_account.sts", "broke", "a value of the trace",
         lambda folder: edit(folder, "trace.smt2", r"(; step 1.*\n.*) \S+\)\n", r"\1 17.0)\n")),
        ("examples/sts/bank_account.sts", "broke", "a step of the trace is left out",
         lambda folder: edit(folder, "trace.smt2", r"; step 1: (.*\n)(\(define.*\n)*\(assert .*\n", "")),
    ]
    for number, (file, name, what, change) in enumerate(changes):
        before = findings.problems
        for solver in SOLVERS:
            folder = scratch / f"tampered-{number}-{solver}"
            run(whittle, "check", "-q", "-p", name, "--certificate", folder, file)
            if passes(folder, solver)[0] != 0:
                findings.problem("tampered", f"{what}: does not pass as it was written")
            change(folder)
            if passes(folder, solver)[0] != 1:
                findings.problem("tampered", f"{what}: {solver} accepts it")
        findings.case(before)


def refusals(findings, whittle, scratch):
    """A folder that is not empty would mix two certificates."""
    before = findings.problems
    full = scratch / "full"
    full.mkdir()
    (full / "notes.txt").write_text("mine\n")
    done = run(whittle, "check", "--certificate", full, "examples/sts/bank_account.sts")
    if done.returncode != 2 or "not empty" not in done.stderr or list(full.iterdir()) != [full / "notes.txt"]:
        findings.problem("refusals", f"a folder with files: exit code {done.returncode}: {done.stderr}")
    findings.case(before)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whittle", required=True, type=lambda text: Path(text).resolve())
    parser.add_argument("--all", action="store_true", help="every example")
    parser.add_argument("files", nargs="*", help="these instead")
    options = parser.parse_args()
    findings = Findings("certificates")
    for solver in SOLVERS:
        if not shutil.which(solver):
            findings.skip(f"there is no program '{solver}'")
            return findings.finish()
    files = options.files or SAMPLE
    if options.all:
        files = sorted({str(path.relative_to(ROOT)) for path in (ROOT / "examples").rglob("*")
                        if path.suffix in SUFFIXES} | set(SAMPLE))
    obligations = 0
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        if not options.files:
            refusals(findings, options.whittle, scratch)
            tampered(findings, options.whittle, scratch)
        for file in files:
            before = findings.problems
            obligations += check_file(findings, options.whittle, file, scratch)
            findings.case(before)
    if not options.files and obligations < LEAST:
        findings.problem("certificates", f"only {obligations} obligations were checked")
        findings.case(0)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
