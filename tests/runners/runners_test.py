#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the test runners: that they fail when they should. A shell script plays whittle."""

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
sys.path.insert(0, str(ROOT / "tests/cli"))

import check_layers  # noqa: E402
import run as doc_examples  # noqa: E402
import run_tests  # noqa: E402
from findings import Findings, run_unittests  # noqa: E402

RESULT = {
    "file": "f", "property": "p", "kind": "reach", "verdict": "reachable", "demand": False,
    "met": None, "bound": None, "depth": 3, "engine": "bmc", "reason": None, "slice": None,
    "trace": {"steps": [], "initial": {}, "final": {}}, "invariant": None,
    "witness": {"checked": True, "by": "replay"}, "solver_calls": 1, "seconds": 0.1}


class Regress(unittest.TestCase):
    """tests/regress/run.py without the schema, which these small answers do not follow."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.top = Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def add(self, name, text, expect=None):
        file = self.top / "files" / "sts" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        if expect is not None:
            Path(f"{file}.expect").write_text(expect)

    def run_on(self, results, diagnostics=(), code=0, options=(), extra=()):
        answer = self.top / "answer.json"
        answer.write_text(json.dumps(
            {"whittle": "0", "results": results, "diagnostics": list(diagnostics)}))
        fake = self.top / "whittle"
        fake.write_text(f"#!/bin/sh\ncase $2 in --help) echo {' '.join(options)}; exit 0;; esac\n"
                        f"echo $* >>{self.top}/calls\ncat {answer}\nexit {code}\n")
        fake.chmod(0o755)
        environment = {k: v for k, v in os.environ.items() if k != "WHITTLE_SUMMARY"}
        done = subprocess.run(
            [sys.executable, str(ROOT / "tests/regress/run.py"), "--whittle", str(fake),
             "--files", str(self.top / "files"), "--schema", str(self.top / "none"), *extra],
            capture_output=True, text=True, env=environment)
        return done.returncode, done.stdout + done.stderr

    def test_passes(self):
        self.add("reachable/a.sts", "// expect: p=reachable@3\nsystem A\n")
        self.assertEqual(self.run_on([RESULT])[0], 0)

    def test_wrong_verdict(self):
        self.add("unreachable/a.sts", "system A\n")
        code, text = self.run_on([RESULT])
        self.assertEqual(code, 1)
        self.assertIn("expected unreachable, got reachable", text)
        self.assertIn("./whittle check --json", text)

    def test_wrong_depth(self):
        self.add("reachable/a.sts", "// expect: p=reachable@4\n")
        code, text = self.run_on([RESULT])
        self.assertEqual(code, 1)
        self.assertIn("reachable@3", text)

    def test_missing_property(self):
        self.add("reachable/a.sts", "// expect: q=reachable\n")
        self.assertEqual(self.run_on([RESULT])[0], 1)

    def test_no_results(self):
        self.add("reachable/a.sts", "system A\n")
        self.assertEqual(self.run_on([])[0], 1)

    def test_wrong_exit_code(self):
        self.add("reachable/a.sts", "system A\n")
        code, text = self.run_on([RESULT], code=4)
        self.assertEqual(code, 1)
        self.assertIn("expected exit code 0, got 4", text)

    def test_unchecked_trace(self):
        self.add("reachable/a.sts", "system A\n")
        unchecked = {**RESULT, "witness": {"checked": False, "by": ""}}
        self.assertEqual(self.run_on([unchecked])[0], 1)

    def test_diagnostics(self):
        self.add("error/a.sts", "rubbish\n", "parse-001 1:1\n")
        entry = {"id": "parse-001", "severity": "error", "line": 1, "column": 1, "message": ""}
        self.assertEqual(self.run_on([], [entry], code=2)[0], 0)
        code, text = self.run_on([], [{**entry, "column": 2}], code=2)
        self.assertEqual(code, 1)
        self.assertIn("diagnostic missing: parse-001 1:1", text)
        self.assertIn("diagnostic not expected: parse-001 1:2", text)

    def test_error_with_verdict(self):
        self.add("error/a.sts", "rubbish\n", "parse-001 1:1\n")
        entry = {"id": "parse-001", "severity": "error", "line": 1, "column": 1, "message": ""}
        self.assertEqual(self.run_on([RESULT], [entry], code=2)[0], 1)

    def test_error_needs_expectation(self):
        self.add("error/a.sts", "rubbish\n")
        self.assertEqual(self.run_on([], code=2)[0], 2)


    def calls(self, *extra):
        """The additional arguments of each run, sorted, with all combinations open."""
        (self.top / "calls").unlink(missing_ok=True)
        code, text = self.run_on([RESULT], options=["--solver", "--slice"], extra=extra)
        self.assertEqual(code, 0, text)
        lines = (self.top / "calls").read_text().splitlines()
        return sorted(line.split(".sts")[1].strip() for line in lines)

    def test_combinations(self):
        self.add("reachable/a.sts", "system A\n")
        every = ["--solver cvc5", "--solver cvc5 --slice off", "--solver z3",
                 "--solver z3 --slice off"]
        self.assertEqual(self.calls(), every)
        quick, rest = self.calls("--quick"), self.calls("--rest")
        self.assertEqual((len(quick), len(rest)), (2, 2))
        self.assertIn("--solver z3", quick)
        self.assertEqual(sorted(quick + rest), every)


class Examples(unittest.TestCase):
    def test_reading(self):
        blocks = doc_examples.examples_of(["text", "```console", "$ a b", "x", "$ c", "```", "y"])
        self.assertEqual([[e.command for e in b] for b in blocks], [["a b", "c"]])
        self.assertEqual(blocks[0][0].expected, ["x"])

    def test_matching(self):
        self.assertTrue(doc_examples.matches(["took 0.12 s"], ["took 3.4 s"]))
        self.assertTrue(doc_examples.matches(["a", "...", "d"], ["a", "b", "c", "d"]))
        self.assertTrue(doc_examples.matches(["a", "...", "d"], ["a", "d"]))
        self.assertFalse(doc_examples.matches(["a", "...", "d"], ["a", "b"]))
        self.assertFalse(doc_examples.matches(["3 steps"], ["4 steps"]))
        self.assertFalse(doc_examples.matches([], ["surprise"]))


class Layers(unittest.TestCase):
    def test_cycles(self):
        self.assertIsNone(check_layers.first_cycle({"a": {"b", "c"}, "b": {"c"}, "c": set()}))
        self.assertEqual(check_layers.first_cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}),
                         ["b", "c", "b"])

    def test_table_is_layered(self):
        self.assertIsNone(check_layers.first_cycle({k: set(v) for k, v in check_layers.LAYERS.items()}))

    def problems(self, file, include, quoted=True):
        findings = Findings("test")
        with contextlib.redirect_stdout(io.StringIO()):
            check_layers.check_include(findings, Path(file), 1, quoted, include)
        return findings.problems

    def test_includes(self):
        self.assertEqual(self.problems("src/expr/x.cpp", "base/ids.h"), 0)
        self.assertEqual(self.problems("src/base/x.cpp", "expr/expr.h"), 1)
        self.assertEqual(self.problems("src/base/x.cpp", "base/no_such_file.h"), 1)
        self.assertEqual(self.problems("src/base/x.cpp", "../base/ids.h"), 1)
        self.assertEqual(self.problems("apps/cli/x.cpp", "base/ids.h"), 0)
        self.assertEqual(self.problems("apps/cli/x.cpp", "expr/expr.h"), 1)
        self.assertEqual(self.problems("src/engine/x.cpp", "z3++.h", quoted=False), 1)
        self.assertEqual(self.problems("src/smt/z3/x.cpp", "z3++.h", quoted=False), 0)
        self.assertEqual(self.problems("src/smt/z3/x.cpp", "cvc5/cvc5.h", quoted=False), 1)


class Tallies(unittest.TestCase):
    def test_crash_counts_as_failure(self):
        tally = run_tests.Tally()
        tally.add("Failed", {"tests": 5, "failures": 0})
        self.assertEqual(tally.failed, 1)

    def test_suite_without_summary(self):
        tally = run_tests.Tally()
        tally.add("Passed", None)
        tally.add("Exception: SegFault", None)
        tally.add("Skipped", None)
        self.assertEqual(str(tally), "1 passed, 1 failed, 1 skipped")

    def test_lines(self):
        match = run_tests.RESULT_LINE.match("1/2 Test #1: unit_base ........   Passed    0.05 sec")
        self.assertEqual((match["name"], match["status"]), ("unit_base", "Passed"))
        match = run_tests.RESULT_LINE.match("2/2 Test #2: x ...***Exception: SegFault  0.05 sec")
        self.assertEqual(match["status"].strip("*"), "Exception: SegFault")


if __name__ == "__main__":
    sys.exit(run_unittests())
