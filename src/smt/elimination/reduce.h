// SPDX-License-Identifier: Apache-2.0
// A conjunction without the parts that the rest makes superfluous; one solver call per part.
#pragma once

#include <optional>

#include "smt/solver.h"

namespace whittle::smt {

// Drops conjuncts that the others imply, and disjuncts that the other conjuncts exclude.
// Equivalent to `formula`; parts on which the solver gives no answer stay. Empty: the time was
// over, or the formula is in a form the solver cannot take.
[[nodiscard]] std::optional<Expr> reduced(ExprPool& pool, Expr formula, const Limits& limits);

}  // namespace whittle::smt
