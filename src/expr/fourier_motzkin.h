// SPDX-License-Identifier: Apache-2.0
// Elimination of a number that conditions only bound (Fourier, Motzkin): there is a value between
// the bounds exactly if every lower bound is below every upper one. The reals are dense, so that is
// enough for them; of integers it is where one of the two bounds has the coefficient 1.
#pragma once

#include <optional>
#include <vector>

#include "expr/expr.h"

namespace whittle {

// factor * x >= term, a lower bound of x, or factor * x <= term, an upper one. requires: the
// factor, a term as well, is positive
struct LinearBound {
  Expr factor, term;
  bool strict = false;
};

struct LinearBounds {
  std::vector<LinearBound> lower, upper;
  bool excludes_values = false;  // there are finitely many `x != t`, too
};

// A condition that holds where some x of the type (Int or Real) is within the bounds. Empty: there
// are more than `most` pairs of bounds, or it takes more than comparing them.
[[nodiscard]] std::optional<Expr> within_bounds(ExprPool& pool, const LinearBounds& bounds,
                                                Type type, std::size_t most);

}  // namespace whittle
