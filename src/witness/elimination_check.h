// SPDX-License-Identifier: Apache-2.0
// Goals that say "is not possible" (deadlock, sinkhole, impossible relation) and negated
// synchronisations come from quantifier elimination, the same for engine and check. So the check
// does not believe it: what is eliminated while the network is lowered again is written down and
// proved by the checking solver (docs/adr/015-eliminations-are-checked.md).
#pragma once

#include <vector>

#include "ir/lowering/lower.h"
#include "smt/solvers.h"
#include "witness/obligation.h"

namespace whittle {

struct Elimination {
  Expr body;
  std::vector<SymbolId> bound;
  Expr result;  // is said to hold exactly where some values of `bound` satisfy `body`
};

// For LowerOptions::eliminate; appends to `made`, which must live as long.
[[nodiscard]] std::function<std::optional<Expr>(Expr, std::span<const SymbolId>)>
written_elimination(ExprPool& pool, const smt::Limits& limits, std::vector<Elimination>& made);

// In every state: where there are values, the result holds; and where it holds, there are values.
[[nodiscard]] Problem check_eliminations(ExprPool& pool, const std::vector<Elimination>& made,
                                         const smt::SolverFactory& solvers);

// In the states that the solver was told about: nothing is possible that the results deny. That is
// all that a trace to a state without steps needs.
[[nodiscard]] Problem check_nothing_lost(ExprPool& pool, const std::vector<Elimination>& made,
                                         smt::Solver& solver);

}  // namespace whittle
