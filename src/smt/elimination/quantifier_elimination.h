// SPDX-License-Identifier: Apache-2.0
// Formulas made smaller by a solver: quantifier elimination and contextual simplification.
// Every result is equivalent to its input (for total terms). Empty: the time was over, the solver
// gave up, or its answer has parts that our terms cannot express.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "smt/solver.h"

namespace whittle::smt {

// A quantifier-free formula that holds exactly where some values of `bound` satisfy `formula`.
// Bool, Int, Real and Enum; linear arithmetic, or it rarely succeeds.
[[nodiscard]] std::optional<Expr> eliminated(ExprPool& pool, Expr formula,
                                             std::span<const SymbolId> bound, const Limits& limits);

// The same as a function of formula and symbols, for whoever must not know solvers
// (ir/lowering/lower.h).
[[nodiscard]] std::function<std::optional<Expr>(Expr formula, std::span<const SymbolId> bound)>
elimination(ExprPool& pool, const Limits& limits);

enum class Effort : std::uint8_t {
  Rewrite,  // local rewriting only: linear time
  Context,  // subformulas simplified under what surrounds them, propositionally and by bounds
  Solver,   // a solver call per conjunct and per disjunct in it: slow, for small formulas
};

[[nodiscard]] std::optional<Expr> simplified(ExprPool& pool, Expr formula, Effort effort,
                                             const Limits& limits);

// The formula as a disjunction of conjunctions of its literals, if at most `max_cubes` will do.
[[nodiscard]] std::optional<std::vector<Expr>> cubes(ExprPool& pool, Expr formula,
                                                     std::size_t max_cubes, const Limits& limits);

}  // namespace whittle::smt
