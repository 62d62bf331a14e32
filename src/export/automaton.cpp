// SPDX-License-Identifier: Apache-2.0
// The automaton of the runs that violate a formula: in the Hanoi Omega-Automata format (Babiak et
// al., CAV 2015), as a drawing, and as a never claim for SPIN. Its atoms are conditions in the
// words of the model. Fairness that the model declares is no part of it.
//
// A never claim has accepting states and one set: a state is doubled for each set that a run waits
// for in turn (0, 1, ...), and accepts when it has met the last one.
#include <fmt/format.h>

#include <deque>
#include <map>
#include <utility>

#include "export/export.h"
#include "export/live.h"
#include "ir/ltl.h"
#include "ir/notation.h"
#include "ltl/translate.h"

namespace whittle {

namespace {

struct Violations {
  Automaton automaton;
  std::vector<std::string> atoms;  // their texts
};

Violations violations(Network& network, PropertyId property) {
  LtlPool& ltl = network.ltl();
  const auto& asked = network.property(property).as<RunGoal>();
  const LtlFormula f = refuting(ltl, network.pool(), asked.formula, asked.assumption);
  if (ltl.mentions(f, {LtlOp::Since, LtlOp::Trigger}))
    throw Inexpressible("an automaton has no operators for the past");
  Violations result{ltl::translated(ltl, f).automaton, {}};
  for (const Expr atom : result.automaton.atoms) {
    result.atoms.push_back(network.notation != nullptr
                               ? network.notation->condition(network, atom)
                               : fmt::format("atom {}", result.atoms.size()));
  }
  return result;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result + "\"";
}

std::string one_line_comment(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  return text;
}

// `atom(i)`: its text; empty cubes are `always`.
template <class Atom>
std::string cube_text(const Cube& cube, std::string_view conjunction, std::string_view always,
                      const Atom& atom) {
  std::string result;
  for (const std::uint32_t literal : cube) {
    if (!result.empty()) result += conjunction;
    result += (literal % 2 == 0 ? "" : "!") + atom(literal / 2);
  }
  return result.empty() ? std::string(always) : result;
}

}  // namespace

std::string export_hoa(Network& network, PropertyId property, const std::string& name) {
  const Violations of = violations(network, property);
  const Automaton& a = of.automaton;
  std::string text =
      fmt::format("HOA: v1\nname: {}\nStates: {}\nStart: {}\nAP: {}",
                  quoted("violations of " + name), a.size(), a.initial, of.atoms.size());
  for (const std::string& atom : of.atoms) text += " " + quoted(atom);
  text += a.acceptance == 0   ? "\nacc-name: all\n"
          : a.acceptance == 1 ? "\nacc-name: Buchi\n"
                              : fmt::format("\nacc-name: generalized-Buchi {}\n", a.acceptance);
  std::string sets;
  for (std::uint32_t i = 0; i < a.acceptance; ++i)
    sets += fmt::format("{}Inf({})", i == 0 ? "" : "&", i);
  text += fmt::format("Acceptance: {} {}\n", a.acceptance, sets.empty() ? "t" : sets);
  text += "properties: trans-labels explicit-labels trans-acc\n--BODY--\n";
  for (std::uint32_t q = 0; q < a.size(); ++q) {
    text += fmt::format("State: {}\n", q);
    for (const Automaton::Edge& edge : a.edges[q]) {
      const std::string label =
          cube_text(edge.cube, "&", "t", [](std::uint32_t i) { return std::to_string(i); });
      text += fmt::format("[{}] {}", label, edge.target);
      if (!edge.marks.empty()) text += fmt::format(" {{{}}}", fmt::join(edge.marks, " "));
      text += "\n";
    }
  }
  return text + "--END--\n";
}

std::string export_dot(Network& network, PropertyId property, const std::string& name) {
  const Violations of = violations(network, property);
  const Automaton& a = of.automaton;
  std::string text = fmt::format("digraph {} {{\n  rankdir = LR\n  start [shape = point]\n",
                                 quoted("violations of " + name));
  for (std::uint32_t q = 0; q < a.size(); ++q) text += fmt::format("  {} [shape = circle]\n", q);
  text += fmt::format("  start -> {}\n", a.initial);
  for (std::uint32_t q = 0; q < a.size(); ++q) {
    for (const Automaton::Edge& edge : a.edges[q]) {
      std::string label = cube_text(edge.cube, " && ", "true", [&](std::uint32_t i) {
        return edge.cube.size() == 1 && edge.cube[0] % 2 == 0 ? of.atoms[i]
                                                              : "(" + of.atoms[i] + ")";
      });
      if (!edge.marks.empty()) label += fmt::format(" {{{}}}", fmt::join(edge.marks, " "));
      text += fmt::format("  {} -> {} [label = {}]\n", q, edge.target, quoted(label));
    }
  }
  return text + "}\n";
}

std::string export_never(Network& network, PropertyId property, const std::string& name) {
  const Violations of = violations(network, property);
  const Automaton& a = of.automaton;
  std::string text = "// violations of " + one_line_comment(name) + "\n";
  for (std::size_t i = 0; i < of.atoms.size(); ++i)
    text += fmt::format("// atom{}: {}\n", i, one_line_comment(of.atoms[i]));
  using Waiting =
      std::pair<std::uint32_t, std::uint32_t>;  // of the automaton, the set it waits for
  const auto label = [&](const Waiting& state) {
    return fmt::format("{}_{}_{}", state.second == a.acceptance ? "accept" : "state", state.first,
                       state.second);
  };
  std::map<Waiting, bool> known = {{{a.initial, 0}, true}};
  std::deque<Waiting> open = {{a.initial, 0}};
  text += "never {\n";
  for (; !open.empty(); open.pop_front()) {
    const Waiting state = open.front();
    const std::uint32_t waits = state.second == a.acceptance ? 0 : state.second;
    std::string steps;
    for (const Automaton::Edge& edge : a.edges[state.first]) {
      Waiting next{edge.target, waits};
      for (const std::uint32_t set : edge.marks)  // ascending
        if (set == next.second) ++next.second;
      if (known.emplace(next, true).second) open.push_back(next);
      const std::string letter = cube_text(
          edge.cube, " && ", "true", [](std::uint32_t i) { return fmt::format("(atom{})", i); });
      steps += fmt::format("  :: ({}) -> goto {}\n", letter, label(next));
    }
    text += label(state) + ":\n";
    text += steps.empty() ? "  false;\n" : "  do\n" + steps + "  od;\n";
  }
  return text + "}\n";
}

}  // namespace whittle
