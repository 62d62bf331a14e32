// SPDX-License-Identifier: Apache-2.0
// Relations split into cases. A relation such as `(a -> x' == 1) && (if b then y' == x' else y' ==
// 0)` leaves next values open, though each of its cases computes them; with the cases as
// transitions of their own, successors are computed and no domain has to be enumerated.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/transition_system.h"

namespace whittle {

struct RelationCases {
  TransitionSystem system;            // the same states and steps
  std::vector<std::uint32_t> origin;  // by its transitions: the one it is a case of
};

[[nodiscard]] RelationCases split_relations(const TransitionSystem& system);

// Satisfiable if a step of the transition is a step of none of its cases.
[[nodiscard]] Expr lost_steps(const TransitionSystem& system, const RelationCases& cases,
                              std::uint32_t transition);

// A run of the cases as a run of the system.
// requires: it is one
[[nodiscard]] FlatTrace joined_trace(const TransitionSystem& system, const RelationCases& cases,
                                     const FlatTrace& trace);

}  // namespace whittle
