// SPDX-License-Identifier: Apache-2.0
#include "engine/path/path_solver.h"

namespace whittle {

PathSolver::PathSolver(ExprPool& pool, const smt::SolverFactory& solvers, bool bits)
    : pool_(pool), solvers_(solvers) {
  if (bits) bits_.emplace(pool);
}

void PathSolver::require(Expr condition) {
  if (!pool_.is_true(condition)) conditions_.push_back(condition);
}

void PathSolver::begin() {
  solver_ = nullptr;
  told_ = 0;
}

void PathSolver::tell() {
  if (bits_) {
    bits_->learn(std::span(conditions_).subspan(told_));
    if (!bits_->bounded()) bits_.reset();
    if (!bits_ || bits_->outgrown()) begin();
  }
  std::vector<Expr> conditions(conditions_.begin() + static_cast<std::ptrdiff_t>(told_),
                               conditions_.end());
  told_ = conditions_.size();
  if (bits_) {
    for (Expr& condition : conditions) condition = (*bits_)(condition);
    const std::vector<Expr> facts = bits_->take_facts();
    conditions.insert(conditions.end(), facts.begin(), facts.end());
  }
  if (!solver_) {
    smt::Logic logic = smt::logic_of(pool_, conditions);
    if (bits_) {
      logic.bit_vectors = true;  // by this name solvers know that SAT is enough
      logic.few_hard_checks = true;
    }
    solver_ = solvers_.make(pool_, "bmc", logic);
  }
  for (Expr condition : conditions) solver_->require(condition);
}

smt::CheckResult PathSolver::check_assuming(std::span<const Expr> assumptions) {
  tell();
  return solver_->check_assuming(assumptions);
}

Value PathSolver::value(Expr term) {
  return bits_ ? bits_->value(term, *solver_) : solver_->value(term);
}

}  // namespace whittle
