// SPDX-License-Identifier: Apache-2.0
// Consecution goes transition by transition and looks only at the conjuncts of the invariant that
// the transition can falsify: those in which a variable that it writes is left after the location
// it leads to has been put in.
#include "witness/invariant_check.h"

#include <fmt/format.h>

#include "expr/traverse.h"
#include "ir/lower.h"

namespace whittle {

namespace {

class Obligations {
 public:
  Obligations(const TransitionSystem& system, Expr invariant, const smt::SolverFactory& solvers)
      : system_(system),
        pool_(*system.pool),
        invariant_(invariant),
        solver_(solvers.make(*system.pool, "invariant")) {}

  Expected<WitnessCheck, RejectedWitness> check();

 private:
  std::optional<Expected<WitnessCheck, RejectedWitness>> open(std::string_view obligation,
                                                              std::span<const Expr> conditions);
  Expr after(const Transition& transition);

  const TransitionSystem& system_;
  ExprPool& pool_;
  Expr invariant_;
  std::unique_ptr<smt::Solver> solver_;
};

// The conditions together have no solution; otherwise what to report.
std::optional<Expected<WitnessCheck, RejectedWitness>> Obligations::open(
    std::string_view obligation, std::span<const Expr> conditions) {
  smt::Scope scope(*solver_);
  for (Expr condition : conditions) solver_->require(condition);
  const smt::CheckResult result = solver_->check();
  switch (result.answer) {
    case smt::Answer::Unsat:
      return std::nullopt;
    case smt::Answer::Sat:
      return Unexpected{RejectedWitness{
          fmt::format("the invariant fails {} according to {}", obligation, solver_->name())}};
    case smt::Answer::Unknown:
      return WitnessCheck{false, fmt::format("unchecked by the second solver ({} on {}: {})",
                                             solver_->name(), obligation, result.reason)};
  }
  return std::nullopt;
}

// inv(s') in terms of s, the inputs and the open next values; only what may have changed.
Expr Obligations::after(const Transition& transition) {
  Substitution next(pool_);
  for (const Update& update : transition.updates) {
    next.set(system_.variables[update.variable].current, update.value);
  }
  for (std::uint32_t v : transition.open) {
    next.set(system_.variables[v].current, pool_.symbol(system_.variables[v].next));
  }
  std::vector<Expr> changed;
  for (Expr conjunct : conjuncts(pool_, invariant_)) {
    const Expr image = next(conjunct);
    if (image != conjunct) changed.push_back(image);
  }
  return pool_.conj(changed);
}

Expected<WitnessCheck, RejectedWitness> Obligations::check() {
  const Expr beyond = pool_.negate(invariant_);
  if (auto problem = open("initiation", std::vector{system_.init, beyond})) return *problem;
  solver_->require(invariant_);
  if (auto problem = open("sufficiency", std::vector{system_.goal.condition})) return *problem;
  for (const Transition& transition : system_.transitions) {
    std::vector<Expr> conditions = {transition.guard};
    if (transition.relation.valid()) conditions.push_back(transition.relation);
    const Expr kept = after(transition);
    if (pool_.is_true(kept)) continue;
    conditions.push_back(pool_.negate(kept));
    if (auto problem = open("consecution of " + transition.name, conditions)) return *problem;
  }
  return WitnessCheck{true, solver_->name()};
}

}  // namespace

Expected<WitnessCheck, RejectedWitness> check_invariant(Network& network, PropertyId property,
                                                        Expr invariant,
                                                        const smt::SolverFactory& solvers) {
  const Lowered lowered = lower(network, property);
  const Expr flat = lowered.back->flat_condition(invariant);
  return Obligations(lowered.system, flat, solvers).check();
}

}  // namespace whittle
