// SPDX-License-Identifier: Apache-2.0
// What can go wrong while an expression is evaluated, in the order of evaluation: an index out of
// range, a division by zero. `&&`, `||` and `->` evaluate from left to right and only what they
// need.
#pragma once

#include <vector>

#include "expr/expr.h"

namespace whittle::program {

struct Check {
  enum class Kind : std::uint8_t { Bounds, Division };
  Kind kind = Kind::Bounds;
  Expr condition;  // it goes well; defined wherever all checks before it hold
};

[[nodiscard]] std::vector<Check> checks_of(ExprPool& pool, Expr e);
// 0 <= index < length of the array's type; true for an index that is known to fit.
[[nodiscard]] Expr in_range(ExprPool& pool, Expr array, Expr index);

// Some check of that kind fails, and all before it hold.
[[nodiscard]] Expr first_failure(ExprPool& pool, const std::vector<Check>& checks,
                                 Check::Kind kind);

}  // namespace whittle::program
