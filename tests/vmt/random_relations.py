# SPDX-License-Identifier: Apache-2.0
"""Random systems of the shape that translators of Lustre and C programs write: one conjunction of
many conditions, with implications for the cases of a guard, conditionals, and names (inputs) for
intermediate values; or a program with its counter in truth values. Cases overlap, share parts, leave
gaps and contradict each other now and then."""

import random


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.numbers = [f"n{i}" for i in range(self.random.randint(1, 3))]
        self.flags = [f"b{i}" for i in range(self.random.randint(1, 2))]
        self.inputs = [f"i{i}" for i in range(self.random.randint(0, 3))]
        self.choices = [f"c{i}" for i in range(self.random.randint(0, 3))]

    def pick(self, *things):
        return self.random.choice(things)

    def number(self, names, depth=2):
        kind = self.random.randint(0, 6 if depth else 2)
        if kind <= 1 and names:
            return self.random.choice(names)
        if kind <= 2:
            value = self.random.randint(-2, 4)
            return str(value) if value >= 0 else f"(- {-value})"
        a, b = self.number(names, depth - 1), self.number(names, depth - 1)
        if kind == 6:
            return f"(ite {self.condition(names, [], 1)} {a} {b})"
        return self.pick(f"(+ {a} {b})", f"(- {a} {b})", f"(+ {a} (* (- 1) {b}))", f"(* 2 {a})")

    def condition(self, names, flags, depth=2):
        kind = self.random.randint(0, 6 if depth else 2)
        if kind <= 1 and flags:
            flag = self.random.choice(flags)
            return self.pick(flag, f"(not {flag})")
        if kind <= 2:
            relation = self.pick("=", "<", "<=", ">", ">=")
            return f"({relation} {self.number(names, 1)} {self.number(names, 0)})"
        a, b = self.condition(names, flags, depth - 1), self.condition(names, flags, depth - 1)
        return self.pick(f"(and {a} {b})", f"(or {a} {b})", f"(not {a})", f"(=> {a} {b})")

    def equation(self, unknown, flag, names, flags):
        if not flag:
            value = self.number(names)
            return self.pick(f"(= {unknown} {value})", f"(= {value} {unknown})",
                             f"(= (+ {unknown} (* (- 1) {value})) 0)")
        return self.pick(unknown, f"(not {unknown})",
                         f"(= {unknown} {self.condition(names, flags, 1)})")

    def cases(self, unknown, flag, names, flags):
        """Conditions on the unknown: one equation, or implications for guards."""
        kind = self.random.randint(0, 9)
        guard = self.condition(names, flags, 1)
        other = self.condition(names, flags, 1)
        def says():
            return self.equation(unknown, flag, names, flags)
        if kind == 0:
            return []
        if kind <= 2:
            return [says()]
        if kind == 3:
            return [f"(ite {guard} {says()} {says()})"]
        if kind == 4:  # cases that may overlap
            return [f"(or (and {guard} {other}) {says()})", f"(or (not {guard}) {says()})"]
        if kind == 5:
            return [f"(=> {guard} {says()})", f"(=> (not {guard}) {says()})"]
        if kind == 6:
            return [f"(or {guard} {says()})", f"(or (not {guard}) (and {says()} {other}))",
                    f"(or {other} {says()})"]
        if kind == 7:
            return [f"(or (and {guard} {says()}) (and {other} {says()}))"]
        if kind == 8:  # implications whose guards overlap, for all cases or nearly
            third = self.condition(names, flags, 1)
            values = [says() for _ in range(self.random.randint(1, 2))]
            cases = [f"(=> {guard} {self.random.choice(values)})",
                     f"(=> (and {other} {third}) {self.random.choice(values)})",
                     f"(=> {self.pick(third, f'(not {other})')} {self.random.choice(values)})"]
            if self.random.random() < 0.7:
                cases.append(f"(=> (not (or {guard} {other} {third})) {says()})")
            return cases
        # Disjunctions that share parts.
        shared, value = self.condition(names, flags, 1), says()
        return [f"(or {guard} {shared} {value})", f"(or (not {guard}) {shared} {says()})",
                f"(or (not {shared}) {self.pick(value, says())})",
                f"(or {other} {shared} (not {guard}) {value})"]

    def program(self):
        """A program counter in two or three flags: for each of its values what happens there, with
        branches whose conditions may overlap, and now and then no word about a value."""
        bits = [f"b{i}" for i in range(self.random.randint(2, 3))]
        self.flags = bits + [f"b{len(bits)}"] * self.random.randint(0, 1)
        places = self.random.sample(range(2 ** len(bits)), self.random.randint(2, 4))

        def combination(place, suffix=""):
            return "(and " + " ".join(
                bit + suffix if place >> i & 1 else f"(not {bit}{suffix})"
                for i, bit in enumerate(bits)) + ")"

        def happens():
            effects = [combination(self.random.choice(places), ".next")]
            for n in self.numbers:
                effects.append(f"(= {n}.next {self.number(self.numbers, 1)})"
                               if self.random.random() < 0.4 else f"(= {n}.next {n})")
            return "(and " + " ".join(effects) + ")"

        parts = []
        for place in places:
            at = combination(place)
            if self.random.random() < 0.5:
                parts.append(f"(or (not {at}) {happens()})")
                continue
            branch = self.condition(self.numbers, [], 1)
            other = f"(not {branch})"
            if self.random.random() < 0.3:
                other = self.condition(self.numbers, self.flags, 1)
            parts.append(f"(or (not (and {at} {branch})) {happens()})")
            parts.append(f"(or (not {at}) (not {other}) {happens()})")
        self.first_place = combination(places[0])
        return self.joined(parts)

    def relation(self):
        names, flags, parts = list(self.numbers), list(self.flags), []
        unknowns = ([(i, False) for i in self.inputs] + [(c, True) for c in self.choices]
                    + [(f"{n}.next", False) for n in self.numbers]
                    + [(f"{b}.next", True) for b in self.flags])
        self.random.shuffle(unknowns)
        for unknown, flag in unknowns:
            parts += self.cases(unknown, flag, names, flags)
            (flags if flag else names).append(unknown)  # later ones may look at it
        if self.choices and self.random.random() < 0.4:
            parts.append("(or " + " ".join(self.choices) + " false)")
        for _ in range(self.random.randint(0, 2)):
            parts.append(self.condition(names, flags))
        self.random.shuffle(parts)
        return self.joined(parts)

    def joined(self, parts):
        """A conjunction, nested as translators nest them."""
        if not parts:
            return "true"
        while len(parts) > 1:
            size = self.random.randint(2, 4)
            parts = [f"(and {' '.join(parts[:size])})"] + parts[size:]
        return parts[0]

    def system(self):
        self.first_place = None
        relation = self.program() if self.random.random() < 0.3 else self.relation()
        lines = []
        for sort, names in (("Int", self.numbers), ("Bool", self.flags)):
            for name in names:
                lines.append(f"(declare-fun {name} () {sort})")
                lines.append(f"(declare-fun {name}.next () {sort})")
                lines.append(f"(define-fun .{name} () {sort} (! {name} :next {name}.next))")
        lines += [f"(declare-fun {name} () Int)" for name in self.inputs]
        lines += [f"(declare-fun {name} () Bool)" for name in self.choices]
        first = [f"(= {n} {self.random.randint(0, 2)})" for n in self.numbers
                 if self.random.random() < 0.9]
        first += [self.pick(b, f"(not {b})") for b in self.flags if self.random.random() < 0.8]
        if self.first_place:
            first = first[:1] + [self.first_place]
        init = f"(and true {' '.join(first)})"
        good = self.condition(self.numbers, self.flags)
        lines.append(f"(define-fun .init () Bool (! {init} :init true))")
        lines.append(f"(define-fun .trans () Bool (! {relation} :trans true))")
        # Also what can be violated only later, and only where it began.
        good = self.pick(good, f"(or {good} {init})", f"(or {good} (not {init}))")
        lines.append(f"(define-fun good () Bool (! {good} :invar-property 0))")
        return "\n".join(lines) + "\n"


def random_system(seed):
    return Generator(seed).system()
