// SPDX-License-Identifier: Apache-2.0
// The same condition as people would write it: `serving + 1 != nextTicket` instead of
// `serving + (-nextTicket) != -1`, `a && b -> c` instead of `!a || !b || c`, and what holds under
// one condition together.
#pragma once

#include "expr/expr.h"

namespace whittle {

// Equivalent to `condition`, also in where it is undefined.
[[nodiscard]] Expr readable(ExprPool& pool, Expr condition);

}  // namespace whittle
