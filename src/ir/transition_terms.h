// SPDX-License-Identifier: Apache-2.0
// A transition as terms over the state before it, its inputs and the next symbols of its open
// variables: where it can be taken, what the state is after it, and what a condition on that state
// says before it.
//
//   Substitution after = state_after(system, t);
//   step_condition(pool, t) && after(c)     weakest precondition of c for some inputs and open
//                                           values, once these are quantified
#pragma once

#include <vector>

#include "expr/traverse.h"
#include "ir/transition_system.h"

namespace whittle {

// Guard and relation.
[[nodiscard]] Expr step_condition(ExprPool& pool, const Transition& transition);
// By variable: its value after the transition.
[[nodiscard]] std::vector<Expr> values_after(const TransitionSystem& system,
                                             const Transition& transition);
// Current symbols replaced by the values after the transition.
[[nodiscard]] Substitution state_after(const TransitionSystem& system,
                                       const Transition& transition);

}  // namespace whittle
