#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A second, naive reading of BPMN: the token game played on all states, for comparison.

Shares nothing with whittle's front end. Reads what the diagrams of tests/bpmn and of the corpus
use: tasks, gateways, message, timer and terminate events, embedded sub-processes, boundary events.

  token_game.py FILE [bag|fifo-pair|causal|inbox|outbox|fifo|rsc]     prints its verdicts
"""

import itertools
import sys
import xml.etree.ElementTree as ET

MODEL = "{http://www.omg.org/spec/BPMN/20100524/MODEL}"
TASKS = {"task", "userTask", "manualTask", "serviceTask", "scriptTask", "businessRuleTask",
         "callActivity", "sendTask", "receiveTask"}
GATEWAYS = {"exclusiveGateway", "parallelGateway", "inclusiveGateway", "eventBasedGateway"}
EVENTS = {"startEvent", "endEvent", "intermediateCatchEvent", "intermediateThrowEvent",
          "boundaryEvent"}
MOST_STATES = 5_000


class TooMany(Exception):
    pass


class Node:
    def __init__(self, element, kind, scope):
        self.id, self.kind, self.scope = element.get("id"), kind, scope
        self.host = element.get("attachedToRef")
        self.interrupting = element.get("cancelActivity", "true") != "false"
        self.default = element.get("default")
        triggers = [child.tag[len(MODEL):-len("EventDefinition")] for child in element
                    if child.tag.startswith(MODEL) and child.tag.endswith("EventDefinition")]
        self.trigger = triggers[0] if triggers else None
        self.cycle = any(t.tag == MODEL + "timeCycle" for t in element.iter())
        self.incoming, self.outgoing = [], []


class Diagram:
    def __init__(self, path):
        root = ET.parse(path).getroot()
        self.nodes, self.flows, self.messages = {}, {}, []
        self.scopes = {}  # id of process or sub-process: the one around it
        self.pools = []
        for process in root.findall(MODEL + "process"):
            self.pools.append(process.get("id"))
            self.read(process, process.get("id"), None)
        self.process_of = {n: self.pool(n) for n in self.nodes}
        for flow in list(self.flows.values()):
            source, target = self.nodes[flow["source"]], self.nodes[flow["target"]]
            source.outgoing.append(flow["id"])
            target.incoming.append(flow["id"])
        for node in self.nodes.values():
            if (node.kind == "startEvent" and node.trigger is not None
                    and self.scopes[node.scope] is not None):
                node.kind = "intermediateCatchEvent"
            if not node.incoming and node.kind not in ("startEvent", "boundaryEvent"):
                flow = {"id": "begin " + node.id, "source": None, "target": node.id,
                        "scope": node.scope, "condition": False}
                self.flows[flow["id"]] = flow
                node.incoming.append(flow["id"])
        for element in root.iter(MODEL + "messageFlow"):
            source, target = element.get("sourceRef"), element.get("targetRef")
            self.messages.append({"name": element.get("name") or element.get("id"),
                                  "source": source if source in self.nodes else None,
                                  "target": target if target in self.nodes else None})

    def read(self, element, scope, around):
        self.scopes[scope] = around
        for child in element:
            kind = child.tag[len(MODEL):] if child.tag.startswith(MODEL) else ""
            if kind in TASKS | GATEWAYS | EVENTS | {"subProcess"}:
                self.nodes[child.get("id")] = Node(child, kind, scope)
            if kind == "subProcess":
                self.read(child, child.get("id"), scope)
            if kind == "sequenceFlow":
                self.flows[child.get("id")] = {
                    "id": child.get("id"), "source": child.get("sourceRef"),
                    "target": child.get("targetRef"), "scope": scope,
                    "condition": child.find(MODEL + "conditionExpression") is not None}

    def pool(self, node):
        scope = self.nodes[node].scope
        while self.scopes[scope] is not None:
            scope = self.scopes[scope]
        return scope

    def within(self, scope, outer):
        while scope is not None:
            if scope == outer:
                return True
            scope = self.scopes[scope]
        return False


class Game:
    """A state: tokens per flow, activities going on, messages, phase of each pool."""

    def __init__(self, diagram, network):
        self.d, self.network = diagram, network
        self.flows = sorted(diagram.flows)
        self.watched = {n.host for n in diagram.nodes.values() if n.host}
        self.marks = sorted(n.id for n in diagram.nodes.values()
                            if n.kind == "subProcess" or n.id in self.watched)
        self.once = sorted(n.id for n in diagram.nodes.values()
                           if n.kind == "boundaryEvent" and not n.interrupting
                           and n.trigger == "timer" and not n.cycle)
        self.upstream = {}

    # ----- states as tuples
    def start(self):
        state = {"tokens": dict.fromkeys(self.flows, 0), "marks": dict.fromkeys(self.marks, 0),
                 "once": dict.fromkeys(self.once, 0), "queue": (),
                 "counts": [0] * len(self.d.messages), "phase": {},
                "knows": dict.fromkeys(self.d.pools, frozenset())}
        for pool in self.d.pools:
            first = self.first(pool)
            for flow in first:
                state["tokens"][flow] = 1
            state["phase"][pool] = "running" if first else "not started"
        return self.frozen(state)

    def frozen(self, s):
        return (tuple(s["tokens"][f] for f in self.flows), tuple(s["marks"][m] for m in self.marks),
                tuple(s["once"][o] for o in self.once), tuple(s["queue"]), tuple(s["counts"]),
                tuple(s["phase"][p] for p in self.d.pools),
                tuple(s["knows"][p] for p in self.d.pools))

    def thawed(self, s):
        return {"tokens": dict(zip(self.flows, s[0])), "marks": dict(zip(self.marks, s[1])),
                "once": dict(zip(self.once, s[2])), "queue": list(s[3]), "counts": list(s[4]),
                "phase": dict(zip(self.d.pools, s[5])),
                "knows": dict(zip(self.d.pools, s[6]))}

    def first(self, scope):
        result = []
        for flow in self.d.flows.values():
            if flow["scope"] != scope:
                continue
            node = self.d.nodes.get(flow["source"])
            inside = self.d.scopes[scope] is not None
            if node is None or node.kind == "startEvent" and (inside or node.trigger is None):
                result.append(flow["id"])
        return result

    # ----- messages
    def key(self, m):
        """The queue of a message flow, and its name there."""
        a, b = self.d.process_of[m["source"]], self.d.process_of[m["target"]]
        queue = {"fifo-pair": (a, b), "inbox": b, "outbox": a, "fifo": 0}.get(self.network)
        return queue, (m["name"], a, b)

    def sends(self, s, node):
        flows = [i for i, m in enumerate(self.d.messages) if m["source"] == node]
        if not flows:
            yield s
        for i in flows:
            t = self.copy(s)
            if self.d.messages[i]["target"] is not None:
                if self.network == "rsc" and any(s["counts"]):
                    continue
                t["counts"][i] += 1
                if self.network == "causal":
                    self.send_causally(t, self.key(self.d.messages[i])[1])
                elif self.network not in ("bag", "rsc"):
                    t["queue"].append(self.key(self.d.messages[i]))
            yield t

    def receives(self, s, node):
        flows = [i for i, m in enumerate(self.d.messages) if m["target"] == node]
        if not flows:
            yield s
        for i in flows:
            t = self.copy(s)
            if self.d.messages[i]["source"] is not None:
                if not t["counts"][i]:
                    continue
                if self.network == "causal":
                    if not self.take_causally(t, self.key(self.d.messages[i])[1]):
                        continue
                elif self.network not in ("bag", "rsc"):
                    queue, name = self.key(self.d.messages[i])
                    first = next((e for e in t["queue"] if e[0] == queue), None)
                    if first != (queue, name):
                        continue
                    t["queue"].remove(first)
                t["counts"][i] -= 1
            yield t

    # A message in transit: its key, and the numbers of those that its sender knew of.
    @staticmethod
    def send_causally(t, key):
        sender = key[1]
        t["queue"].append((key, t["knows"][sender]))
        t["knows"][sender] |= {len(t["queue"]) - 1}

    @staticmethod
    def take_causally(t, key):
        receiver = key[2]
        for k, (other, known) in enumerate(t["queue"]):
            if other != key or any(t["queue"][j][0][2] == receiver for j in known):
                continue
            t["knows"][receiver] |= known

            def without(numbers, gone=k):
                return frozenset(n - (n > gone) for n in numbers if n != gone)

            del t["queue"][k]
            t["queue"][:] = [(kept, without(numbers)) for kept, numbers in t["queue"]]
            for pool in t["knows"]:
                t["knows"][pool] = without(t["knows"][pool])
            return True
        return False

    def copy(self, s):
        return {k: (v.copy() if not isinstance(v, tuple) else v) for k, v in s.items()}

    # ----- steps
    def sources(self, node):
        for flow in node.incoming:
            source = self.d.nodes.get(self.d.flows[flow]["source"])
            if source is not None and source.kind == "eventBasedGateway":
                yield from source.incoming
            else:
                yield flow

    def takes(self, s, node):
        for flow in self.sources(node):
            if s["tokens"][flow]:
                t = self.copy(s)
                t["tokens"][flow] -= 1
                yield t

    def gives(self, s, node):
        free = [f for f in node.outgoing if self.d.flows[f]["condition"]]
        for chosen in itertools.product((False, True), repeat=len(free)):
            t = self.copy(s)
            for flow in node.outgoing:
                if flow not in free or chosen[free.index(flow)]:
                    t["tokens"][flow] += 1
            yield t

    def clear(self, s, scope):
        for flow in self.flows:
            if self.d.within(self.d.flows[flow]["scope"], scope):
                s["tokens"][flow] = 0
        for mark in self.marks:
            if self.d.within(self.d.nodes[mark].scope, scope):
                s["marks"][mark] = 0

    def quiet(self, s, scope):
        return (all(not s["tokens"][f] for f in self.flows
                    if self.d.within(self.d.flows[f]["scope"], scope))
                and all(not s["marks"][m] for m in self.marks
                        if self.d.within(self.d.nodes[m].scope, scope)))

    def before(self, flow, gateway):
        if (flow, gateway) not in self.upstream:
            flows, marks, seen, open_ = set(), set(), set(), [self.d.flows[flow]["source"]]
            while open_:
                n = open_.pop()
                if n is None or n == gateway or n in seen:
                    continue
                seen.add(n)
                node = self.d.nodes[n]
                if n in self.marks:
                    marks.add(n)
                open_.append(node.host)
                flows |= set(node.incoming)
                open_ += [self.d.flows[f]["source"] for f in node.incoming]
            self.upstream[flow, gateway] = flows, marks
        return self.upstream[flow, gateway]

    def inclusive_ready(self, s, node):
        full = [f for f in node.incoming if s["tokens"][f]]
        if not full:
            return False
        flows, marks = set(), set()
        for f in full:
            flows |= self.before(f, node.id)[0]
            marks |= self.before(f, node.id)[1]
        return all(not any(s["tokens"][g] for g in self.before(f, node.id)[0] - flows)
                   and not any(s["marks"][m] for m in self.before(f, node.id)[1] - marks)
                   for f in node.incoming if not s["tokens"][f])

    def steps(self, frozen):
        s = self.thawed(frozen)
        for node in self.d.nodes.values():
            for name, t in self.steps_of(s, node):
                yield name, self.frozen(t)
        for pool in self.d.pools:
            if s["phase"][pool] == "running" and self.quiet(s, pool):
                t = self.copy(s)
                t["phase"][pool] = "complete"
                yield "end of " + pool, self.frozen(t)

    def steps_of(self, s, node):
        kind, pool = node.kind, self.d.process_of[node.id]
        if kind == "startEvent":
            if node.trigger is None or self.d.scopes[node.scope] is not None:
                return
            again = ("not started", "complete") if node.trigger == "message" else ("not started",)
            if s["phase"][pool] not in again:
                return
            for t in self.receives(s, node.id):
                for u in self.gives(t, node):
                    u["phase"][pool] = "running"
                    yield node.id, u
            return
        if s["phase"][pool] != "running":
            return
        if kind == "endEvent":
            for t in self.takes(s, node):
                if node.trigger == "terminate":
                    self.clear(t, node.scope)
                    yield node.id, t
                elif node.trigger == "message":
                    yield from ((node.id, u) for u in self.sends(t, node.id))
                else:
                    yield node.id, t
        elif kind == "boundaryEvent":
            yield from self.boundary(s, node)
        elif kind == "subProcess":
            yield from self.sub_process(s, node)
        elif kind == "exclusiveGateway":
            for t in self.takes(s, node):
                if not node.outgoing:
                    yield node.id, t
                for flow in node.outgoing:
                    u = self.copy(t)
                    u["tokens"][flow] += 1
                    yield node.id, u
        elif kind == "parallelGateway":
            if all(s["tokens"][f] for f in node.incoming):
                t = self.copy(s)
                for f in node.incoming:
                    t["tokens"][f] -= 1
                for f in node.outgoing:
                    t["tokens"][f] += 1
                yield node.id, t
        elif kind == "inclusiveGateway":
            if self.inclusive_ready(s, node):
                yield from self.leave_inclusive(s, node)
        elif kind != "eventBasedGateway":
            yield from self.task(s, node)

    def leave_inclusive(self, s, node):
        t = self.copy(s)
        for f in node.incoming:
            t["tokens"][f] -= t["tokens"][f] > 0
        others = [f for f in node.outgoing if f != node.default or len(node.outgoing) == 1]
        choices = [c for n in range(1, len(others) + 1) for c in itertools.combinations(others, n)]
        if len(node.outgoing) == 1:
            choices = [tuple(node.outgoing)]
        elif node.default in node.outgoing:
            choices.append((node.default,))
        for chosen in choices or [()]:
            u = self.copy(t)
            for f in chosen:
                u["tokens"][f] += 1
            yield node.id, u

    def work(self, s, node):
        """What a task or an event does when it happens."""
        sends = node.kind == "sendTask" or (node.kind == "intermediateThrowEvent"
                                            and node.trigger == "message")
        receives = node.kind == "receiveTask" or (node.kind == "intermediateCatchEvent"
                                                  and node.trigger == "message")
        for t in self.sends(s, node.id) if sends else \
                self.receives(s, node.id) if receives else [s]:
            yield from self.gives(t, node)

    def task(self, s, node):
        if node.id not in self.watched:
            for t in self.takes(s, node):
                yield from ((node.id, u) for u in self.work(t, node))
            return
        for t in self.takes(s, node):
            t["marks"][node.id] += 1
            self.forget(t, node)
            yield node.id, t
        if s["marks"][node.id]:
            t = self.copy(s)
            t["marks"][node.id] -= 1
            yield from (("end of " + node.id, u) for u in self.work(t, node))

    def forget(self, s, node):
        for o in self.once:
            if self.d.nodes[o].host == node.id:
                s["once"][o] = 0

    def sub_process(self, s, node):
        if not s["marks"][node.id]:
            for t in self.takes(s, node):
                t["marks"][node.id] = 1
                self.forget(t, node)
                for flow in self.first(node.id):
                    t["tokens"][flow] += 1
                yield node.id, t
        elif self.quiet(s, node.id):
            t = self.copy(s)
            t["marks"][node.id] = 0
            yield from (("end of " + node.id, u) for u in self.gives(t, node))

    def boundary(self, s, node):
        if not s["marks"].get(node.host):
            return
        if node.trigger == "error" and self.d.nodes[node.host].kind == "subProcess":
            return
        if node.id in self.once and s["once"][node.id]:
            return
        for t in self.receives(s, node.id) if node.trigger == "message" else [self.copy(s)]:
            if node.interrupting:
                if self.d.nodes[node.host].kind == "subProcess":
                    self.clear(t, node.host)
                t["marks"][node.host] -= 1
            if node.id in self.once:
                t["once"][node.id] = 1
            yield from ((node.id, u) for u in self.gives(t, node))

    # ----- all states
    def explore(self):
        start = self.start()
        seen, order, back = {start}, [start], {}
        safe, happened = True, set()
        stuck = False
        for state in order:
            safe = safe and all(n <= 1 for n in state[0])
            steps = list(self.steps(state))
            resting = all(p != "running" for p in state[5])
            stuck = stuck or (not steps and not resting)
            for name, after in steps:
                happened.add(name)
                back.setdefault(after, []).append(state)
                if after not in seen:
                    if len(seen) >= MOST_STATES or max(after[0]) > 20:
                        raise TooMany
                    seen.add(after)
                    order.append(after)
        good = [s for s in order if all(p != "running" for p in s[5])]
        kept = [s for s in good if not any(s[4])]
        return {"states": len(order), "safe": safe, "stuck": not stuck,
                "ends": len(self.closure(good, back)) == len(order),
                "messages": len(self.closure(kept, back)) == len(order), "happened": happened}

    @staticmethod
    def closure(goal, back):
        reached, open_ = set(goal), list(goal)
        while open_:
            for before in back.get(open_.pop(), []):
                if before not in reached:
                    reached.add(before)
                    open_.append(before)
        return reached


def play(path, network="bag"):
    """Verdicts by name; None: too many states."""
    try:
        return Game(Diagram(path), network).explore()
    except TooMany:
        return None


if __name__ == "__main__":
    print(play(sys.argv[1], *sys.argv[2:3]))
