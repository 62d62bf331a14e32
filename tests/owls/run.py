#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""OWL-S: documents of others in shared/corpus/owls beside this tree (or where WHITTLE_CORPUS is)
load, or are refused with a reason; what each construct means, on small documents with known
answers; and the same graph written in different ways of RDF/XML gives the same answers."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from findings import ROOT, Findings  # noqa: E402

HEAD = """<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [ <!ENTITY p "http://www.daml.org/services/owl-s/1.1/Process.owl">
                    <!ENTITY xsd "http://www.w3.org/2001/XMLSchema"> ]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="&p;#"
  xmlns:e="http://www.daml.org/services/owl-s/1.1/generic/Expression.owl#"
  xmlns:swrl="http://www.w3.org/2003/11/swrl#" xml:base="http://example.org/x">
"""


def expression(text):
    return ('<e:Condition><e:expressionLanguage rdf:resource="urn:whittle"/>'
            f"<e:expressionBody><![CDATA[{text}]]></e:expressionBody></e:Condition>")


def parameter(role, kind, name, sort="integer"):
    return (f'<{role}><{kind} rdf:ID="{name}"><parameterType>&xsd;#{sort}</parameterType>'
            f"</{kind}></{role}>")


def atomic(name, before="", effect="", parameters=""):
    result = f"<hasResult><Result><hasEffect>{expression(effect)}</hasEffect></Result></hasResult>"
    return (f'<AtomicProcess rdf:ID="{name}">{parameters}'
            + (f"<hasPrecondition>{expression(before)}</hasPrecondition>" if before else "")
            + (result if effect else "") + "</AtomicProcess>")


def perform(name):
    return f'<Perform rdf:ID="Do{name}"><process rdf:resource="#{name}"/></Perform>'


def listed(kind, *parts):
    return (f'<{kind}><components rdf:parseType="Collection">{"".join(parts)}</components>'
            f"</{kind}>")


def gives(kind, link, name, value):
    return (f'<{kind} rdf:ID="{kind}{name}{len(value)}{value[0]}"><{link}><OutputBinding>'
            f'<toParam rdf:resource="#{name}"/><valueFunction rdf:datatype="urn:whittle">{value}'
            f"</valueFunction></OutputBinding></{link}></{kind}>")


def document(construct, *processes, parameters=""):
    return (f'{HEAD}<CompositeProcess rdf:ID="All">{parameters}<composedOf>{construct}</composedOf>'
            f'</CompositeProcess>{"".join(processes)}</rdf:RDF>')


N = parameter("hasLocal", "Local", "n")
ZERO = gives("Set", "setBinding", "n", "0")
COUNT = atomic("Up", effect="n = n + 1")
UP = perform("Up")


def check(text):
    return atomic("Look", text)


LOOK = perform("Look")


def cases():
    """Name, document, answers."""
    holds, fails = {"precondition of `DoLook`": "holds"}, {"precondition of `DoLook`": "violated"}
    for name, condition, answers in (("right", "n == 2", holds), ("wrong", "n == 1", fails)):
        yield f"sequence, {name}", document(listed("Sequence", ZERO, UP, perform("Up").replace(
            "DoUp", "Again"), LOOK), COUNT, check(condition), parameters=N), answers
    for name, condition, answers in (("right", "n == 0 || n == 1", holds), ("wrong", "n == 1", fails)):
        choice = listed("Choice", UP, listed("Sequence"))
        yield f"choice, {name}", document(listed("Sequence", ZERO, choice, LOOK), COUNT,
                                          check(condition), parameters=N), answers
    branch = (f"<If-Then-Else><ifCondition>{expression('n > 0')}</ifCondition><then>{UP}</then>"
              f"<else>{gives('Set', 'setBinding', 'n', '7')}</else></If-Then-Else>")
    yield "if", document(listed("Sequence", ZERO, branch, LOOK), COUNT, check("n == 7"),
                         parameters=N), holds
    loop = (f"<Repeat-While><whileCondition>{expression('n < 3')}</whileCondition><whileProcess>"
            f"{UP}</whileProcess></Repeat-While>")
    yield "repeat while", document(listed("Sequence", ZERO, loop, LOOK), COUNT, check("n == 3"),
                                   parameters=N), holds
    until = (f"<Repeat-Until><untilCondition>{expression('n >= 1')}</untilCondition><untilProcess>"
             f"{UP}</untilProcess></Repeat-Until>")
    yield "repeat until", document(listed("Sequence", ZERO, until, LOOK), COUNT, check("n == 1"),
                                   parameters=N), holds
    both = (perform("Up"), perform("Double"))
    double = atomic("Double", effect="n = n * 2")
    for kind in ("Split-Join", "Any-Order"):
        for name, condition, answers in (("right", "n == 3 || n == 4", holds),
                                         ("wrong", "n == 4", fails)):
            yield f"{kind}, {name}", document(
                listed("Sequence", gives("Set", "setBinding", "n", "1"), listed(kind, *both), LOOK),
                COUNT, double, check(condition), parameters=N), answers
    yield "split goes on at once", document(
        listed("Sequence", ZERO, listed("Split", UP), LOOK), COUNT, check("n == 1"),
        parameters=N), fails
    writers = listed("Split-Join", gives("Set", "setBinding", "n", "1"),
                     gives("Set", "setBinding", "n", "2"))
    yield "two writers", document(listed("Sequence", writers), parameters=N), {
        "only one branch of `Split-Join` writes `n`": "violated"}
    out = atomic("Ask", parameters=parameter("hasOutput", "Output", "answer"))
    use = atomic("Use", parameters=parameter("hasInput", "Input", "given"))
    bind = ('<Perform rdf:ID="DoUse"><process rdf:resource="#Use"/><hasDataFrom><InputBinding>'
            '<toParam rdf:resource="#given"/><valueSource><ValueOf><fromProcess rdf:resource="#DoAsk"/>'
            '<theVar rdf:resource="#answer"/></ValueOf></valueSource></InputBinding></hasDataFrom>'
            "</Perform>")
    for kind, verdict in (("Sequence", "holds"), ("Split-Join", "violated")):
        yield f"value is there, {kind}", document(listed(kind, perform("Ask"), bind), out, use), {
            "what `DoUse` uses is there": verdict}


def swrl_cases():
    """Built-in atoms, and class atoms that go along with values."""
    def atoms(*parts):
        text = ""
        for part in reversed(parts):
            rest = f"<rdf:rest>{text}</rdf:rest>" if text else (
                '<rdf:rest rdf:resource="http://www.w3.org/1999/02/22-rdf-syntax-ns#nil"/>')
            text = f"<swrl:AtomList><rdf:first>{part}</rdf:first>{rest}</swrl:AtomList>"
        return ('<e:SWRL-Condition><e:expressionBody rdf:parseType="Literal">'
                f"{text}</e:expressionBody></e:SWRL-Condition>")

    def builtin(name, *arguments):
        members = "".join(f'<rdf:Description rdf:about="#{a}"/>' for a in arguments)
        return (f'<swrl:BuiltinAtom><swrl:builtin rdf:resource="http://www.w3.org/2003/11/swrlb#{name}"/>'
                f'<swrl:arguments rdf:parseType="Collection">{members}</swrl:arguments>'
                "</swrl:BuiltinAtom>")

    def is_a(name, kind):
        return (f'<swrl:ClassAtom><swrl:argument1 rdf:resource="#{name}"/>'
                f'<swrl:classPredicate rdf:resource="#{kind}"/></swrl:ClassAtom>')

    numbers = (parameter("hasInput", "Input", "a") + parameter("hasInput", "Input", "b"))
    for order, verdict in ((("a", "b"), "holds"), (("b", "a"), "violated")):
        less = f'<ifCondition>{atoms(builtin("lessThan", "a", "b"))}</ifCondition>'
        look = (f'<AtomicProcess rdf:ID="Look"><hasPrecondition>'
                f'{atoms(builtin("lessThan", *order))}</hasPrecondition></AtomicProcess>')
        yield f"built-in atom {order}", document(
            f"<If-Then-Else>{less}<then>{LOOK}</then></If-Then-Else>", look, parameters=numbers), {
                "precondition of `DoLook`": verdict}
    thing = parameter("hasInput", "Input", "who", "none").replace("&xsd;#none", "http://example.org/x#Any")
    inner = parameter("hasInput", "Input", "guest", "none").replace("&xsd;#none",
                                                                  "http://example.org/x#Any")
    look = (f'<AtomicProcess rdf:ID="Look">{inner}<hasPrecondition>{atoms(is_a("guest", "Member"))}'
            "</hasPrecondition></AtomicProcess>")
    bind = ('<Perform rdf:ID="DoLook"><process rdf:resource="#Look"/><hasDataFrom><InputBinding>'
            '<toParam rdf:resource="#guest"/><valueSource><ValueOf><fromProcess '
            'rdf:resource="&p;#TheParentPerform"/><theVar rdf:resource="#who"/></ValueOf>'
            "</valueSource></InputBinding></hasDataFrom></Perform>")
    join = ('<AtomicProcess rdf:ID="Join"><hasResult><Result><hasEffect>'
            f'{atoms(is_a("who", "Member"))}</hasEffect></Result></hasResult></AtomicProcess>')
    for parts, verdict in (((bind,), "violated"), ((perform("Join"), bind), "holds")):
        yield f"class atom after {len(parts)}", document(listed("Sequence", *parts), look, join,
                                                         parameters=thing), {
            "precondition of `DoLook`": verdict}


class Runner:
    def __init__(self, whittle):
        self.whittle, self.findings = whittle, Findings("owls")

    def check(self, file):
        done = subprocess.run([self.whittle, "check", "--json", "--timeout", "10", str(file)],
                              capture_output=True, text=True, timeout=300)
        try:
            return done.returncode, json.loads(done.stdout), done.stderr
        except ValueError:
            return done.returncode, None, done.stderr

    def small(self, folder):
        file = Path(folder) / "x.owl"
        for name, text, answers in [*cases(), *swrl_cases()]:
            before = self.findings.problems
            file.write_text(text, encoding="utf-8")
            code, report, errors = self.check(file)
            found = {r["property"]: r["verdict"] for r in (report or {"results": []})["results"]}
            for question, verdict in answers.items():
                if found.get(question) != verdict:
                    self.findings.problem(name, f"`{question}` is {found.get(question)}, not {verdict} "
                                                f"(exit code {code}) {errors[:300]}")
            self.findings.case(before)

    def corpus(self):
        named = os.environ.get("WHITTLE_CORPUS")
        folder = (Path(named) if named else ROOT.parent / "shared/corpus") / "owls"
        if not folder.is_dir():
            print("no corpus: documents of others are left out")
            return
        for file in sorted(folder.glob("*.owl")):
            before = self.findings.problems
            code, report, errors = self.check(file)
            if code not in (0, 1, 3) or not report["results"]:
                self.findings.problem(file.name, f"exit code {code}: {errors[:300]}")
            self.findings.case(before)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whittle", required=True)
    arguments = parser.parse_args()
    runner = Runner(arguments.whittle)
    with tempfile.TemporaryDirectory() as folder:
        runner.small(folder)
    runner.corpus()
    return runner.findings.finish()


if __name__ == "__main__":
    sys.exit(main())
