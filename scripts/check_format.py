#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The layout of all C++ files is clang-format's. check_format.py --fix writes it."""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from findings import ROOT, Findings, cpp_files


def formatted(file, fix):
    command = ["clang-format", "-i"] if fix else ["clang-format", "--dry-run", "-Werror"]
    return subprocess.run([*command, str(file)], cwd=ROOT, capture_output=True).returncode == 0


def main():
    fix = "--fix" in sys.argv[1:]
    findings = Findings("check_format")
    if not shutil.which("clang-format"):
        findings.skip("there is no clang-format (Debian package clang-format)")
        return findings.finish()
    files = cpp_files()
    before = findings.problems
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for file, good in zip(files, pool.map(lambda file: formatted(file, fix), files)):
            if not good:
                findings.problem(file, f"not as clang-format has it: clang-format -i {file}")
    findings.case(before)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
