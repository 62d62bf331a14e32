// SPDX-License-Identifier: Apache-2.0
// One step of taking a condition apart, with negations pushed down on the way.
#pragma once

#include <optional>
#include <vector>

#include "expr/expr.h"

namespace whittle {

// What the condition is a conjunction of; empty: it is none.
[[nodiscard]] std::optional<std::vector<Expr>> conjunction(ExprPool& pool, Expr condition);

// Conjunctions of which at least one holds exactly where the condition does; none: it is no
// disjunction, implication, conditional or equivalence.
[[nodiscard]] std::vector<std::vector<Expr>> alternatives(ExprPool& pool, Expr condition);

}  // namespace whittle
