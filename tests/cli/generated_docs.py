#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages that whittle prints itself, and drawings below a comment with the command that makes
them, have to be what it prints; --update writes them. Every message has an explanation."""

import argparse
import re
import shlex
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import ROOT, Findings  # noqa: E402

PAGES = {
    "docs/cli.md": ["help", "--markdown"],
    "docs/diagnostics.md": ["help", "diagnostics", "--markdown"],
}
DRAWING = re.compile(r"<!-- whittle (draw [^\n]*?) -->\n```mermaid\n(.*?)```", re.S)


def look_at_drawings(findings, whittle, update):
    for page in ["README.md", *sorted(str(file.relative_to(ROOT)) for file in (ROOT / "docs").rglob("*.md"))]:
        text = (ROOT / page).read_text()

        def drawn(match):
            done = subprocess.run([whittle, *shlex.split(match.group(1))], capture_output=True, text=True, cwd=ROOT)
            if done.returncode:
                findings.problem(page, f"{match.group(1)}: {done.stderr}")
            elif done.stdout != match.group(2) and not update:
                findings.problem(page, f"{match.group(1)}: out of date; generated_docs.py --update draws it")
            return f"<!-- whittle {match.group(1)} -->\n```mermaid\n{done.stdout}```"

        before = findings.problems
        new = DRAWING.sub(drawn, text)
        if update and new != text:
            (ROOT / page).write_text(new)
        findings.case(before)


def look_at_explanations(findings, whittle):
    """Every message says what to do, most of them with an example."""
    before = findings.problems
    listing = subprocess.run([whittle, "help", "diagnostics"], capture_output=True, text=True).stdout
    ids = [line.split()[0] for line in listing.splitlines()]
    with_example = 0
    for one in ids:
        text = subprocess.run([whittle, "help", one], capture_output=True, text=True).stdout
        if text.count("\n") < 3:
            findings.problem(one, "has no explanation: add a line to apps/cli/explained")
        with_example += "\n  write  " in text or "\n  for example  " in text
    if len(ids) < 200 or with_example < 0.8 * len(ids):
        findings.problem("help", f"{with_example} of {len(ids)} messages have an example")
    findings.case(before)


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
    look_at_drawings(findings, arguments.whittle, arguments.update)
    look_at_explanations(findings, arguments.whittle)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
