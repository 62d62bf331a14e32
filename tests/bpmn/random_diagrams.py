# SPDX-License-Identifier: Apache-2.0
"""Random BPMN diagrams: blocks inside each other, then a few flows that go where they should not."""

import random

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<b:definitions xmlns:b="http://www.omg.org/spec/BPMN/20100524/MODEL" id="random">
"""


class Writer:
    """The elements of one process."""

    def __init__(self, rng, prefix):
        self.rng, self.prefix = rng, prefix
        self.nodes, self.flows, self.count = [], [], 0
        self.senders, self.receivers = [], []

    def fresh(self, kind):
        self.count += 1
        return f"{self.prefix}{kind}{self.count}"

    def node(self, kind, body="", attributes=""):
        name = self.fresh(kind)
        self.nodes.append(f'<b:{kind} id="{name}"{attributes}>{body}</b:{kind}>')
        return name

    def flow(self, source, target):
        name = self.fresh("f")
        self.flows.append(f'<b:sequenceFlow id="{name}" sourceRef="{source}" targetRef="{target}"/>')

    def block(self, depth):
        """First and last node of it."""
        kind = self.rng.choice(["task", "task", "sequence", "choice", "parallel", "inclusive",
                                "loop", "send", "receive", "sub", "wait"] if depth else ["task"])
        if kind == "sequence":
            first, middle = self.block(depth - 1)
            begin, last = self.block(depth - 1)
            self.flow(middle, begin)
            return first, last
        if kind in ("choice", "parallel", "inclusive"):
            return self.branches(kind, depth)
        if kind == "loop":
            join, split = self.node("exclusiveGateway"), self.node("exclusiveGateway")
            first, last = self.block(depth - 1)
            self.flow(join, first)
            self.flow(last, split)
            self.flow(split, join)
            return join, split
        if kind == "sub":
            return self.sub_process(depth)
        if kind == "wait":
            return self.waiting()
        name = self.node({"send": "sendTask", "receive": "receiveTask"}.get(kind, "task"))
        if kind == "send":
            self.senders.append(name)
        if kind == "receive":
            self.receivers.append(name)
        return name, name

    def branches(self, kind, depth):
        gateways = {"choice": "exclusiveGateway", "parallel": "parallelGateway",
                    "inclusive": "inclusiveGateway"}
        split = self.node(gateways[kind])
        # Now and then the wrong kind of join.
        join = self.node(gateways[self.rng.choice([kind] * 2 + list(gateways))])
        for _ in range(self.rng.choice([2, 2, 3])):
            first, last = self.block(depth - 1)
            self.flow(split, first)
            self.flow(last, join)
        return split, join

    def sub_process(self, depth):
        inner = Writer(self.rng, self.fresh("s"))
        inner.process(depth - 1, inside=True)
        body = "".join(inner.nodes + inner.flows)
        name = self.node("subProcess", body)
        self.senders += inner.senders
        self.receivers += inner.receivers
        if self.rng.random() < 0.5:
            trigger = self.rng.choice(["timer", "message"])
            cancel = self.rng.choice(["true", "false"])
            border = self.node("boundaryEvent", f"<b:{trigger}EventDefinition/>",
                               f' attachedToRef="{name}" cancelActivity="{cancel}"')
            if trigger == "message":
                self.receivers.append(border)
            self.flow(border, self.node("endEvent"))
        return name, name

    def waiting(self):
        gateway, join = self.node("eventBasedGateway"), self.node("exclusiveGateway")
        for trigger in self.rng.sample(["message", "timer", "message"], 2):
            event = self.node("intermediateCatchEvent", f"<b:{trigger}EventDefinition/>")
            if trigger == "message":
                self.receivers.append(event)
            self.flow(gateway, event)
            self.flow(event, join)
        return gateway, join

    def process(self, depth, inside=False, by_message=False):
        start = self.node("startEvent", "<b:messageEventDefinition/>" if by_message else "")
        if by_message:
            self.receivers.append(start)
        first, last = self.block(depth)
        self.flow(start, first)
        body = self.rng.choice(["", "", "", "<b:terminateEventDefinition/>"])
        self.flow(last, self.node("endEvent", body))
        if not inside and self.rng.random() < 0.4:
            inner = [n.split('"')[1] for n in self.nodes
                     if not n.startswith(("<b:startEvent", "<b:endEvent", "<b:boundary"))]
            plain = [n for n in inner if "Catch" not in n and "eventBased" not in n]
            if plain:
                self.flow(self.rng.choice(plain), self.rng.choice(plain))


def random_diagram(seed):
    rng = random.Random(seed)
    pools = rng.choice([1, 1, 2])
    writers = []
    for p in range(pools):
        writer = Writer(rng, f"p{p}")
        writer.process(rng.choice([1, 2, 2, 3]), by_message=p == 1 and rng.random() < 0.4)
        writers.append(writer)
    text = HEAD
    if pools == 2:
        text += '<b:collaboration id="c">'
        text += "".join(f'<b:participant id="pool{p}" name="P{p}" processRef="proc{p}"/>'
                        for p in range(2))
        for source, target in ((0, 1), (1, 0)):
            free = list(writers[target].receivers)
            for sender in writers[source].senders:
                if free:
                    receiver = free.pop(rng.randrange(len(free)))
                    text += (f'<b:messageFlow id="m{sender}" name="{rng.choice("xyz")}" '
                             f'sourceRef="{sender}" targetRef="{receiver}"/>')
        text += "</b:collaboration>"
    for p, writer in enumerate(writers):
        text += f'<b:process id="proc{p}">' + "".join(writer.nodes + writer.flows) + "</b:process>"
    return text + "</b:definitions>\n"
