#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy (settings in .clang-tidy) over the C++ sources, each by itself and without the
precompiled headers: every file has to include what it uses, whatever the build gives it.

  check_tidy.py --build build/release             everything: minutes
  check_tidy.py --build build/release --sample    what changed since the last commit on the main
                                                  line, and a few files that differ by the day
  check_tidy.py --build build/release FILE...     these
"""

import argparse
import datetime
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from findings import ROOT, Findings

SAMPLE = 3  # files besides the changed ones
MOST_CHANGED = 6


def configured(build):
    """A build tree inside `build` that compiles file by file. Nothing is built there."""
    tree = build / "tidy"
    done = subprocess.run(
        ["cmake", "-S", str(ROOT), "-B", str(tree), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
         "-DWHITTLE_UNIT_TESTS=OFF", "-DWHITTLE_PRECOMPILE=OFF", "-DWHITTLE_UNITY=OFF"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return tree


def compiled_files(build):
    """The sources that the build tree knows how to compile, relative to ROOT."""
    entries = json.loads((build / "compile_commands.json").read_text())
    files = {Path(entry["directory"], entry["file"]).resolve() for entry in entries}
    return sorted(file.relative_to(ROOT) for file in files
                  if file.is_relative_to(ROOT) and not file.is_relative_to(build))


def changed_files():
    """Files that differ from the previous commit, committed or not."""
    listing = subprocess.run(["git", "-C", str(ROOT), "diff", "--name-only", "HEAD~1"],
                             capture_output=True, text=True)
    return {Path(name) for name in listing.stdout.split()}


def sample_of(files):
    changed = [file for file in files if file in changed_files()][:MOST_CHANGED]
    rest = [file for file in files if file not in changed]
    if rest:
        start = datetime.date.today().toordinal() * SAMPLE % len(rest)
        changed += (rest[start:] + rest[:start])[:SAMPLE]
    return sorted(changed)


def tidy(build, file):
    result = subprocess.run(
        # -Wno-unknown-warning-option: the compile commands are made for g++.
        ["clang-tidy", "-p", str(build), "--quiet", "--extra-arg=-Wno-unknown-warning-option",
         "--extra-arg=-Wno-everything", str(file)],
        cwd=ROOT, capture_output=True, text=True)
    # Clang does not take everything that g++ takes in headers of libraries (PPL's lacks a
    # `typename`); what it finds in ours counts all the same.
    ours = [line for line in result.stdout.splitlines()
            if re.search(r": (error|warning): ", line) and not line.startswith("/usr/include/")]
    theirs = "/usr/include/" in result.stdout and not ours
    return result.returncode == 0 or theirs, result.stdout


def main():
    parser = argparse.ArgumentParser(description="Runs clang-tidy.")
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("files", nargs="*", type=Path)
    arguments = parser.parse_args()
    findings = Findings("check_tidy")
    if not shutil.which("clang-tidy"):
        findings.skip("there is no clang-tidy (Debian package clang-tidy)")
        return findings.finish()
    build = configured(arguments.build.resolve())
    files = arguments.files or compiled_files(build)
    if arguments.sample:
        files = sample_of(files)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for file, (good, output) in zip(files, pool.map(lambda file: tidy(build, file), files)):
            before = findings.problems
            if not good:
                findings.problem(file, "clang-tidy:\n" + output)
            findings.case(before)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
