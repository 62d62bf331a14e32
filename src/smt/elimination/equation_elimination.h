// SPDX-License-Identifier: Apache-2.0
// Quantifier elimination that costs no solver: by cases where there are few values, by solving an
// equation, whatever the coefficient of the quantified variable is, or by joining its bounds
// (Fourier, Motzkin). Also for products of variables, which solvers refuse to eliminate.
#pragma once

#include <span>
#include <vector>

#include "expr/expr.h"

namespace whittle::smt {

struct PartlyEliminated {
  Expr formula;                // holds exactly where some values of the others satisfy the input
  std::vector<SymbolId> left;  // could not be eliminated
};

[[nodiscard]] PartlyEliminated eliminated_by_equations(ExprPool& pool, Expr formula,
                                                       std::span<const SymbolId> bound);

}  // namespace whittle::smt
