// SPDX-License-Identifier: Apache-2.0
// The product of a flat system and an automaton: runs of the system whose words the automaton
// accepts. A flat transformation (ir/flat_transformation.h); whoever checks an answer builds it
// again.
//
// The automaton reads the letter of the state that a step leaves: transitions are multiplied with
// edges. Its state is a variable more (a location), the first after those of the system; what past
// operators remember are further ones. Acceptance sets of the automaton and those of the system are
// one list.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "ir/automaton.h"
#include "ir/flat_transformation.h"
#include "ir/transition_system.h"

namespace whittle {

// Which runs are looked for. Atoms and what is remembered are conditions over current symbols and
// what the formula says about steps (Lowering::at_step).
struct LiveFormula {
  Automaton automaton;
  std::vector<HistoryVariable> history;
  // Set: only what gets to these states is accepted, and there everything is (a terminal
  // automaton), so the product asks whether one of them is reachable.
  std::optional<std::vector<std::uint32_t>> sinks;
  // What the product adds to the variables of the system: the state of the automaton, and one per
  // history variable. Every product of this formula has the same.
  std::vector<StateVariable> variables;
};

[[nodiscard]] LiveFormula live_formula(ExprPool& pool, Automaton automaton,
                                       std::vector<HistoryVariable> history,
                                       std::optional<std::vector<std::uint32_t>> sinks);

// A condition where the system takes this transition.
using AtStep = std::function<Expr(Expr condition, std::uint32_t transition)>;

constexpr std::size_t kMostProductTransitions = 200'000;

// requires: the question of the system is live. Throws ResourceError above
// kMostProductTransitions. Runs lose what the product added; conditions that mention it cannot be
// said of the input.
[[nodiscard]] FlatTransformed live_product(const TransitionSystem& system,
                                           const LiveFormula& formula, const AtStep& at_step);

}  // namespace whittle
