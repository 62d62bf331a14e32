// SPDX-License-Identifier: Apache-2.0
// Conditions that exclude each other, as far as bounds of linear terms and values of variables show
// it: `x > 5 && x < 3`, `s == OPEN && s == CLOSED`, `a && !a`, `x > 1 && y > 1 && x + y < 2`. No
// search and no solver, so that reading a model stays quick; what this does not see, a solver may.
#pragma once

#include <span>
#include <vector>

#include "expr/expr.h"

namespace whittle {

// Which of the conditions cannot hold together, by their indices in ascending order; empty: nothing
// was found. Where one of them is undefined it does not hold either.
[[nodiscard]] std::vector<std::size_t> contradiction(const ExprPool& pool,
                                                     std::span<const Expr> conditions);

}  // namespace whittle
