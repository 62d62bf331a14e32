// SPDX-License-Identifier: Apache-2.0
#include "simplify/flat/induction_queries.h"

#include <algorithm>

namespace whittle::simplify {

namespace {

constexpr std::chrono::milliseconds kPerQuery{500};

}  // namespace

InductionQueries::InductionQueries(const TransitionSystem& system,
                                   const smt::SolverFactory& solvers)
    : system_(system),
      pool_(*system.pool),
      limits_(solvers.settings().limits),
      solver_(solvers.make(*system.pool, "minimise")) {
  solver_->set_time_per_check(kPerQuery);
  steps_.reserve(system.transitions.size());
  for (const Transition& transition : system.transitions) {
    Step step;
    std::vector<Expr> parts{transition.guard};
    if (transition.relation.valid()) parts.push_back(transition.relation);
    step.condition = pool_.conj(parts);
    step.before = std::make_unique<Substitution>(pool_);
    step.after = std::make_unique<Substitution>(pool_);
    std::vector<std::pair<SymbolId, Expr>> next;
    for (Expr part : conjuncts(pool_, transition.guard)) {
      SymbolId symbol;
      const Expr value = location_named(part, symbol);
      if (!value.valid()) continue;
      step.before->set(symbol, value);
      next.emplace_back(symbol, value);
    }
    for (const Update& update : transition.updates) {
      next.emplace_back(system.variables[update.variable].current, update.value);
    }
    for (std::uint32_t v : transition.open) {
      next.emplace_back(system.variables[v].current, pool_.symbol(system.variables[v].next));
    }
    for (const auto& [symbol, value] : next) step.after->set(symbol, value);  // the last one counts
    steps_.push_back(std::move(step));
  }
}

// `location == constant`: the constant.
Expr InductionQueries::location_named(Expr condition, SymbolId& symbol) const {
  if (pool_.op(condition) != Op::Eq) return {};
  for (std::size_t i = 0; i < 2; ++i) {
    const Expr variable = pool_.child(condition, i);
    const Expr value = pool_.child(condition, 1 - i);
    if (!pool_.is_variable(variable) || !pool_.is_const(value)) continue;
    symbol = pool_.symbol_of(variable);
    if (pool_.kind(pool_.type(variable)) == TypeKind::Enum) return value;
  }
  return {};
}

bool InductionQueries::stopped() const {
  return limits_.deadline.passed() || limits_.cancel.cancelled();
}

std::vector<Expr> InductionQueries::relevant(std::span<const Expr> given, Step& step) {
  std::vector<Expr> result;
  for (Expr condition : given) {
    if (!pool_.is_true((*step.before)(condition))) result.push_back(condition);
  }
  return result;
}

InductionQueries::Reasons InductionQueries::refuted(std::span<const Expr> conditions,
                                                    std::span<const Expr> given) {
  smt::Scope scope(*solver_);
  for (Expr condition : conditions) solver_->require(condition);
  if (solver_->check_assuming(given).answer != smt::Answer::Unsat) return std::nullopt;
  return solver_->unsat_core();
}

bool InductionQueries::initial(Expr claim) {
  const Expr conditions[] = {system_.init, pool_.negate(claim)};
  return refuted(conditions, {}).has_value();
}

InductionQueries::Reasons InductionQueries::kept(std::span<const Expr> given,
                                                 std::uint32_t transition, Expr claim) {
  Step& step = steps_[transition];
  const Expr image = (*step.after)(claim);
  if (pool_.is_true(image)) return std::vector<Expr>{};
  if (image == (*step.before)(claim) && std::find(given.begin(), given.end(), claim) != given.end())
    return std::vector<Expr>{claim};
  const Expr conditions[] = {step.condition, pool_.negate(image)};
  return refuted(conditions, relevant(given, step));
}

InductionQueries::Reasons InductionQueries::sufficient(std::span<const Expr> given) {
  return refuted(std::span<const Expr>(&system_.goal.condition, 1), given);
}

bool InductionQueries::keep_true(std::vector<Expr>& claims, Expr condition, Substitution* after,
                                 bool& changed) {
  for (;;) {
    if (stopped()) return false;
    std::vector<Expr> images;
    std::vector<Expr> open;
    for (Expr claim : claims) {
      const Expr image = after == nullptr ? claim : (*after)(claim);
      images.push_back(image);
      if (!pool_.is_true(image)) open.push_back(image);
    }
    if (open.empty()) return true;
    smt::Scope scope(*solver_);
    solver_->require(condition);
    solver_->require(pool_.negate(pool_.conj(open)));
    const smt::CheckResult result = solver_->check();
    if (result.answer == smt::Answer::Unsat) return true;
    if (result.answer == smt::Answer::Unknown) return false;
    std::vector<Expr> left;
    try {
      for (std::size_t i = 0; i < claims.size(); ++i) {
        if (pool_.is_true(images[i]) || solver_->value(images[i]).as_bool()) {
          left.push_back(claims[i]);
        }
      }
    } catch (const smt::NoValue&) {
      return false;
    }
    if (left.size() == claims.size()) return false;
    changed = true;
    claims = std::move(left);
  }
}

std::vector<Expr> InductionQueries::inductive_subset(std::vector<Expr> claims) {
  bool changed = false;
  if (!keep_true(claims, system_.init, nullptr, changed)) return {};
  do {
    changed = false;
    for (Step& step : steps_) {
      if (claims.empty()) return {};
      // Those that are left over after each counterexample are assumed again.
      for (bool dropped = true; dropped;) {
        dropped = false;
        std::vector<Expr> given = relevant(claims, step);
        given.push_back(step.condition);
        if (!keep_true(claims, pool_.conj(given), step.after.get(), dropped)) return {};
        changed = changed || dropped;
      }
    }
  } while (changed);
  return claims;
}

}  // namespace whittle::simplify
