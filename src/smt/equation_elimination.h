// SPDX-License-Identifier: Apache-2.0
// Quantifier elimination where the quantified variable stands only to the first power: by solving
// an equation for it, whatever its coefficient is, or by joining its bounds (Fourier, Motzkin). For
// products of variables, which solvers refuse to eliminate.
#pragma once

#include <optional>
#include <span>

#include "expr/expr.h"

namespace whittle::smt {

// A formula without these symbols that holds exactly where some values of them satisfy the
// conjunction; empty: it does not have the form.
[[nodiscard]] std::optional<Expr> eliminated_by_equations(ExprPool& pool, Expr formula,
                                                          std::span<const SymbolId> bound);

}  // namespace whittle::smt
