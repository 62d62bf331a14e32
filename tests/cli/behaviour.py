#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How the program behaves towards its surroundings: calls that are wrong, help, colours,
folders, pipes, full disks, signals, start-up time."""

import argparse
import itertools
import json
import os
import pty
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import jsonschema

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import ROOT, Findings  # noqa: E402

# Arguments, exit code, what stdout contains, what stderr contains. None: it must be empty.
CALLS = [
    (["version"], 0, "whittle ", None),
    (["--version"], 0, "whittle ", None),
    (["help"], 0, "usage: whittle COMMAND", None),
    (["--help"], 0, "usage: whittle COMMAND", None),
    (["-h"], 0, "usage: whittle COMMAND", None),
    ([], 2, None, "usage: whittle COMMAND"),
    (["help", "help"], 0, "usage: whittle help [TOPIC]", None),
    (["help", "--help"], 0, "usage: whittle help [TOPIC]", None),
    (["help", "exit-codes"], 0, "a demand is not met", None),
    (["help", "file-006"], 0, "binary", None),
    (["help", "versoin"], 2, None, "did you mean 'whittle help version'?"),
    (["versoin"], 2, None, "did you mean 'whittle version'?"),
    (["zzzzzzzz"], 2, None, "'whittle help' lists the commands"),
    (["version", "--colour", "never"], 2, None, "did you mean '--color'?"),
    (["version", "--color", "nevr"], 2, None, "did you mean 'never'?"),
    (["version", "--color"], 2, None, "--color needs a value"),
    (["version", "--markdown"], 2, None, "--markdown is an option of 'whittle help'"),
    (["languages"], 0, ".sts", None),
    (["engines"], 0, "bmc", None),
    (["check"], 2, None, "'whittle check' needs FILE..."),
    (["check", "missing.sts"], 2, None, "error[file-001]: 'missing.sts' does not exist"),
    (["check", "missing.sts", "--json"], 2, '"file-001"', None),
    (["check", "x.sts", "--format", "jsn"], 2, None, "did you mean 'json'?"),
    (["check", "x.sts", "--json", "--format=text"], 2, None, "contradict each other"),
    (["check", "x.sts", "--engine", "bcm"], 2, None, "did you mean 'bmc'?"),
    (["check", "--help"], 0, "--timeout SECONDS", None),
    (["examples/sts/bank_account.sts"], 2, None, "whittle check examples/sts/bank_account.sts"),
    (["check", "examples/sts/bank_account.sts", "--record", "/dev/null/x"], 2, None,
     "error[cli-009]: '/dev/null/x/command.txt' cannot be written"),
    (["export", "examples/sts/bank_account.sts", "-p", "broke", "--to", "vmt"], 0, "(declare-fun",
     "warning[check-007]: 'broke' asks about a number of steps"),
    (["export", "examples/sts/bank_account.sts", "-p", "nonNegative", "--to", "vmt"], 0,
     "(declare-fun", None),
    (["export", "examples/sts/bank_account.sts", "-p", "nonNegative", "--to", "promela"], 2, None,
     "hint: formats that can: smtlib, chc, smv, vmt"),
    (["check", "examples/rebel/account/Library.ebl"], 2, None,
     "error[check-008]: nothing is asked, so nothing was decided"),
    (["simulate", "examples/rebel/account/Library.ebl"], 2, None,
     "error[check-006]: there is nothing to simulate"),
    (["version", "x"], 2, None, "'x' is one argument too many"),
    (["version", "-q", "-v"], 2, None, "contradict each other"),
    (["", "--help"], 2, None, "there is no command ''"),
    (["\x1b[31m"], 2, None, "there is no command '\\x1b[31m'"),
]


def check_calls(findings, whittle):
    for arguments, code, out, error in CALLS:
        before = findings.problems
        done = subprocess.run([whittle, *arguments], capture_output=True, text=True)
        place = "whittle " + " ".join(map(repr, arguments))
        if done.returncode != code:
            findings.problem(place, f"exit code {done.returncode}, not {code}")
        for name, actual, expected in (("stdout", done.stdout, out), ("stderr", done.stderr, error)):
            if expected is None and actual:
                findings.problem(place, f"{name} should be empty: {actual}")
            if expected is not None and expected not in actual:
                findings.problem(place, f"{name} should contain {expected!r}: {actual}")
        findings.case(before)


def check_folder(findings, whittle):
    """A folder means the models below it."""
    before = findings.problems
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        done = subprocess.run([whittle, "check", "."], cwd=folder, capture_output=True, text=True)
        if done.returncode != 2 or "error[file-011]" not in done.stderr:
            findings.problem("empty folder", f"exit code {done.returncode}: {done.stderr}")
        (folder / "b" / ".hidden").mkdir(parents=True)
        for path in ("b/two.sts", "one.sts", "b/.hidden/three.sts", "b/notes.txt"):
            (folder / path).write_text("system S\nnode A\nstart A: true\nreach a: @A within 0\n")
        done = subprocess.run([whittle, "check", ".", "--json"], cwd=folder, capture_output=True,
                              text=True)
        report = json.loads(done.stdout)
        files = [result["file"] for result in report["results"]]
        if not report["whittle"]:
            findings.problem("--json", "does not name the version")
        if done.returncode != 0 or files != ["./b/two.sts", "./one.sts"]:
            findings.problem("folder", f"exit code {done.returncode}: {files}")
    findings.case(before)


STRINGS = """system Strings
var s: String
node A
start A: s == "a"
transition longer: A -> A then s' == s ++ "b"
safety never: s != "ab"
"""


def check_broken_file(findings, whittle):
    """What is wrong with one file does not hide what is to be said about the others."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "broken.sts").write_text("system Broken\nnode\n")
        (folder / "strings.sts").write_text(STRINGS)
        (folder / "empty").mkdir()
        account = "examples/sts/bank_account.sts"
        figure = "examples/proc/figure1.proc"
        for command, bad in itertools.product(
                ["check", "lint", "slice"],
                [folder / "broken.sts", folder / "missing.sts", folder / "empty"]):
            before = findings.problems
            arguments = [command, account, str(bad), figure, "--json"]
            if command == "slice" and bad.name == "empty":
                continue  # slices files, not folders
            code, report = document(findings, whittle, arguments)
            entries = report.get("slices" if command == "slice" else "results", [])
            if {e["file"] for e in entries} != {account, figure} or code != 2:
                findings.problem(" ".join(arguments), f"exit code {code}, {len(entries)} entries")
            if not any(d["severity"] == "error" for d in report["diagnostics"]):
                findings.problem(" ".join(arguments), "says nothing about the bad file")
            findings.case(before)
        before = findings.problems
        code, report = document(findings, whittle,
                                ["export", str(folder / "strings.sts"), "--to", "chc", "--json"])
        ids = [d["id"] for d in report["diagnostics"]]
        if code != 2 or ids != ["check-009"] or report["exports"]:
            findings.problem("export of strings to chc", f"exit code {code}: {report}")
        findings.case(before)


def check_documents(findings, whittle):
    """With --json there is one document, whatever the command, and entries say where they are."""
    account = "examples/sts/bank_account.sts"
    for arguments, code, entries in [
        (["check", account, "--json"], 0, "results"),  # what is violated is expected to be
        (["check", account, "--no-expect", "--json"], 1, "results"),
        (["lint", account, "--json"], 0, "results"),
        (["lint", account, "--no-expect", "--json"], 1, "results"),
        (["slice", account, "--json"], 0, "slices"),
        (["explain", account, "deposit", "--json"], 0, "explanations"),
        (["export", account, "-p", "nonNegative", "--json"], 0, "exports"),
        (["constraints", account, "--json"], 0, "constraints"),
        (["simulate", account, "--json", "--script", "examples/sts/walk.txt"], 0, "walks"),
        (["tests", account, "--format", "json"], 0, "suites"),
        (["languages", "--json"], 0, "languages"),
        (["engines", "--json"], 0, "engines"),
        (["check", account, "--json", "--no-such-option"], 2, None),
        (["simulate", account, "--json", "--script", "no such file"], 2, None),
        (["simulate", "no such file.sts", "--json"], 2, None),
        (["constraints", "no such file.sts", "--json"], 2, None),
        (["bench", "expr", "--json"], 2, None),  # another program has it
        (["no such command", "--json"], 2, None),
        (["explain", account, "no such thing", "--json"], 2, None),
        (["slice", account, "-p", "no such property", "--json"], 2, None),
        (["export", account, "--json"], 2, None),
    ]:
        before = findings.problems
        place = "whittle " + " ".join(arguments)
        actual, report = document(findings, whittle, arguments)
        if actual != code:
            findings.problem(place, f"exit code {actual}, not {code}")
        if entries and not report.get(entries):
            findings.problem(place, f"there are no {entries}")
        if not entries and not report["diagnostics"]:
            findings.problem(place, "there are no diagnostics")
        for entry in report.get(entries, []):
            for at in entry.get("locations", []):
                if not at["line"] or not at["column"] or at["source"] != account:
                    findings.problem(place, f"{at['location']} stands nowhere")
            if "property" not in entry:
                continue
            if not entry["line"] or not entry["column"] or entry["source"] != account:
                findings.problem(place, f"{entry['property']} stands nowhere")
        findings.case(before)


def document(findings, whittle, arguments):
    """Exit code and document of a call that prints one, which has to fit the schema."""
    done = subprocess.run([whittle, *arguments], capture_output=True, text=True)
    place = "whittle " + " ".join(arguments)
    if done.stderr:
        findings.problem(place, f"stderr should be empty: {done.stderr}")
    try:
        report = json.loads(done.stdout)
    except ValueError:
        findings.problem(place, f"not one JSON document: {done.stdout[:200]}")
        return done.returncode, {"diagnostics": []}
    schema = json.loads((ROOT / "src/report/schema.json").read_text())
    for problem in jsonschema.validators.validator_for(schema)(schema).iter_errors(report):
        findings.problem(place, f"schema: {problem.json_path}: {problem.message}")
    return done.returncode, report


# Holds, but not within any number of steps that could be tried.
ENDLESS = """system Endless
var x: Int
node A
start A: x == 0
transition up: A -> A (d: Int) when d > 0 then x' == x + d
safety positive: x >= 0
"""


def check_signals(findings, whittle):
    with tempfile.TemporaryDirectory() as name:
        model = Path(name) / "endless.sts"
        model.write_text(ENDLESS)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            before = findings.problems
            code, out, error = interrupted([whittle, "check", str(model), "--engine", "bmc",
                                            "--bmc-max-depth", "1000000", "--json"], [number])
            if code != 3 or '"unknown"' not in out or "interrupted" not in out:
                findings.problem(number.name, f"exit code {code}: {out}{error}")
            findings.case(before)
        # The second one does not wait for anything.
        before = findings.problems
        code, out, error = interrupted([whittle, "check", str(model), "--engine", "bmc",
                                        "--bmc-max-depth", "1000000"], [signal.SIGINT] * 2)
        if code not in (130, 3):
            findings.problem("two signals", f"exit code {code}: {out}{error}")
        findings.case(before)


def interrupted(call, numbers):
    """Exit code, stdout and stderr of a program that gets signals after a while."""
    process = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(0.7)
    for number in numbers:
        process.send_signal(number)
        time.sleep(0.005)
    try:
        out, error = process.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None, "", "does not end"
    return process.returncode, out, error


def check_lost_output(findings, whittle):
    before = findings.problems
    with open("/dev/full", "w") as full:
        done = subprocess.run([whittle, "help"], stdout=full, stderr=subprocess.PIPE, text=True)
    if done.returncode != 2 or "the disk is full" not in done.stderr:
        findings.problem("full disk", f"exit code {done.returncode}: {done.stderr}")
    findings.case(before)

    before = findings.problems
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([whittle, "help"], stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    if done.returncode != 2 or done.stderr.count("\n") != 1:
        findings.problem("closed pipe", f"exit code {done.returncode}: {done.stderr}")
    findings.case(before)

    before = findings.problems
    done = subprocess.run(f"'{whittle}' help >&- 2>&-", shell=True)
    if done.returncode != 2:
        findings.problem("no stdout at all", f"exit code {done.returncode}")
    findings.case(before)


def on_terminal(whittle, *arguments, **environment):
    """What the program writes to a terminal that is its stderr."""
    master, terminal = pty.openpty()
    variables = {**os.environ, "TERM": "xterm", **environment}
    if "NO_COLOR" not in environment:
        variables.pop("NO_COLOR", None)
    subprocess.run([whittle, *arguments], stdout=subprocess.DEVNULL, stderr=terminal,
                   env=variables)
    os.close(terminal)
    text = os.read(master, 10000).decode()
    os.close(master)
    return text


def check_colours(findings, whittle):
    for arguments, environment, coloured in [
        (["nothing"], {}, True),
        (["nothing"], {"NO_COLOR": "1"}, False),
        (["nothing"], {"NO_COLOR": ""}, True),
        (["nothing"], {"TERM": "dumb"}, False),
        (["version", "x", "--color=never"], {}, False),
        (["version", "x", "--color=always"], {"NO_COLOR": "1"}, True),
    ]:
        before = findings.problems
        if ("\x1b[" in on_terminal(whittle, *arguments, **environment)) != coloured:
            findings.problem(f"{arguments} {environment}", f"colours should be {coloured}")
        findings.case(before)


def check_start_up(findings, whittle, most_seconds):
    before = findings.problems
    best = min(seconds_for([whittle, "version"]) for _ in range(5))
    if best > most_seconds:
        findings.problem("whittle version", f"takes {best:.3f} s to start")
    findings.case(before)


def seconds_for(call):
    begun = time.monotonic()
    subprocess.run(call, stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - begun


def check_simulation(findings, whittle):
    """Commands that make no sense are refused, and a walk that was saved can be walked again."""
    model = ["simulate", "examples/rebel/account/AccountTest.tebl"]

    def walk(commands, *more):
        done = subprocess.run([whittle, *model, *more], input=commands, capture_output=True,
                              text=True)
        return done.returncode, done.stdout

    for command, answer in [("random x", "'x' is not a number of steps"),
                            ("random -1", "'-1' is not a number of steps"),
                            ("why", "name an event"),
                            ("do open first=EUR 1.00", "not possible with these arguments"),
                            ("do withdraw amount=EUR 1.00", "withdraw cannot happen at new"),
                            ("do open last=1", "write NAME=VALUE with first")]:
        code, out = walk(command + "\n")
        if code != 2 or answer not in out:
            findings.problem(f"simulate: {command}", f"exit code {code}, {out!r}")
    with tempfile.TemporaryDirectory() as folder:
        saved = os.path.join(folder, "walk.txt")
        code, out = walk(f"do open first=EUR 60.00\ndo withdraw amount=EUR 7.50\nsave {saved}\n")
        script = Path(saved).read_text(encoding="utf-8") if os.path.exists(saved) else ""
        if code != 0 or "withdraw amount=EUR 7.50\n" not in script:
            findings.problem("simulate: save", f"exit code {code}, {out!r}, {script!r}")
        code, out = walk("", "--script", saved)
        if code != 0 or "balance = EUR 52.50" not in out:
            findings.problem("simulate: --script", f"exit code {code}, {out!r}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whittle", required=True, help="the program")
    arguments = parser.parse_args()
    arguments.whittle = str(Path(arguments.whittle).resolve())
    findings = Findings("cli")
    check_calls(findings, arguments.whittle)
    check_folder(findings, arguments.whittle)
    check_broken_file(findings, arguments.whittle)
    check_documents(findings, arguments.whittle)
    check_signals(findings, arguments.whittle)
    check_lost_output(findings, arguments.whittle)
    check_simulation(findings, arguments.whittle)
    if os.path.exists("/dev/ptmx") and os.path.isdir("/dev/pts") and os.listdir("/dev/pts"):
        check_colours(findings, arguments.whittle)
    else:
        findings.skip("colours on a terminal: there are no terminals here (/dev/pts)")
    check_start_up(findings, arguments.whittle, most_seconds=0.2)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
