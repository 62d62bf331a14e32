#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the pages of docs/ that repeat what the sources declare.

  write_docs.py                             docs/diagnostics.md
  write_docs.py --whittle build/release/whittle   also docs/options.md
  write_docs.py --check ...                 writes nothing; fails where a page is out of date
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

from findings import ROOT, Findings

DEFINITIONS = "src/base/diagnostics"
ENTRY = re.compile(r'DIAGNOSTIC\(\s*"([a-z]+-\d{3})",\s*(Error|Warning|Note),\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)')


def definition_files():
    """The lists in the order in which diagnostics.def includes them."""
    text = (ROOT / DEFINITIONS / "diagnostics.def").read_text()
    return re.findall(r'#include "base/diagnostics/(\w+\.def)"', text)


def diagnostics_page():
    parts = ["# Diagnostics", "",
             "What whittle says about its input. An id is stable and is never used again for something else. Errors",
             "mean that there is no verdict (exit code 2). Written by `scripts/write_docs.py` from the lists in",
             f"`{DEFINITIONS}/`.", ""]
    for name in definition_files():
        text = (ROOT / DEFINITIONS / name).read_text()
        comments = [line[3:].strip() for line in text.splitlines()[1:] if line.startswith("// ")]
        entries = ENTRY.findall(text)
        if not entries:
            continue
        parts += [f"## {name.removesuffix('.def')}", "", *comments, "", "| id | severity | meaning |", "|---|---|---|"]
        for identifier, severity, literals in entries:
            summary = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals))
            summary = summary.replace('\\"', '"').replace("|", "\\|")
            parts.append(f"| `{identifier}` | {severity.lower()} | {summary} |")
        parts.append("")
    return "\n".join(parts).rstrip() + "\n"


def options_page(whittle):
    """What the program itself prints; None when it cannot."""
    done = subprocess.run([whittle, "help", "--markdown"], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def main():
    parser = argparse.ArgumentParser(description="Writes or checks the generated pages of docs/.")
    parser.add_argument("--whittle", help="the program, for docs/options.md")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()

    pages = {"docs/diagnostics.md": diagnostics_page()}
    if arguments.whittle:
        pages["docs/options.md"] = options_page(arguments.whittle)
    findings = Findings("write_docs")
    for name, text in pages.items():
        before = findings.problems
        file = ROOT / name
        if text is None:
            findings.problem(name, "the program does not print it (whittle help --markdown)")
        elif not arguments.check:
            file.write_text(text)
        elif not file.exists() or file.read_text() != text:
            command = "scripts/write_docs.py" + (
                f" --whittle {Path(arguments.whittle)}" if arguments.whittle else "")
            findings.problem(name, f"not what the sources say: run {command}")
        findings.case(before)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
