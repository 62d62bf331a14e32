#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Diagrams with one planted fault each, and the same repaired: the fault is found, the gateway or
task is named where tokens wait or double, and the repaired twin has no fault of any kind."""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import Findings  # noqa: E402

KINDS = {"s": "startEvent", "e": "endEvent", "t": "task", "x": "exclusiveGateway",
         "p": "parallelGateway", "o": "inclusiveGateway", "snd": "sendTask", "rcv": "receiveTask",
         "ev": "eventBasedGateway"}
STUCK, DOUBLED, ONCE = "no stuck token", "no doubled token", "ends once"
END, LOST = "every start leads to an end", "no lost message"


class Case:
    """`faulty` and `repaired` are texts of pools, a line each: nodes of the kinds above with their
    names, then `a>b>c` for flows; `A.x~B.y name` is a message flow."""

    def __init__(self, name, faulty, repaired, question, named):
        self.name, self.faulty, self.repaired = name, faulty, repaired
        self.question, self.named = question, named


CASES = [
    Case("choice joined by a parallel gateway",
         "s:S x:Split t:A t:B p:Join e:E | S>Split>A>Join>E Split>B>Join",
         "s:S x:Split t:A t:B x:Join e:E | S>Split>A>Join>E Split>B>Join", STUCK, "Join"),
    Case("parallel branches merged by a choice",
         "s:S p:Split t:A t:B x:Merge t:C e:E | S>Split>A>Merge>C>E Split>B>Merge",
         "s:S p:Split t:A t:B p:Merge t:C e:E | S>Split>A>Merge>C>E Split>B>Merge", DOUBLED,
         "Merge"),
    Case("parallel branches meet at a task",
         "s:S p:Split t:A t:B t:C e:E | S>Split>A>C>E Split>B>C",
         "s:S p:Split t:A t:B p:Join t:C e:E | S>Split>A>Join>C>E Split>B>Join", DOUBLED, "C"),
    Case("inclusive branches joined by a parallel gateway",
         "s:S o:Split t:A t:B p:Join e:E | S>Split>A>Join>E Split>B>Join",
         "s:S o:Split t:A t:B o:Join e:E | S>Split>A>Join>E Split>B>Join", STUCK, "Join"),
    Case("a loop back into a parallel join",
         "s:S p:Join t:A x:Again e:E | S>Join>A>Again>E Again>Join",
         "s:S x:Join t:A x:Again e:E | S>Join>A>Again>E Again>Join", STUCK, "Join"),
    Case("livelock",
         "s:S x:Loop t:Try x:Back t:Wait e:E | S>Loop>Try>Back>Wait>Loop",
         "s:S x:Loop t:Try x:Back t:Wait e:E | S>Loop>Try>Back>Wait>Loop Back>E", END, None),
    Case("a branch that leaves a parallel block",
         "s:S p:Split t:A x:Choose t:B p:Join e:E e:Out | S>Split>A>Join>E Split>Choose>B>Join "
         "Choose>Out",
         "s:S p:Split t:A x:Choose t:B x:Meet p:Join e:E | S>Split>A>Join>E Split>Choose>B>Meet>Join "
         "Choose>Meet", STUCK, "Join"),
    Case("the process ends while a branch goes on",
         "s:S p:Split t:A t:B e:E e:F | S>Split>A>E Split>B>F",
         "s:S p:Split t:A t:B p:Join e:E | S>Split>A>Join>E Split>B>Join", ONCE, None),
    Case("a task after an unjoined block",
         "s:S p:Split t:A t:B x:One t:C p:After t:D t:F p:Join e:E | S>Split>A>One Split>B>One "
         "One>C>After>D>Join>E After>F>Join",
         "s:S p:Split t:A t:B p:One t:C p:After t:D t:F p:Join e:E | S>Split>A>One Split>B>One "
         "One>C>After>D>Join>E After>F>Join", DOUBLED, "One"),
    Case("a message that is never taken",
         "s:S x:Buy snd:Order t:Leave x:M e:E | S>Buy>Order>M>E Buy>Leave>M // "
         "s:T x:Listen rcv:Take t:Close x:N e:F | T>Listen>Take>N>F Listen>Close>N // "
         "Order~Take order",
         "s:S snd:Order e:E | S>Order>E // s:T rcv:Take e:F | T>Take>F // Order~Take order",
         LOST, "Order"),  # the run ends before it sends
    Case("a message that is never sent",
         "s:S x:Buy snd:Order t:Leave x:M e:E | S>Buy>Order>M>E Buy>Leave>M // "
         "s:T rcv:Take e:F | T>Take>F // Order~Take order",
         "s:S snd:Order t:Leave e:E | S>Order>Leave>E // s:T rcv:Take e:F | T>Take>F // "
         "Order~Take order", STUCK, "Take"),
    Case("two pools wait for each other",
         "s:S rcv:A snd:B e:E | S>A>B>E // s:T rcv:C snd:D e:F | T>C>D>F // B~C one // D~A two",
         "s:S snd:B rcv:A e:E | S>B>A>E // s:T rcv:C snd:D e:F | T>C>D>F // B~C one // D~A two",
         STUCK, "A"),
    Case("a dead task",
         "s:S x:G t:A t:B p:Join t:Dead x:M e:E | S>G>A>M>E G>B>Join>Dead>M G>Join",
         "s:S p:G t:A t:B p:Join t:Dead p:M e:E | S>G>A>M>E G>B>Join>Dead>M G>Join",
         "`Dead` can happen", None),
]


# B writes to A, then to C, which writes to A, and A wants to hear C first: in causal order, and in
# all stronger ones, it waits for ever.
TRIANGLE = ("s:S rcv:FromC rcv:FromB e:E | S>FromC>FromB>E // s:T snd:ToA snd:ToC e:F | T>ToA>ToC>F // "
            "s:U rcv:FromB2 snd:ToA2 e:G | U>FromB2>ToA2>G // "
            "ToA~FromB one // ToC~FromB2 two // ToA2~FromC three")
ORDERS = {"bag": "holds", "fifo-pair": "holds", "causal": "violated", "inbox": "violated",
          "outbox": "violated", "fifo": "violated", "rsc": "violated"}


def pool(text, number):
    nodes, flows = [part.split() for part in text.split("|")]
    out, ids = [f'<process id="P{number}">'], {}
    for node in nodes:
        kind, name = node.split(":")
        ids[name] = f"n{number}_{name}"
        out.append(f'<{KINDS[kind]} id="{ids[name]}" name="{name}"/>')
    count = 0
    for chain in flows:
        names = chain.split(">")
        for source, target in zip(names, names[1:]):
            count += 1
            out.append(f'<sequenceFlow id="f{number}_{count}" sourceRef="{ids[source]}" '
                       f'targetRef="{ids[target]}"/>')
    return "\n".join([*out, "</process>"]), ids


def diagram(text):
    parts = [part.strip() for part in text.split("//")]
    pools, ids = [], {}
    for part in parts:
        if "|" in part:
            body, own = pool(part, len(pools))
            pools.append(body)
            ids.update(own)
    flows = [re.fullmatch(r"(\w+)~(\w+) (\w+)", part) for part in parts if "|" not in part]
    collaboration = "".join(
        f'<participant id="q{i}" name="Pool {i}" processRef="P{i}"/>' for i in range(len(pools)))
    collaboration += "".join(
        f'<messageFlow id="m{i}" name="{flow[3]}" sourceRef="{ids[flow[1]]}" '
        f'targetRef="{ids[flow[2]]}"/>' for i, flow in enumerate(flows))
    return ('<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"><collaboration id="c">'
            f'{collaboration}</collaboration>{"".join(pools)}</definitions>')


class Planted:
    def __init__(self, whittle, folder):
        self.whittle, self.folder, self.findings = whittle, Path(folder), Findings("planted")

    def results(self, name, text, *options):
        file = self.folder / f"{re.sub('[^a-z]+', '_', name)}.bpmn"
        file.write_text(diagram(text), encoding="utf-8")
        done = subprocess.run([self.whittle, "check", "--json", "--timeout", "10", *options,
                               str(file)],
                              capture_output=True, text=True, timeout=300)
        if done.returncode not in (0, 1, 3):
            self.findings.problem(name, f"exit code {done.returncode}: {done.stderr[:300]}")
            return []
        return json.loads(done.stdout)["results"]

    @staticmethod
    def nobody_decides(result):
        """There is no engine for such questions in this build."""
        return result["verdict"] == "unknown" and "no engine decides" in json.dumps(result)

    def faulty(self, case):
        results = [r for r in self.results(case.name, case.faulty)
                   if r["property"].startswith(case.question)]
        found = [r for r in results if r["verdict"] == "violated"]
        if results and all(map(self.nobody_decides, results)):
            return
        if not found:
            verdicts = [r["verdict"] for r in results]
            self.findings.problem(case.name, f"`{case.question}` is {verdicts}, not violated")
        elif case.named is not None and not any(
                f"`{case.named}`" in note for r in found for note in r["notes"]):
            self.findings.problem(case.name, f"no note names `{case.named}`: {found[0]['notes']}")

    def repaired(self, case):
        results = self.results(case.name + " repaired", case.repaired)
        if not results:
            self.findings.problem(case.name, "the repaired twin has no answers")
        for result in results:
            if result["verdict"] != "holds" and not self.nobody_decides(result):
                self.findings.problem(f"{case.name}, repaired",
                                      f"`{result['property']}` is {result['verdict']}")

    def run(self):
        for case in CASES:
            for part in (self.faulty, self.repaired):
                before = self.findings.problems
                part(case)
                self.findings.case(before)
        for network, expected in ORDERS.items():
            before = self.findings.problems
            found = [r["verdict"] for r in
                     self.results(f"three pools {network}", TRIANGLE, "--bpmn-network", network)
                     if r["property"] == STUCK]
            if found != [expected]:
                self.findings.problem(f"three pools, {network}", f"`{STUCK}` is {found}, not {expected}")
            self.findings.case(before)
        return self.findings.finish()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whittle", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return Planted(arguments.whittle, folder).run()


if __name__ == "__main__":
    sys.exit(main())
