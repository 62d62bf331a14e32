// SPDX-License-Identifier: Apache-2.0
// A smaller invariant that proves the same. What an engine finds contains whatever it met on its
// way; people read what the proof needs.
#pragma once

#include "ir/transition_system.h"
#include "smt/solvers.h"

namespace whittle::simplify {

// Inductive and without goal states if the given invariant is, and no longer than it; the given
// one where nothing shorter is found before the deadline of the solvers.
[[nodiscard]] Expr minimised_invariant(const TransitionSystem& system, Expr invariant,
                                       const smt::SolverFactory& solvers);

// How much there is to read: operators, variables and constants, shared parts as often as they
// would be written.
[[nodiscard]] std::uint64_t reading_size(const ExprPool& pool, Expr e);

}  // namespace whittle::simplify
