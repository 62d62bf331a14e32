#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The documentation says what there is: links and paths lead somewhere, every script has its line, every
diagnostic is used, every language and engine has a page, and languages have examples.

With --whittle the lists come from the program; without it these parts are left out.
"""

import argparse
import re
import subprocess
import sys

from findings import ROOT, Findings, cpp_files, lines_of, source_files

LINK = re.compile(r"\]\(([^)#\s]+)(#[^)]*)?\)")


def check_links(findings):
    for file in source_files(".md"):
        fenced = False
        for number, line in enumerate(lines_of(file), 1):
            if line.lstrip().startswith("```"):
                fenced = not fenced
            for target, _ in [] if fenced else LINK.findall(line):
                if "://" not in target and not (ROOT / file.parent / target).exists():
                    findings.problem(f"{file}:{number}", f"{target} does not exist")


def check_mentions(findings):
    """A document that a comment in the code names is in the tree."""
    for file in source_files(".h", ".cpp", ".py", ".def", ".sh"):
        for number, line in enumerate(lines_of(file), 1):
            for name in re.findall(r"(?<![\w/<*.{])([A-Za-z][\w/-]*\.md)\b", line):
                places = (ROOT / name, ROOT / "docs" / name, ROOT / "docs/adr" / name)
                if "`" + name not in line and not any(place.exists() for place in places):
                    findings.problem(f"{file}:{number}", f"{name} does not exist")


# What a document calls by its path: in backquotes, with a slash or the ending of a source.
NAMED = re.compile(r"`([\w./-]+)`")
OURS = {path.name for path in ROOT.iterdir() if path.is_dir()} - {"build"}
SOURCE_ROOTS = ("", "src", "apps", "docs", "scripts")


def is_path(name):
    first, _, rest = name.partition("/")
    folders = OURS | {path.name for root in ("src", "apps") for path in (ROOT / root).iterdir()}
    return bool(rest) and first in folders or bool(re.search(r"[a-z0-9]\.(cpp|h|py)$", name))


def exists(name):
    if any((ROOT / root / name).exists() for root in SOURCE_ROOTS):
        return True
    return "/" not in name and any(file.name == name for file in source_files())


def check_paths(findings):
    """The files and folders that documents name exist."""
    for file in source_files(".md"):
        fenced = False
        for number, line in enumerate(lines_of(file), 1):
            if line.lstrip().startswith("```"):
                fenced = not fenced
            for name in [] if fenced else NAMED.findall(line):
                if is_path(name) and not exists(name):
                    findings.problem(f"{file}:{number}", f"{name} does not exist")


def check_scripts(findings):
    listed = (ROOT / "scripts/README.md").read_text()
    for path in sorted((ROOT / "scripts").iterdir()):
        if path.is_file() and path.name != "README.md" and f"`{path.name}`" not in listed:
            findings.problem("scripts/README.md", f"has no line for {path.name}")


def check_adr_numbers(findings):
    numbers = {}
    for path in sorted((ROOT / "docs/adr").glob("*.md")):
        number = path.name[:3]
        if number in numbers:
            findings.problem(f"docs/adr/{path.name}", f"has the number of {numbers[number]}")
        numbers[number] = path.name


def check_diagnostics_are_used(findings):
    """An id that is listed occurs in the code, and one in the code is listed."""
    listed = set()
    for path in sorted((ROOT / "src/base/diagnostics").glob("*.def")):
        listed |= set(re.findall(r'DIAGNOSTIC\(\s*"([^"]+)"', path.read_text()))
    used = {}
    for file in cpp_files("src", "apps"):
        for number, line in enumerate(lines_of(file), 1):
            code = line.split("//")[0]
            for identifier in re.findall(r'"([a-z]+-[a-z0-9-]+)"', code):
                # Words are ids only where the lists say so.
                if identifier in listed or re.fullmatch(r"[a-z]+-\d{3}", identifier):
                    used.setdefault(identifier, f"{file}:{number}")
    for identifier in sorted(used.keys() - listed):
        findings.problem(used[identifier], f"{identifier} is not listed in src/base/diagnostics/")
    for identifier in sorted(listed - used.keys()):
        findings.problem("src/base/diagnostics", f"{identifier} is reported nowhere")


def listed_by(whittle, command):
    """The ids that `whittle languages` or `whittle engines` names: what begins a line."""
    done = subprocess.run([whittle, command], capture_output=True, text=True, check=True)
    return re.findall(r"^(\w+)", done.stdout, re.M)


def check_pages(findings, whittle, command):
    ids = listed_by(whittle, command)
    if not ids:
        findings.problem(command, f"whittle {command} lists nothing")
    for identifier in ids:
        page = ROOT / "docs" / command / f"{identifier}.md"
        if not page.exists():
            findings.problem(page.relative_to(ROOT), "this page is missing")
        if command == "languages" and not any((ROOT / "examples" / identifier).glob("*")):
            findings.problem(f"examples/{identifier}", "a language needs an example")


def main():
    parser = argparse.ArgumentParser(description="Checks the documentation.")
    parser.add_argument("--whittle", help="the program")
    arguments = parser.parse_args()
    findings = Findings("check_docs")
    checks = [lambda: check_links(findings), lambda: check_mentions(findings),
              lambda: check_paths(findings),
              lambda: check_scripts(findings),
              lambda: check_adr_numbers(findings), lambda: check_diagnostics_are_used(findings)]
    if arguments.whittle:
        checks += [lambda: check_pages(findings, arguments.whittle, "languages"),
                   lambda: check_pages(findings, arguments.whittle, "engines")]
    for check in checks:
        before = findings.problems
        check()
        findings.case(before)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
