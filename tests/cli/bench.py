#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""whittle-bench lists its benchmarks, measures, and refuses what it does not know."""

import argparse
import json
import subprocess
import sys
from pathlib import Path

import jsonschema

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import ROOT, Findings  # noqa: E402

# Arguments, exit code, the list that the document must have; None: diagnostics.
CASES = [
    ([], 0, "benchmarks"),
    (["expr", "--repetitions", "1"], 0, "measurements"),
    (["deep-search", "--repetitions", "1", "--largest", "10"], 0, "measurements"),
    (["no such benchmark"], 2, None),
    (["expr", "--no-such-option"], 2, None),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", required=True, help="the program whittle-bench")
    program = str(Path(parser.parse_args().bench).resolve())
    findings = Findings("bench")
    schema = json.loads((ROOT / "src/report/schema.json").read_text())
    for arguments, code, entries in CASES:
        before = findings.problems
        place = "whittle-bench " + " ".join(arguments)
        done = subprocess.run([program, *arguments, "--json"], capture_output=True, text=True)
        if done.returncode != code:
            findings.problem(place, f"exit code {done.returncode}, not {code}: {done.stderr}")
        report = json.loads(done.stdout or "{}")
        for problem in jsonschema.validators.validator_for(schema)(schema).iter_errors(report):
            findings.problem(place, f"schema: {problem.json_path}: {problem.message}")
        if not report.get(entries or "diagnostics"):
            findings.problem(place, f"there are no {entries or 'diagnostics'}")
        findings.case(before)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
