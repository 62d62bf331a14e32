#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every module (src/**/NAME.cpp) is tested: some test includes its header, or tests/unit has a file
of its name, or scripts/tested_elsewhere.txt says which tests see it through others.
"""

import re
import sys
from fnmatch import fnmatchcase
from pathlib import Path, PurePath

from findings import ROOT, Findings, cpp_files, lines_of

LIST = "scripts/tested_elsewhere.txt"
ENTRY = re.compile(r"(\S+)\s+([^\s,]+(?:, [^\s,]+)*)\s+(\S.*)")


def matches(module, pattern):
    """Within one folder: `*` does not reach into others."""
    return module.parent == PurePath(pattern).parent and fnmatchcase(module.name,
                                                                     PurePath(pattern).name)


def tested_by_itself():
    """Headers that tests include, and modules that have their mirror in tests/unit."""
    tested = set()
    for file in cpp_files("tests"):
        if not file.name.endswith("_test.cpp"):
            continue
        for line in lines_of(file):
            if found := re.match(r'#include "([\w/]+)\.h"', line):
                tested.add(found[1] + ".cpp")
        if file.parts[1] == "unit":
            tested.add(str(Path(*file.parts[2:-1], file.name.replace("_test.cpp", ".cpp"))))
    return tested


def entries(findings):
    """The patterns of the list, in its order."""
    patterns = []
    for number, line in enumerate(lines_of(Path(LIST)), 1):
        if not line.strip() or line.startswith("#"):
            continue
        entry = ENTRY.fullmatch(line)
        if not entry:
            findings.problem(f"{LIST}:{number}", "a line is: pattern, tests, why")
            continue
        patterns.append((number, entry[1]))
        for test in entry[2].split(", "):
            if not (ROOT / test).exists():
                findings.problem(f"{LIST}:{number}", f"{test} does not exist")
    return patterns


def main():
    findings = Findings("check_tests")
    before = findings.problems
    patterns = entries(findings)
    findings.case(before)
    tested = tested_by_itself()
    used = set()
    for file in cpp_files("src"):
        if file.suffix != ".cpp":
            continue
        module = file.relative_to("src")
        seen = [number for number, pattern in patterns if matches(module, pattern)]
        used.update(seen)
        before = findings.problems
        if str(module) not in tested and not seen:
            findings.problem(file, f"no test includes its header, and {LIST} has no line for it")
        findings.case(before)
    before = findings.problems
    for number, pattern in patterns:
        if number not in used:
            findings.problem(f"{LIST}:{number}", f"there is no module {pattern}")
    findings.case(before)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
