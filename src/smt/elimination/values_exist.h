// SPDX-License-Identifier: Apache-2.0
// The one question with a quantifier: where a condition holds, are there always values of some
// symbols for which a body holds? It is how quantifier elimination is checked.
#pragma once

#include <span>

#include "smt/solvers.h"

namespace whittle::smt {

// `condition` and, for all values of `bound`, not `body`. Unsat: there always are values. Sat: not
// always. Never throws for what the solver cannot take: that is Unknown.
[[nodiscard]] CheckResult check_without_values(SolverId id, ExprPool& pool, Expr condition,
                                               Expr body, std::span<const SymbolId> bound,
                                               const Limits& limits);

// The same by one solver; the terms are plain and not deep. In the folder of each.
[[nodiscard]] CheckResult z3_without_values(ExprPool& pool, Expr condition, Expr body,
                                            std::span<const SymbolId> bound, const Limits& limits);
[[nodiscard]] CheckResult cvc5_without_values(ExprPool& pool, Expr condition, Expr body,
                                              std::span<const SymbolId> bound,
                                              const Limits& limits);

}  // namespace whittle::smt
