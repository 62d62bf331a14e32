#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages that whittle prints itself have to be what it prints; --update writes them."""

import argparse
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import ROOT, Findings  # noqa: E402

PAGES = {
    "docs/cli.md": ["help", "--markdown"],
    "docs/diagnostics.md": ["help", "diagnostics", "--markdown"],
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whittle", required=True, help="the program")
    parser.add_argument("--update", action="store_true", help="write the pages")
    arguments = parser.parse_args()

    findings = Findings("generated_docs")
    for page, call in PAGES.items():
        before = findings.problems
        done = subprocess.run([arguments.whittle, *call], capture_output=True, text=True)
        if done.returncode:
            findings.problem(page, f"whittle {' '.join(call)}: exit code {done.returncode}")
        elif arguments.update:
            (ROOT / page).write_text(done.stdout)
        elif not (ROOT / page).exists() or (ROOT / page).read_text() != done.stdout:
            findings.problem(page, "out of date; tests/cli/generated_docs.py --update writes it")
        findings.case(before)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
