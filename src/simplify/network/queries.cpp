// SPDX-License-Identifier: Apache-2.0
#include "simplify/network/queries.h"

#include "expr/traverse.h"
#include "simplify/network/single_bounds.h"
#include "smt/elimination/quantifier_elimination.h"

namespace whittle::simplify {

Queries::Queries(ExprPool& pool, const smt::SolverFactory& solvers, Budget budget)
    : pool_(pool), solvers_(solvers), budget_(budget), deadline_(Deadline::after(budget.all)) {}

smt::Solver& Queries::solver() {
  if (!solver_) {
    solver_ = solvers_.make(pool_, "refine");
    solver_->set_time_per_check(budget_.per_query);
  }
  return *solver_;
}

bool Queries::unsatisfiable(std::span<const Expr> conditions) {
  if (const auto plain = bounds_satisfiable(pool_, conditions)) return !*plain;
  const std::vector<Expr> same = shape(conditions);
  if (const auto it = known_.find(same); it != known_.end()) return it->second;
  if (spent()) return false;
  ++asked_;
  smt::Scope scope(solver());
  for (Expr condition : conditions) solver_->require(condition);
  const bool none = solver_->check().answer == smt::Answer::Unsat;
  known_.emplace(same, none);
  return none;
}

std::vector<Expr> Queries::shape(std::span<const Expr> conditions) {
  Substitution put(pool_);
  std::map<Type, std::size_t> count;
  for (SymbolId symbol : symbols(pool_, conditions)) {
    const SymbolInfo info = pool_.info(symbol);
    if (!info.params.empty()) return {conditions.begin(), conditions.end()};
    auto [it, fresh] = numbered_.try_emplace({info.type, count[info.type]++});
    if (fresh) it->second = pool_.symbol(pool_.declare("shape", info.type));
    put.set(symbol, it->second);
  }
  std::vector<Expr> result;
  for (Expr condition : conditions) result.push_back(put(condition));
  return result;
}

std::optional<std::vector<Value>> Queries::solution(std::span<const Expr> conditions,
                                                    std::span<const SymbolId> wanted) {
  ++asked_;
  smt::Scope scope(solver());
  for (Expr condition : conditions) solver_->require(condition);
  if (solver_->check().answer != smt::Answer::Sat) return std::nullopt;
  std::vector<Value> values;
  try {
    for (SymbolId s : wanted) values.push_back(solver_->value(pool_.symbol(s)));
  } catch (const smt::NoValue&) {
    return std::nullopt;
  }
  return values;
}

std::optional<Expr> Queries::eliminated(Expr condition, std::span<const SymbolId> symbols) {
  if (spent()) return std::nullopt;
  ++asked_;
  smt::Limits limits = solvers_.settings().limits;
  limits.time_per_check = budget_.per_query;
  limits.deadline = Deadline::after(budget_.per_query).earlier(limits.deadline);
  return smt::eliminated(pool_, condition, symbols, limits);
}

}  // namespace whittle::simplify
