# SPDX-License-Identifier: Apache-2.0
"""What the checks and runners share: the list of files, and problems, printed and summed up."""

import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SKIPPED = 77  # the exit code by which ctest knows a skipped suite


def source_files(*suffixes):
    """All files of the tree that git does not ignore, relative to ROOT, sorted."""
    listing = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, text=True)
    if listing.returncode == 0:
        names = [name for name in listing.stdout.split("\0") if name]
    else:  # an exported tree without git
        names = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*")
                 if "build" not in path.relative_to(ROOT).parts[:1]]
    files = sorted({Path(name) for name in names if (ROOT / name).is_file()})
    return [file for file in files if not suffixes or file.suffix in suffixes]


def cpp_files(*folders):
    return [file for file in source_files(".h", ".cpp")
            if not folders or file.parts[0] in folders]


def lines_of(file):
    return (ROOT / file).read_text(encoding="utf-8", errors="replace").splitlines()


class Findings:
    """Counts cases and problems. A problem is one line: place, what is wrong, how to mend it."""

    def __init__(self, title):
        self.title = title
        self.cases = 0
        self.failed_cases = 0
        self.skipped = 0
        self.problems = 0

    def problem(self, place, message):
        self.problems += 1
        print(f"{place}: {message}", flush=True)

    def case(self, problems_before):
        """One more case; it failed if there are new problems since `problems_before`."""
        self.cases += 1
        self.failed_cases += self.problems > problems_before

    def skip(self, why):
        self.cases += 1
        self.skipped += 1
        print(f"{self.title}: skipped: {why}", flush=True)

    def finish(self):
        """Writes the summary; returns the exit code."""
        if self.problems and not self.failed_cases:  # reported outside of any case
            self.case(self.problems - 1)
        write_summary(self.cases, self.failed_cases, self.skipped)
        passed = self.cases - self.failed_cases - self.skipped
        print(f"{self.title}: {passed} passed, {self.failed_cases} failed"
              + (f", {self.skipped} skipped" if self.skipped else ""))
        if self.failed_cases:
            return 1
        return SKIPPED if self.cases == self.skipped and self.skipped else 0


def write_summary(cases, failed, skipped):
    """Leaves what scripts/run_tests.py adds up, where it asks for it."""
    name = os.environ.get("WHITTLE_SUMMARY")
    if name:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(json.dumps({"tests": cases, "failures": failed, "skipped": skipped}))


def run_unittests():
    """The main program of a file of unittest cases; returns the exit code."""
    outcome = unittest.main(exit=False, verbosity=0).result
    write_summary(outcome.testsRun, len(outcome.failures) + len(outcome.errors),
                  len(outcome.skipped))
    return 0 if outcome.wasSuccessful() else 1


def stop(message):
    print(message, file=sys.stderr)
    sys.exit(2)
