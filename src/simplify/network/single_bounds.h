// SPDX-License-Identifier: Apache-2.0
// Conditions that compare single numbers with constants, decided without a solver: `1 <= k` and
// `k <= 10` are what most guards say, and starting a solver for them costs more than everything
// else that is done to a small question.
#pragma once

#include <optional>
#include <span>

#include "expr/expr.h"

namespace whittle::simplify {

// Whether some values satisfy all of the conditions; empty: they are not all of that form.
[[nodiscard]] std::optional<bool> bounds_satisfiable(const ExprPool& pool,
                                                     std::span<const Expr> conditions);

}  // namespace whittle::simplify
