// SPDX-License-Identifier: Apache-2.0
// Where does a condition hold whatever the values of some symbols are? Quantifier elimination for
// conditions as weakest preconditions make them: mostly a clause or two mention the symbols. These
// are found first, equations are substituted, and only what is left goes to a solver.
#pragma once

#include <optional>
#include <span>

#include "smt/solver.h"

namespace whittle::smt {

// Equivalent to "for all values of `bound`: formula", without them. requires: a total term, without
// quantifiers. Empty: the solver gave up, or cannot say it in our terms.
[[nodiscard]] std::optional<Expr> holds_for_all(ExprPool& pool, Expr formula,
                                                std::span<const SymbolId> bound,
                                                const Limits& limits);

}  // namespace whittle::smt
