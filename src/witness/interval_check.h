// SPDX-License-Identifier: Apache-2.0
// Conditions that exact interval arithmetic alone shows to be impossible. Most obligations of the
// invariants of large, simple systems are like that, and a solver call costs a hundred times more.
#pragma once

#include "expr/expr.h"

namespace whittle {

// True: no values satisfy the condition. False: it is not known.
[[nodiscard]] bool refuted_by_intervals(const ExprPool& pool, Expr condition);

}  // namespace whittle
