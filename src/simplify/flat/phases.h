// SPDX-License-Identifier: Apache-2.0
// Splitting a loop by phases (Sharma, Dillig, Dillig, Aiken: "Simplifying Loop Invariant Generation
// Using Splitter Predicates", CAV 2011). A loop that does one thing first and another thing later
// (`if (x < 50) ... else ...`) has an invariant for each phase, and none that says both without
// `or`. So the conditions that its ways differ in become part of the location: a variable for each
// says whether it holds, every transition exists once for each value that it has afterwards, and
// what is known per location is known per phase.
#pragma once

#include <vector>

#include "ir/flat_transformation.h"

namespace whittle::simplify {

// Exact; a step stays a step. Empty: there are no such conditions.
[[nodiscard]] std::optional<FlatTransformed> split_phases(const TransitionSystem& system);

// The same by these conditions on states, over current symbols; of a live question, too.
[[nodiscard]] FlatTransformed split_by(const TransitionSystem& system,
                                       const std::vector<Expr>& conditions);

}  // namespace whittle::simplify
