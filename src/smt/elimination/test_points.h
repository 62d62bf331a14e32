// SPDX-License-Identifier: Apache-2.0
// "For all i" by test points (Loos, Weispfenning: "Applying Linear Quantifier Elimination", 1993):
// where i occurs only in comparisons with terms, what the formula says changes only next to these
// terms. So it holds for all i if it does there, and below all of them.
//
//   for all i: i < 0 or i > 9 or p(i == a)      p(false) and (a < 0 or a > 9 or p(true)) and ...
#pragma once

#include <optional>

#include "expr/expr.h"

namespace whittle::smt {

// Equivalent to "for all values of `bound`: formula", without it: Int with factors of one and -1,
// and bit vectors that are compared. requires: a total term, without quantifiers. Empty: it occurs
// in other ways, or the result would be too large.
[[nodiscard]] std::optional<Expr> holds_at_test_points(ExprPool& pool, Expr formula,
                                                       SymbolId bound);

}  // namespace whittle::smt
