// SPDX-License-Identifier: Apache-2.0
// Automata on infinite words as plain data, and what shows that one of them accepts at least the
// words of a formula.
//
// The automata are transition-based generalised Büchi automata (TGBA; Couvreur, FM 1999): an edge
// has a cube over the atoms and belongs to some of the acceptance sets; a run is accepting if it
// meets every set infinitely often.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "ir/ltl.h"

namespace whittle {

// A set of numbers, in order.
using NumberSet = std::vector<std::uint32_t>;

[[nodiscard]] inline bool includes(const NumberSet& all, const NumberSet& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}
[[nodiscard]] inline NumberSet united(const NumberSet& a, const NumberSet& b) {
  NumberSet result;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

// A conjunction of literals: 2 * atom, or 2 * atom + 1 for its negation; `atom` is a position in
// a list of conditions. A cube with fewer literals is weaker: it allows more letters.
using Cube = NumberSet;

[[nodiscard]] inline bool contradictory(const Cube& cube) {
  for (std::size_t i = 1; i < cube.size(); ++i) {
    if ((cube[i] ^ 1U) == cube[i - 1]) return true;
  }
  return false;
}

struct Automaton {
  struct Edge {
    std::uint32_t target = 0;
    Cube cube;
    NumberSet marks;  // the acceptance sets it belongs to

    auto operator<=>(const Edge&) const = default;
  };

  std::vector<Expr> atoms;
  std::uint32_t acceptance = 0;  // number of acceptance sets
  std::uint32_t initial = 0;
  std::vector<std::vector<Edge>> edges;  // per state

  [[nodiscard]] std::size_t size() const { return edges.size(); }
};

// Remembers whether a past formula held one position earlier. Every step sets it, from the state
// that the step leaves.
struct HistoryVariable {
  SymbolId symbol;     // Bool
  bool first = false;  // its value in the first state
  Expr next;           // its value after a step, over the state before (history included)
};

// How hard it is to tell whether a run is accepting (Bloem, Ravi, Somenzi, CAV 1999).
enum class AutomatonStrength : std::uint8_t {
  Terminal,  // once a run is in an accepting component everything is accepted: a finite prefix
  Weak,      // a run that stays in an accepting component is accepted
  General,
};

// The tableau that an automaton was made of. A state is a set of formulas, their conjunction. An
// edge promises the untils that it postpones; each until is an acceptance set: the edges that do
// not postpone it.
struct Tableau {
  struct Edge {
    std::uint32_t target = 0;
    Cube cube;
    std::vector<LtlFormula> postponed;

    auto operator<=>(const Edge&) const = default;
  };

  std::vector<Expr> atoms;
  std::vector<LtlFormula> untils;  // in the order of acceptance sets
  std::uint32_t initial = 0;
  std::vector<std::vector<LtlFormula>> states;
  std::vector<std::vector<Edge>> edges;  // per state
};

// One step of rewriting: the formula became another by a rule of ir/ltl_rules.h. Where a rule is
// about two of several conjuncts (disjuncts), `from` has these two alone.
struct LtlReplacement {
  LtlFormula from;
  std::uint32_t rule = 0;
  std::vector<LtlFormula> arguments;  // what the letters of the rule stand for
};

// Why the automaton accepts every word of the formula. witness/automaton_check.h says what it has
// to satisfy.
struct AutomatonCertificate {
  LtlFormula formula;  // in negation normal form
  std::vector<LtlReplacement> rewriting;
  Tableau tableau;                                             // of the rewritten formula
  std::vector<std::uint32_t> sets;                             // per acceptance set: which until
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  // tableau state, automaton state
};

}  // namespace whittle
