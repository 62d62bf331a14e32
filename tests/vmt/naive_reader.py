# SPDX-License-Identifier: Apache-2.0
"""A second reader of VMT-LIB, as plain as can be: it renames constants per step and leaves every term
as it is written. It shares nothing with whittle, so that a mistake of one does not show in the other.

A system is unrolled into SMT-LIB text: constant `c` before step k is `k:c`, what `:next` calls its
next value is `k+1:c`, and every definition has a copy per step. The programs z3 and cvc5 decide it.
"""

import re
import subprocess

TOKEN = re.compile(r';[^\n]*|"(?:[^"]|"")*"|\|[^|]*\||[()]|[^\s()|";]+')
IGNORED = {"set-logic", "set-info", "set-option", "check-sat", "exit", "get-model", "push", "pop"}


class CannotRead(Exception):
    """The file uses something that this reader does not know."""


def parse(text):
    """All S-expressions of a text: lists and strings."""
    stack = [[]]
    for token in TOKEN.findall(text):
        if token.startswith(";"):
            continue
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            if not stack:
                raise CannotRead("a parenthesis too many")
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    if len(stack) != 1:
        raise CannotRead("a parenthesis is missing")
    return stack[0]


def plain(symbol):
    return symbol[1:-1] if symbol.startswith("|") and symbol.endswith("|") else symbol


def text_of(term):
    """A term as text; deep ones without recursion."""
    out, work = [], [term]
    while work:
        e = work.pop()
        if e is None:
            out.append(")")
        elif isinstance(e, str):
            out.append(e)
        else:
            out.append("(")
            work.append(None)
            work.extend(reversed(e))
    return " ".join(out)


class System:
    """`constants`: name -> sort; `next_of`: name of a variable -> name of its next value;
    `definitions`: (name, parameters, sort, body); `inits`, `transitions`: terms;
    `properties`: (name or None, number, term)."""

    def __init__(self, text):
        self.constants, self.next_of = {}, {}
        self.definitions, self.inits, self.transitions, self.properties = [], [], [], []
        self.sorts = []
        for command in parse(text):
            self.command(command)
        self.current_of = {n: c for c, n in self.next_of.items()}
        for variable, following in self.next_of.items():  # MathSAT leaves out what no term uses
            self.constants.setdefault(following, self.constants[variable])

    def command(self, command):
        head = command[0]
        if head in IGNORED:
            return
        if head == "declare-const" or head == "declare-fun":
            if head == "declare-fun" and command[2]:
                raise CannotRead("a function without a definition")
            self.constants[plain(command[1])] = command[-1]
        elif head == "define-sort":
            self.sorts.append(text_of(command))
        elif head == "define-fun":
            name = plain(command[1])
            body = self.without_annotations(command[4], name)
            self.definitions.append((name, command[2], command[3], body))
        elif head == "assert":
            self.without_annotations(command[1], None)
        else:
            raise CannotRead(f"the command {head}")

    def without_annotations(self, term, name):
        """The term, with what its annotations say noted. `name`: what it defines, if all of it."""
        if isinstance(term, str):
            return term
        if term and term[0] in ("forall", "exists", "as-array"):
            raise CannotRead(term[0])
        if not term or term[0] != "!":
            return [self.without_annotations(t, None) for t in term]
        inside = self.without_annotations(term[1], None)
        rest, i = term[2:], 0
        while i < len(rest):
            key = rest[i]
            value = None
            i += 1
            if i < len(rest) and not (isinstance(rest[i], str) and rest[i].startswith(":")):
                value = rest[i]
                i += 1
            if key == ":next":
                self.next_of[plain(inside)] = plain(value)
            elif key == ":init":
                self.inits.append(inside)
            elif key == ":trans":
                self.transitions.append(inside)
            elif key == ":invar-property":
                self.properties.append((name, value, inside))
            elif key in (":invar", ":live-property"):
                raise CannotRead(key)
        return inside


class Unrolling:
    """Text for an SMT solver; each step is added once."""

    def __init__(self, system):
        self.system = system
        self.lines = ["(set-logic ALL)", *system.sorts]
        self.declared = set()
        self.defined = set()
        self.local = {name for name, *_ in system.definitions}

    def constant(self, name, k):
        if name in self.system.current_of:
            name, k = self.system.current_of[name], k + 1
        return f"|{k}:{name}|"

    def at(self, term, k, bound=frozenset()):
        """The term at step k."""
        if isinstance(term, str):
            name = plain(term)
            if name in bound or term.startswith('"'):
                return term
            if name in self.system.constants:
                return self.constant(name, k)
            return f"|{k}:{name}|" if name in self.local else term
        if term and term[0] == "let":
            values = [[v, self.at(t, k, bound)] for v, t in term[1]]
            inner = bound | {plain(v) for v, _ in term[1]}
            return ["let", values, self.at(term[2], k, inner)]
        return [self.at(t, k, bound) for t in term]

    def declare(self, k):
        if k in self.declared:
            return
        self.declared.add(k)
        for name, sort in self.system.constants.items():
            if name not in self.system.current_of:
                self.lines.append(f"(declare-const |{k}:{name}| {text_of(sort)})")

    def define(self, k):
        """All constants and definitions of step k."""
        self.declare(k)
        self.declare(k + 1)
        if k in self.defined:
            return
        self.defined.add(k)
        for name, parameters, sort, body in self.system.definitions:
            bound = frozenset(plain(p) for p, _ in parameters)
            self.lines.append(f"(define-fun |{k}:{name}| {text_of(parameters)} {text_of(sort)} "
                              f"{text_of(self.at(body, k, bound))})")

    def require(self, term, k):
        self.define(k)
        self.lines.append(f"(assert {text_of(self.at(term, k))})")

    def init(self):
        for term in self.system.inits:
            self.require(term, 0)

    def step(self, k):
        for term in self.system.transitions:
            self.require(term, k)

    def violated(self, term, k):
        self.require(["not", term], k)

    def fix(self, name, k, value):
        """The value of a constant at step k, as a report writes it. What a report shows of division
        by zero is no constant of the file: solvers choose these values themselves."""
        if name not in self.system.constants:
            return
        self.declare(k)
        text = written(value, self.system.constants[name])
        self.lines.append(f"(assert (= {self.constant(name, k)} {text}))")

    def text(self):
        return "\n".join(self.lines) + "\n(check-sat)\n"


def written(value, sort):
    """A value of a report as an SMT-LIB term."""
    number = re.fullmatch(r"(-?)(\d+)(?:/(\d+)|\.(\d+))?", value)
    if not number or sort not in ("Int", "Real"):
        return value
    sign, whole, below, decimals = number.groups()
    text = whole if sort == "Int" else f"{whole}.{decimals or 0}"
    if below:
        text = f"(/ {whole}.0 {below}.0)"
    return f"(- {text})" if sign else text


PROGRAMS = {"z3": lambda seconds: ["z3", "-in", f"-T:{max(1, round(seconds))}"],
            "cvc5": lambda seconds: ["cvc5", "--lang=smt2", f"--tlimit={round(seconds * 1000)}"]}


def decide(text, program, seconds):
    """sat, unsat or unknown."""
    try:
        done = subprocess.run(PROGRAMS[program](seconds), input=text, capture_output=True,
                              text=True, timeout=seconds + 5)
    except subprocess.TimeoutExpired:
        return "unknown"
    answer = done.stdout.split()
    if "error" in done.stdout and "timeout" not in done.stdout:
        raise RuntimeError(f"{program} says {done.stdout.strip()[:200]}")
    return answer[0] if answer and answer[0] in ("sat", "unsat") else "unknown"
