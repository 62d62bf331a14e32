#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What every text file of the tree keeps to: licence line, no leftovers, no places of one machine,
plain white space, and a length that a reader can take in."""

import re
import sys

from findings import Findings, lines_of, source_files

CODE = {".h", ".cpp", ".py", ".sh", ".cmake", ".def"}
CODE_NAMES = {"CMakeLists.txt", "whittle", "test", "run"}  # without a telling suffix
TEXT = CODE | {".md", ".txt", ".json", ".supp", ".sts", ".proc", ".ebl", ".tebl", ".vmt", ".fcl",
               ".cfa", ".fcl", ".smt2", ".expect", ".csv", ""}
# Regression inputs are allowed to be strange: that is what they test.
FREE_FORM = ("tests/regress/", "LICENSE")

SPDX = "SPDX-License-Identifier: Apache-2.0"
# Put together from pieces, so that this file passes its own check.
LEFTOVER = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]) + r")\b")
MACHINE = re.compile(r"(?<![\w.])/(?:" + "|".join(["wo" + "rk", "ho" + "me", "ro" + "ot", "Use" + "rs"])
                     + r")/[\w.-]")

# A longer file opens with a comment line "Long because ...".
MOST_LINES = {"src": 600, "apps": 600, "tests": 800, "scripts": 600}
EXCUSE = re.compile(r"Long because \S+")
EXCUSE_WITHIN = 40


def is_code(file):
    return file.suffix in CODE or (not file.suffix and file.name in CODE_NAMES) \
        or file.name == "CMakeLists.txt"


def check_licence(findings, file, lines):
    first = lines[1:2] if lines and lines[0].startswith("#!") else lines[:1]
    if not first or SPDX not in first[0]:
        findings.problem(f"{file}:1", f"the first line (after #!) has to say: {SPDX}")


def check_lines(findings, file, lines):
    for number, line in enumerate(lines, 1):
        place = f"{file}:{number}"
        if LEFTOVER.search(line):
            findings.problem(place, "a leftover mark: do it, or open an issue")
        if MACHINE.search(line):
            findings.problem(place, "a path of one machine")
        if line != line.rstrip():
            findings.problem(place, "white space at the end of the line")
        if "\t" in line and is_code(file):
            findings.problem(place, "a tab: use spaces")


def check_length(findings, file, lines):
    most = MOST_LINES.get(file.parts[0])
    if most and len(lines) > most and not any(map(EXCUSE.search, lines[:EXCUSE_WITHIN])):
        findings.problem(file, f"{len(lines)} lines, more than {most}: split it, or say in its "
                               "opening comment 'Long because ...'")


def main():
    findings = Findings("check_text")
    before = findings.problems
    for file in source_files():
        if file.suffix not in TEXT or str(file).startswith(FREE_FORM) or file.name == ".gitkeep":
            continue
        lines = lines_of(file)
        if is_code(file):
            check_licence(findings, file, lines)
            check_length(findings, file, lines)
        check_lines(findings, file, lines)
    findings.case(before)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
