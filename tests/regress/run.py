#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs `whittle check --json` (or lint) on every file of tests/regress and compares with what it should say.

A file stands in tests/regress/<language>/<folder>/, and the folder is the expected verdict of its
properties: holds, violated, reachable, unreachable, unknown, bounded; `mixed` has several, `error`
is wrong input. Comment lines at the top of the file say more:

  // command: lint             instead of check
  // run: --bound 5            more arguments
  // expect: broke=reachable@3 verdict of one property; @n is the depth of the trace, or the bound
  // exit: 1                   the exit code, where the folder does not determine it
  // part                      only imported by others, not run itself

A sibling NAME.EXT.expect lists all diagnostics, `id line:column` each (`id -` without a place), in
any order.
Every file runs with each solver and with slicing on and off, as far as its `run` line leaves the
choice. --quick: as the program does by itself, and one of the other combinations, another one from
file to file. --rest: what --quick leaves out. All output is validated against src/report/schema.json.
"""

import argparse
import collections
import itertools
import json
import os
import re
import shlex
import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import ROOT, Findings, stop  # noqa: E402

HERE = Path(__file__).resolve().parent
VERDICTS = {"holds", "violated", "reachable", "unreachable", "unknown", "bounded"}
FOLDERS = VERDICTS | {"mixed", "error"}
EXIT_OF_FOLDER = {"holds": 0, "violated": 1, "reachable": 0, "unreachable": 0, "unknown": 3,
                  "bounded": 3, "error": 2}
# option -> values to try; the first is what `--quick` keeps when it thins out.
DIMENSIONS = {"--solver": ["z3", "cvc5"], "--slice": [None, "off"]}
SECONDS = 120  # for one run

DIRECTIVE = re.compile(r"^\s*(?://|;+|#)\s*(command|run|expect|exit|part)\b:?\s*(.*?)\s*$")
HEAD = 30  # lines in which directives are looked for

Expectation = collections.namedtuple("Expectation", "name verdict depth")
Case = collections.namedtuple(
    "Case", "file folder command arguments expectations exit_code diagnostics")


def shown(file):
    return os.path.relpath(file, ROOT)


def parse_expectation(text, place):
    match = re.fullmatch(r"(.+?)\s*=\s*(\w+)(?:@(\d+))?", text)
    if not match or match[2] not in VERDICTS:
        stop(f"{place}: cannot read 'expect: {text}' (name=verdict or name=verdict@depth)")
    return Expectation(match[1], match[2], None if match[3] is None else int(match[3]))


def read_case(file):
    """The case that a file describes, or None if it is only a part of others."""
    folder = file.parent.name
    command, arguments, expectations = "check", [], []
    exit_code = EXIT_OF_FOLDER.get(folder)
    # Latin-1 never fails, and some of these files are binary rubbish.
    for number, line in enumerate(file.read_text("latin-1").split("\n")[:HEAD], 1):
        match = DIRECTIVE.match(line)
        if not match:
            continue
        if match[1] == "part":
            return None
        if match[1] == "command":
            command = match[2]
        elif match[1] == "run":
            arguments += shlex.split(match[2])
        elif match[1] == "expect":
            expectations.append(parse_expectation(match[2], f"{file}:{number}"))
        else:
            exit_code = int(match[2])
    if folder == "mixed" and not expectations:
        stop(f"{file}: a file in mixed/ needs 'expect' lines")
    listing = Path(f"{file}.expect")
    diagnostics = None
    if listing.exists():
        diagnostics = sorted(line.strip() for line in listing.read_text().splitlines()
                             if line.strip() and not line.startswith("#"))
    elif folder == "error":
        stop(f"{file}: a file in error/ needs {listing.name} beside it")
    return Case(file, folder, command, arguments, expectations, exit_code, diagnostics)


def find_cases(top, patterns):
    cases = []
    for file in sorted(top.glob("*/*/*")):
        if not file.is_file() or file.suffix in {".expect", ".md"} or file.name.startswith("."):
            continue
        if file.parent.name not in FOLDERS:
            stop(f"{file.parent}: no such verdict (one of {', '.join(sorted(FOLDERS))})")
        name = str(file.relative_to(top))
        if patterns and not any(pattern in name for pattern in patterns):
            continue
        case = read_case(file)
        if case:
            cases.append(case)
    return cases


def variants(case, known):
    """Lists of extra arguments: the product of the dimensions that the file leaves open, beginning
    with what the program does by itself."""
    open_dimensions = [[(option, value) for value in values] for option, values in DIMENSIONS.items()
                       if option in known and not any(a.split("=")[0] == option
                                                      for a in case.arguments)]
    if case.folder == "error":  # nothing is solved
        open_dimensions = []
    return [[word for option, value in choice if value for word in (option, value)]
            for choice in itertools.product(*open_dimensions)]


def chosen_runs(cases, known, arguments):
    """What to run: pairs of a case and extra arguments."""
    runs = []
    for case in cases:
        first, *others = variants(case, known)
        turn = zlib.crc32(case.file.name.encode()) % len(others) if others else 0
        quick = [first, *others[turn:turn + 1]]
        rest = others[:turn] + others[turn + 1:]
        wanted = quick if arguments.quick else rest if arguments.rest else [first, *others]
        runs += [(case, extra) for extra in wanted]
    return runs


class Checker:
    def __init__(self, whittle, schema):
        self.whittle = whittle
        self.validator = None
        if schema.exists():
            try:
                import jsonschema
            except ImportError:
                stop("python3-jsonschema is needed (Debian package)")
            content = json.loads(schema.read_text())
            self.validator = jsonschema.validators.validator_for(content)(content)

    def run(self, case, extra):
        """The problems of one run, as texts."""
        arguments = [case.command, "--json", shown(case.file), *case.arguments, *extra]
        repeat = "./whittle " + shlex.join(arguments)
        try:
            done = subprocess.run([self.whittle, *arguments], cwd=ROOT, capture_output=True,
                                  timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return [f"not finished after {SECONDS} s"], repeat
        try:
            output = json.loads(done.stdout)
        except ValueError:
            stderr = done.stderr.decode(errors="replace").strip().splitlines()
            return [f"no JSON on stdout, exit code {done.returncode}" +
                    (f", stderr: {stderr[-1]}" if stderr else "")], repeat
        problems = [*self.schema_problems(output), *diagnostic_problems(case, output)]
        if case.folder == "error":
            if output.get("results"):
                problems.append("wrong input has results")
        else:
            problems += verdict_problems(case, output.get("results", []))
        problems += exit_problems(case, output, done.returncode)
        return problems, repeat

    def schema_problems(self, output):
        if self.validator:
            for error in itertools.islice(self.validator.iter_errors(output), 5):
                place = "/".join(map(str, error.absolute_path)) or "top"
                yield f"schema: {place}: {error.message}"


def diagnostic_problems(case, output):
    if case.diagnostics is None:
        if case.folder != "error":
            for entry in output.get("diagnostics", []):
                if entry.get("severity") == "error":
                    yield f"unexpected {entry['id']}: {entry['message']}"
        return
    actual = collections.Counter(
        f"{d['id']} {d['line']}:{d['column']}" if d["line"] else f"{d['id']} -"
        for d in output.get("diagnostics", []))
    expected = collections.Counter(case.diagnostics)
    for text in (expected - actual).elements():
        yield f"diagnostic missing: {text}"
    for text in (actual - expected).elements():
        yield f"diagnostic not expected: {text}"


def verdict_problems(case, results):
    if not results:
        yield "no results"
    listed = {e.name: e for e in case.expectations}
    for name in listed.keys() - {r["property"] for r in results}:
        yield f"no property {name}; there are: {', '.join(r['property'] for r in results)}"
    for result in results:
        name, verdict = result["property"], result["verdict"]
        reason = f" ({result['reason']})" if result.get("reason") else ""
        expected = listed.get(name)
        wanted = expected.verdict if expected else case.folder
        if wanted != "mixed" and verdict != wanted:
            yield f"{name}: expected {wanted}, got {verdict}{reason}"
            continue
        if expected and expected.depth is not None:
            actual = result["depth"] if result.get("trace") else result["bound"]
            if actual != expected.depth:
                yield f"{name}: expected {wanted}@{expected.depth}, got {verdict}@{actual}"
        if result.get("trace") and not result["witness"]["checked"]:
            yield f"{name}: the trace was not checked"


def is_not_met(result):
    """What a file expects takes the place of what it demands."""
    if result.get("expected") is not None:
        return result["as_expected"] is False
    return result["demand"] and result["met"] is False


def is_undecided(result):
    if result.get("expected") is not None:
        return result["as_expected"] is None
    return result["verdict"] in ("unknown", "bounded")


def exit_problems(case, output, code):
    results = output.get("results", [])
    if any(d.get("severity") == "error" for d in output.get("diagnostics", [])):
        derived = 2
    elif any(is_not_met(r) for r in results):
        derived = 1
    elif any(is_undecided(r) for r in results):
        derived = 3
    else:
        derived = 0
    wanted = derived if case.exit_code is None else case.exit_code
    if code != wanted:
        yield f"expected exit code {wanted}, got {code}"
    elif code != derived:
        yield f"exit code {code} does not fit the output, which means {derived}"


def known_options(whittle):
    helped = subprocess.run([whittle, "check", "--help"], capture_output=True, text=True)
    return set(re.findall(r"--[a-z][a-z-]*", helped.stdout))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--whittle", required=True, help="the program")
    parser.add_argument("--quick", action="store_true",
                        help="two combinations of each file, not all")
    parser.add_argument("--rest", action="store_true", help="those that --quick leaves out")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth file")
    parser.add_argument("--files", type=Path, default=HERE, help="instead of tests/regress")
    parser.add_argument("--schema", type=Path, default=ROOT / "src/report/schema.json")
    parser.add_argument("names", nargs="*", help="only files whose name contains one of these")
    arguments = parser.parse_args()

    findings = Findings("regress")
    cases = find_cases(arguments.files.resolve(), arguments.names)[::arguments.every]
    if not cases:
        findings.skip("there are no such files")
        return findings.finish()
    checker = Checker(arguments.whittle, arguments.schema)
    known = known_options(arguments.whittle)
    runs = chosen_runs(cases, known, arguments)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = pool.map(lambda run: checker.run(*run), runs)
        for (case, _), (problems, repeat) in zip(runs, outcomes):
            before = findings.problems
            for problem in problems:
                findings.problem(shown(case.file), f"{problem}\n    {repeat}")
            findings.case(before)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
