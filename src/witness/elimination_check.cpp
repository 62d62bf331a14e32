// SPDX-License-Identifier: Apache-2.0
#include "witness/elimination_check.h"

#include <fmt/format.h>

#include "smt/elimination/quantifier_elimination.h"
#include "smt/elimination/values_exist.h"

namespace whittle {

namespace {

constexpr const char* kLost = "the elimination of quantifiers (values are lost)";
constexpr const char* kInvented = "the elimination of quantifiers (values are invented)";

}  // namespace

std::function<std::optional<Expr>(Expr, std::span<const SymbolId>)> written_elimination(
    ExprPool& pool, const smt::Limits& limits, std::vector<Elimination>& made) {
  return [eliminate = smt::elimination(pool, limits), &made](Expr body,
                                                             std::span<const SymbolId> bound) {
    std::optional<Expr> found = eliminate(body, bound);
    if (found) made.push_back({body, {bound.begin(), bound.end()}, *found});
    return found;
  };
}

Problem check_nothing_lost(ExprPool& pool, const std::vector<Elimination>& made,
                           smt::Solver& solver) {
  for (const Elimination& e : made) {
    if (auto problem = refuted(solver, pool.conj(e.body, pool.negate(e.result)), kLost))
      return problem;
  }
  return std::nullopt;
}

Problem check_eliminations(ExprPool& pool, const std::vector<Elimination>& made,
                           const smt::SolverFactory& solvers) {
  if (made.empty()) return std::nullopt;
  const auto solver = solvers.make(pool, "elimination");
  if (auto problem = check_nothing_lost(pool, made, *solver)) return problem;
  for (const Elimination& e : made) {
    if (pool.is_false(e.result)) continue;
    const smt::CheckResult result = smt::check_without_values(
        solvers.settings().id, pool, e.result, e.body, e.bound, solvers.settings().limits);
    switch (result.answer) {
      case smt::Answer::Unsat:
        break;
      case smt::Answer::Sat:
        return Unexpected{RejectedWitness{
            fmt::format("the invariant fails {} according to {}", kInvented, solver->name())}};
      case smt::Answer::Unknown:
        return WitnessCheck::unchecked({solver->name(), kInvented, result.reason});
    }
  }
  return std::nullopt;
}

}  // namespace whittle
