#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proofs that people read: for every example, what `check` shows of an invariant is short, and the
whole of it, pasted into the model as a demand, is accepted and proved, beside what it proves."""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import ROOT, Findings, source_files  # noqa: E402

MOST_LINES = 10  # of a proof, by default
WIDTH = 80
FLOOR = 20  # proofs in the examples: fewer, and nothing was compared


class Program:
    def __init__(self, path):
        self.path = str(Path(path).resolve())

    def __call__(self, *arguments):
        return subprocess.run([self.path, *map(str, arguments)], capture_output=True, text=True,
                              cwd=ROOT)


def with_invariant(file, name, text, proved):
    """The model with one more demand, of the specification of the proved one in Rebel; None: there
    is no place for one in this file."""
    source = file.read_text(encoding="utf-8")
    if file.suffix == ".sts":
        return f"{source}\nsafety {name}: {text}\n"
    if file.suffix == ".proc":
        return f"{source}\nproperty {name}: {text}\n"
    if file.suffix == ".vmt":
        return f"{source}\n(define-fun .{name} () Bool (! {text} :invar-property 999))\n"
    of = re.escape(proved.split(".")[0])
    listed = re.sub(rf"(\bspecification\s+{of}\b.*?\binvariants\s*\{{)", rf"\1 {name} ", source,
                    count=1, flags=re.DOTALL)
    if listed == source:
        return None
    return f"{listed}\ninvariant {name} {{ {text}; }}\n"


def proofs_of(whittle, file):
    done = whittle("check", file, "--json", "--timeout", "20", "--invariants")
    try:
        return json.loads(done.stdout)["results"]
    except (json.JSONDecodeError, KeyError):
        return []


def shown_lines(text):
    """The lines of each proof in a report."""
    proofs = []
    inside = False
    for line in text.splitlines():
        if line.startswith("    because "):
            proofs.append([line])
            inside = True
        elif inside and line.startswith("      "):
            proofs[-1].append(line)
        else:
            inside = False
    return proofs


def check_shown(findings, whittle, file):
    done = whittle("check", file, "--timeout", "20")
    for proof in shown_lines(done.stdout):
        if len(proof) > MOST_LINES:
            findings.problem(file, f"a proof of {len(proof)} lines:\n" + "\n".join(proof))
        for line in proof:
            # Only what cannot be broken may be longer.
            if len(line) > WIDTH and " " in line.strip():
                findings.problem(file, f"a line of {len(line)} columns: {line}")


def as_shown(whittle, file):
    """The proofs of `--invariant` by property, as one condition each."""
    done = whittle("check", file, "--timeout", "20", "--invariant")
    texts = {}
    name = None
    conditions = []
    for line in done.stdout.splitlines() + [""]:
        if conditions and not line.startswith("      "):
            form = {".vmt": "(and true {})", ".ebl": "{}", ".tebl": "{}"}.get(file.suffix, "({})")
            between = {".vmt": " ", ".ebl": "; ", ".tebl": "; "}.get(file.suffix, ") && (")
            texts[name] = form.format(between.join(conditions))
            conditions = []
        if found := re.match(r"\S (?:constraint )?(.+?)  holds", line):
            name = found[1]
        elif line.startswith("          ") and conditions:
            conditions[-1] += " " + line.strip()
        elif line.startswith("      ") and name and "step " not in line:
            conditions.append(line.strip())
        elif line.startswith("    because "):
            conditions = []
        elif not line.startswith("    "):
            name = None
    return texts


def check_pasted(findings, whittle, file):
    """How many proofs were pasted: in the words of the text report where they are there."""
    count = 0
    shown = as_shown(whittle, file)
    for result in proofs_of(whittle, file):
        if not result.get("invariant"):
            continue
        result["invariant"] = shown.get(result["property"], result["invariant"])
        name = f"pasted{count}"
        with tempfile.TemporaryDirectory() as folder:
            tree = Path(folder) / "tree"
            shutil.copytree(file.parents[1], tree)
            copy = tree / file.parent.name / file.name
            model = with_invariant(copy, name, result["invariant"], result["property"])
            if model is None:
                continue
            copy.write_text(model, encoding="utf-8")
            done = whittle("check", copy, "--json", "--timeout", "20")
            count += 1
            place = f"{file}: {result['property']}"
            try:
                answers = json.loads(done.stdout)
            except json.JSONDecodeError:
                findings.problem(place, f"{done.stdout}{done.stderr}")
                continue
            errors = [d["message"] for d in answers["diagnostics"] if d["severity"] == "error"]
            if errors:
                findings.problem(place, f"refused: {errors}\n{result['invariant']}")
                continue
            verdicts = {a["property"]: a["verdict"] for a in answers["results"]}
            pasted = [v for p, v in verdicts.items() if p == name or p.endswith("." + name)]
            if pasted != ["holds"]:
                findings.problem(place, f"pasted, it is {pasted}: {result['invariant']}")
            if verdicts.get(result["property"], result["verdict"]) != result["verdict"]:
                findings.problem(place, f"is no longer {result['verdict']}")
    return count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--whittle", required=True)
    parser.add_argument("--sample", action="store_true", help="every fourth example")
    parser.add_argument("files", nargs="*", help="instead of all examples")
    arguments = parser.parse_args()
    whittle = Program(arguments.whittle)
    findings = Findings("proofs")
    files = [Path(f).resolve() for f in arguments.files] or [
        ROOT / f for f in source_files(".sts", ".proc", ".ebl", ".tebl", ".vmt")
        if f.parts[0] == "examples"]
    if arguments.sample:
        files = files[::4]
    floor = 0 if arguments.files else FLOOR // 4 if arguments.sample else FLOOR
    pasted = 0
    for file in files:
        before = findings.problems
        check_shown(findings, whittle, file)
        pasted += check_pasted(findings, whittle, file)
        findings.case(before)
    before = findings.problems
    if pasted < floor:
        findings.problem("examples", f"only {pasted} proofs were pasted, expected {floor}")
    findings.case(before)
    print(f"{pasted} proofs pasted")
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
