#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy (settings in .clang-tidy) over the C++ sources.

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
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from findings import ROOT, Findings

SAMPLE = 4  # files besides the changed ones
MOST_CHANGED = 12


def compiled_files(build):
    """The sources that the build tree knows how to compile, relative to ROOT."""
    entries = json.loads((build / "compile_commands.json").read_text())
    files = {Path(entry["directory"], entry["file"]).resolve() for entry in entries
             if "cmake_pch" not in entry["file"]}
    return sorted(file.relative_to(ROOT) for file in files if file.is_relative_to(ROOT))


def without_precompiled_headers(build, folder):
    """A compilation database in `folder` in which every file has to include what it uses: clang
    cannot read the precompiled headers of g++ either."""
    entries = json.loads((build / "compile_commands.json").read_text())
    for entry in entries:
        entry["command"] = re.sub(r" -Winvalid-pch| -include \S*cmake_pch\.hxx", "", entry["command"])
    (folder / "compile_commands.json").write_text(json.dumps(entries))


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
    build = arguments.build.resolve()

    findings = Findings("check_tidy")
    if not shutil.which("clang-tidy"):
        findings.skip("there is no clang-tidy (Debian package clang-tidy)")
        return findings.finish()
    files = arguments.files or compiled_files(build)
    if arguments.sample:
        files = sample_of(files)
    with (tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool):
        without_precompiled_headers(build, Path(folder))
        build = Path(folder)
        for file, (good, output) in zip(files, pool.map(lambda file: tidy(build, file), files)):
            before = findings.problems
            if not good:
                findings.problem(file, "clang-tidy:\n" + output)
            findings.case(before)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
