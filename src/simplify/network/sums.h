// SPDX-License-Identifier: Apache-2.0
// Equations of numbers as sums that are zero.
#pragma once

#include <functional>
#include <optional>
#include <unordered_set>
#include <vector>

#include "expr/linear.h"

namespace whittle::simplify {

// left - right as a sum; empty: too long.
[[nodiscard]] std::vector<Summand> summands(const ExprPool& pool, Expr left, Expr right);

// Where the sum can be solved for a variable that `wanted` accepts.
[[nodiscard]] std::optional<std::size_t> solvable_place(const std::vector<Summand>& sum,
                                                        bool integer,
                                                        const std::function<bool(Expr)>& wanted);

// Whether the equation can be solved for one of these symbols.
[[nodiscard]] bool sum_determines(ExprPool& pool, Expr equation,
                                  const std::unordered_set<SymbolId>& symbols);

// Whether two numeric terms are the same sum, in whatever order; false: not obviously.
[[nodiscard]] bool same_sum(ExprPool& pool, Expr left, Expr right);

}  // namespace whittle::simplify
