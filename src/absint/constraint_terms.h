// SPDX-License-Identifier: Apache-2.0
// What shapes say, as terms that people can read.
#pragma once

#include <cstdint>
#include <ppl.hh>
#include <span>

#include "ir/transition_system.h"

namespace whittle::absint {

// Which values a Bool or an enumeration can have, as bits.
[[nodiscard]] Expr one_of(ExprPool& pool, const StateVariable& variable, std::uint64_t values);

// Positive parts on the left, negative ones on the right. `numbers`: state variables by dimension.
[[nodiscard]] Expr as_term(const TransitionSystem& system, std::span<const std::uint32_t> numbers,
                           const Parma_Polyhedra_Library::Constraint& constraint);

}  // namespace whittle::absint
