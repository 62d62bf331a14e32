#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the folders to their layers (docs/architecture.md, docs/adr/001-layers.md).

Reads the #include lines of src/ and apps/. Mend a violation by moving a type down to a lower
layer, never by a forward declaration.
"""

import re
import sys

from findings import ROOT, Findings, cpp_files, lines_of

# folder -> folders it may include, besides itself. In the order of the layers.
LAYERS = {
    "base": [],
    "expr": ["base"],
    "ir": ["base", "expr"],
    "smt": ["base", "expr"],
    "frontend": ["base", "expr", "ir"],
    "slice": ["base", "expr", "ir"],
    "ltl": ["base", "expr", "ir"],
    "absint": ["base", "expr", "ir"],
    "simplify": ["base", "expr", "ir", "smt"],
    "engine": ["base", "expr", "ir", "smt", "slice", "absint", "simplify"],
    "export": ["base", "expr", "ir", "smt", "slice", "ltl", "absint", "simplify", "engine"],
    "witness": ["base", "expr", "ir", "smt"],
    "report": ["base", "expr", "ir"],
    "driver": ["base", "expr", "ir", "smt", "frontend", "slice", "ltl", "absint", "simplify",
               "engine", "export", "witness", "report"],
}
# The programs see the lists (languages, engines, formats) that their help is made of.
APPS = {
    "cli": ["base", "ir", "frontend", "slice", "engine", "export", "report", "driver"],
    "bench": ["base", "expr", "ir", "smt", "frontend", "slice", "engine", "export", "report",
              "driver", "cli"],
}

# Foreign headers that only some folders may see.
FOREIGN = {
    re.compile(r"z3(\+\+|_\w+)?\.h"): "src/smt/z3/",
    re.compile(r"cvc5/.*"): "src/smt/cvc5/",
    re.compile(r"ppl(_c)?\.(hh|h)"): "src/absint/",
}

NAMELESS = {"utils", "util", "misc", "helpers", "helper"}  # also as a part: string_utils
NAMELESS_WHOLE = NAMELESS | {"common", "core"}  # unsat_core is a name

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def includes(file):
    for number, line in enumerate(lines_of(file), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match[1] == '"', match[2]


def layer_of(file):
    """The folder below src, or the app for apps/cli/main.cpp."""
    return file.parts[1] if len(file.parts) > 2 else ""


def check_include(findings, file, number, quoted, target):
    place = f"{file}:{number}"
    for pattern, folder in FOREIGN.items():
        if pattern.fullmatch(target) and not str(file).startswith(folder):
            findings.problem(place, f"<{target}> may only be included in {folder}")
    if not quoted:
        return
    if target.startswith("."):
        findings.problem(place, f'"{target}": write the path from src/, not a relative one')
        return
    to = target.split("/")[0]
    if file.parts[0] == "apps":
        allowed = APPS.get(layer_of(file), []) + [layer_of(file)]
    else:
        allowed = LAYERS.get(layer_of(file), []) + [layer_of(file)]
    above = "apps" if to in APPS else "src"
    if not (ROOT / above / target).is_file():
        findings.problem(place, f'"{target}" does not exist under {above}/')
    elif to not in allowed:
        findings.problem(place, f"{'/'.join(file.parts[:2])} may not include {to} "
                                f"(only {', '.join(allowed) or 'nothing'})")


def check_names(findings, file):
    for part in [*file.parts[:-1], file.stem]:
        words = set(part.lower().split("_"))
        if part.lower() in NAMELESS_WHOLE or words & NAMELESS:
            findings.problem(file, f"'{part}' says nothing: name the file by what it holds")


def first_cycle(graph):
    """Some cycle of a graph {node: set of nodes} as a list of nodes, or None."""
    state = {}  # absent: new, 1: on the path, 2: done
    for root in sorted(graph):
        if root in state:
            continue
        path = [root]
        stack = [iter(sorted(graph[root]))]
        state[root] = 1
        while stack:
            node = next(stack[-1], None)
            if node is None:
                stack.pop()
                state[path.pop()] = 2
            elif state.get(node) == 1:
                return path[path.index(node):] + [node]
            elif node not in state:
                state[node] = 1
                path.append(node)
                stack.append(iter(sorted(graph.get(node, ()))))
    return None


def check_cycles(findings, edges):
    """No cycle among files, among folders, and among the folders inside a folder."""
    files, folders, inner = {}, {}, {}
    for source, target in edges:
        files.setdefault(source, set()).add(target)
        a, b = source.split("/"), target.split("/")
        if a[0] != b[0]:
            folders.setdefault(a[0], set()).add(b[0])
        elif len(a) > 2 and len(b) > 2 and a[1] != b[1]:
            inner.setdefault("/".join(a[:2]), set()).add("/".join(b[:2]))
    for name, graph in (("files", files), ("folders", folders), ("folders", inner)):
        cycle = first_cycle(graph)
        if cycle:
            findings.problem("src", f"{name} include each other: {' -> '.join(cycle)}")


def check_units(findings, edges):
    """No cycle among units, that is x.h with x.cpp."""
    graph = {}
    for source, target in edges:
        source, target = (name.rsplit(".", 1)[0] for name in (source, target))
        if source != target:
            graph.setdefault(source, set()).add(target)
    while cycle := first_cycle(graph):
        findings.problem("src", f"units include each other: {' -> '.join(cycle)}")
        graph[cycle[0]].discard(cycle[1])


def check_cmake(findings):
    """src/CMakeLists.txt links exactly what the table allows."""
    text = (ROOT / "src/CMakeLists.txt").read_text()
    declared = {}
    for match in re.finditer(r"^whittle_library\((\w+)(?: LAYERS ([\w ]+?))?(?:\s+(?:LINK|ALONE) [^)]*)?\)",
                             text, re.M):
        declared[match[1]] = (match[2] or "").split()
    if declared != LAYERS:
        for folder in sorted(set(declared) | set(LAYERS)):
            if sorted(declared.get(folder, ["?"])) != sorted(LAYERS.get(folder, ["?"])):
                findings.problem("src/CMakeLists.txt", f"{folder} differs from scripts/check_layers.py")


def check_map(findings):
    """docs/architecture.md says what the table says, and names every room."""
    page = "docs/architecture.md"
    rows = dict(re.findall(r"^\| `([\w/]+)` \| .* \| ([^|]*) \|$", (ROOT / page).read_text(), re.M))
    for folder, allowed in {**LAYERS, **{f"apps/{app}": may for app, may in APPS.items()}}.items():
        said = [] if rows.get(folder) == "–" else rows.get(folder, "?").split(", ")
        if said != allowed:
            findings.problem(page, f"the row of {folder} differs from scripts/check_layers.py")
    rooms = {f"{layer}/{room.name}" for layer in LAYERS if layer != "frontend"
             for room in (ROOT / "src" / layer).iterdir() if room.is_dir()}
    rooms -= {"base/diagnostics", "smt/z3", "smt/cvc5"}  # texts and backends
    named = set(re.findall(r"^\| `(\w+/\w+)` \| [^|]* \|$", (ROOT / page).read_text(), re.M))
    for room in sorted(rooms - named):
        findings.problem(page, f"the room {room} is not in the list")
    for room in sorted(named):
        if not (ROOT / "src" / room).is_dir():
            findings.problem(page, f"there is no room {room}")


NAMESPACE = re.compile(r"(?:inline )?namespace(?: ([\w:]+))? \{")
TYPE = re.compile(r"(?:struct|class|enum class|union) (\w+)(?: final)?(?: : [^;()]*)? \{")


def check_types(findings, files):
    """A name means one type in a namespace. Two headers that never meet in one file may say
    otherwise without a word from the compiler, and the linker then mixes up what templates make of
    both."""
    places = {}
    for file in files:
        spaces = []
        for number, line in enumerate(lines_of(file), 1):
            if match := NAMESPACE.match(line):
                spaces.append(match[1])
            elif line.startswith("}  // namespace"):
                spaces.pop()
            elif (match := TYPE.match(line)) and None not in spaces:
                name = "::".join([*spaces, match[1]])
                other = places.setdefault(name, f"{file}:{number}")
                if other != f"{file}:{number}":
                    findings.problem(f"{file}:{number}", f"{name} is another type in {other}")


def main():
    findings = Findings("check_layers")
    edges = []
    before = findings.problems
    for file in cpp_files("src", "apps"):
        check_names(findings, file)
        if file.parts[0] == "src" and layer_of(file) not in LAYERS:
            findings.problem(file, "this folder is no layer (scripts/check_layers.py)")
        for number, quoted, target in includes(file):
            check_include(findings, file, number, quoted, target)
            if quoted and file.parts[0] == "src":
                edges.append((str(file.relative_to("src")), target))
    findings.case(before)
    before = findings.problems
    check_cycles(findings, edges)
    findings.case(before)
    before = findings.problems
    check_units(findings, edges)
    findings.case(before)
    before = findings.problems
    check_cmake(findings)
    findings.case(before)
    before = findings.problems
    check_map(findings)
    findings.case(before)
    before = findings.problems
    check_types(findings, cpp_files("src", "apps"))
    findings.case(before)
    return findings.finish()


if __name__ == "__main__":
    sys.exit(main())
