#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Answers about BPMN diagrams against a second, naive reading of them (token_game.py): random
diagrams in all models of communication, our examples, and the diagrams of others in
shared/corpus/bpmn beside this tree (or where WHITTLE_CORPUS is), with the verdicts of their
authors' tool where docs/languages/bpmn.md names no difference."""

import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import ROOT, Findings  # noqa: E402
from random_diagrams import random_diagram  # noqa: E402
from token_game import play  # noqa: E402

NETWORKS = ["bag", "fifo-pair", "causal", "inbox", "outbox", "fifo", "rsc"]
FBPMN = {"Network01Bag": "bag", "Network02FifoPair": "fifo-pair", "Network03Causal": "causal", "Network04Inbox": "inbox",
         "Network05Outbox": "outbox", "Network06Fifo": "fifo", "Network07RSC": "rsc"}
# docs/languages/bpmn.md says why.
DIFFERENT = {("e054TEB", "inbox"), ("e054TEB", "fifo"), *(("e035SP", n) for n in NETWORKS)}
# Our names of the questions, and the game's.
QUESTIONS = {"every start leads to an end": "ends", "no lost message": "messages",
             "no stuck token": "stuck"}
FLOOR = 3  # of each verdict of each question, or nothing was compared


def answers(whittle, file, network):
    """Verdicts by property; none: refused."""
    command = [whittle, "check", "--json", "--timeout", "5", "--bpmn-network", network, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode not in (0, 1, 3):
        return None, f"exit code {done.returncode}: {done.stdout[:200]} {done.stderr[:200]}"
    return {r["property"]: r["verdict"] for r in json.loads(done.stdout)["results"]}, ""


class Differential:
    def __init__(self, whittle):
        self.whittle, self.findings, self.compared = whittle, Findings("bpmn"), {}

    def compare(self, file, network, name):
        game = play(file, network)
        if game is None:
            return
        before = self.findings.problems
        found, problem = answers(self.whittle, file, network)
        if found is None:
            self.findings.problem(f"{name} ({network})", problem)
        else:
            self.verdicts(found, game, f"{name} ({network})")
        self.findings.case(before)

    def verdicts(self, found, game, place):
        expected = {question: game[key] for question, key in QUESTIONS.items() if question in found}
        doubled = [v for p, v in found.items() if p.startswith("no doubled token")]
        found["no doubled token"] = ("violated" if "violated" in doubled else
                                     "unknown" if "unknown" in doubled else "holds")
        expected["no doubled token"] = game["safe"]
        for question, good in expected.items():
            verdict = found[question]
            if verdict == "unknown":
                continue
            key = question, verdict
            self.compared[key] = self.compared.get(key, 0) + 1
            if verdict != ("holds" if good else "violated"):
                self.findings.problem(place,
                                      f"`{question}` is {verdict}, the token game says {good}")

    def random(self, count, seed):
        # Few diagrams have messages, so some that have are looked for.
        with_messages = (k for k in itertools.count(seed + count) if "messageFlow" in random_diagram(k))
        with tempfile.TemporaryDirectory() as folder:
            for k in [*range(seed, seed + count), *itertools.islice(with_messages, 2 * count // 5)]:
                file = Path(folder) / f"random{k}.bpmn"
                file.write_text(random_diagram(k), encoding="utf-8")
                self.compare(file, NETWORKS[k % len(NETWORKS)], f"random diagram {k}")

    def corpus(self):
        named = os.environ.get("WHITTLE_CORPUS")
        folder = (Path(named) if named else ROOT.parent / "shared/corpus") / "bpmn/fbpmn"
        if not folder.is_dir():
            print("no corpus: diagrams of others are left out")
            return
        for expected in sorted(folder.glob("expected/*.json")):
            for model, networks in json.loads(expected.read_text(encoding="utf-8")).items():
                for network, verdicts in networks.items():
                    if network in FBPMN:
                        self.authors(folder / f"{model}.bpmn", FBPMN[network], verdicts)

    def authors(self, file, network, verdicts):
        before = self.findings.problems
        found, _ = answers(self.whittle, file, network)
        if found is None or (file.stem, network) in DIFFERENT:
            return
        doubled = [v for p, v in found.items() if p.startswith("no doubled token")]
        ours = {"Prop02Safe": "violated" if "violated" in doubled else
                "unknown" if "unknown" in doubled else "holds",
                "Prop03Sound": found.get("no lost message", found["every start leads to an end"]),
                "Prop04MsgSound": found["every start leads to an end"]}
        for name, verdict in ours.items():
            if verdict != "unknown" and verdict != ("holds" if verdicts[name]["value"] else
                                                    "violated"):
                self.findings.problem(f"{file.name} ({network})", f"{name} is {verdict}")
        self.findings.case(before)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whittle", required=True)
    parser.add_argument("--random", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    differential = Differential(arguments.whittle)
    differential.corpus()
    for file in sorted((ROOT / "examples/bpmn").glob("*.bpmn")):
        differential.compare(file, "bag", file.name)
    differential.random(arguments.random, arguments.seed)
    for question in [*QUESTIONS, "no doubled token"]:
        for verdict in ("holds", "violated"):
            count = differential.compared.get((question, verdict), 0)
            if count < FLOOR:
                differential.findings.problem("floor", f"`{question}` was {verdict} only {count} times")
    return differential.findings.finish()


if __name__ == "__main__":
    sys.exit(main())
