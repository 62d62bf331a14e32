// SPDX-License-Identifier: Apache-2.0
#include "witness/possible_steps.h"

#include <algorithm>

#include "expr/traverse.h"

namespace whittle {

PossibleSteps::PossibleSteps(Network& network, PropertyId property,
                             const smt::SolverFactory& solvers)
    : network_(network), property_(property), solvers_(solvers), pool_(network.pool()) {}

std::string PossibleSteps::solver() const {
  return std::string(smt::info(solvers_.settings().id).name);
}

smt::CheckResult PossibleSteps::possible(const State& state, InstanceId instance,
                                         const std::vector<EventId>& events) {
  if (!lowered_) lowered_ = lower(network_, property_);
  const TransitionSystem& system = lowered_->system;
  const std::vector<Value> values = lowered_->back->flat_state(state);
  Substitution here(pool_);
  for (std::size_t v = 0; v < values.size(); ++v) {
    const StateVariable& variable = system.variables[v];
    here.set(variable.current, pool_.constant(values[v], variable.type));
  }
  std::vector<Expr> ways;
  // The last transition is the one that stays.
  for (std::uint32_t t = 0; t + 1 < system.transitions.size(); ++t) {
    const Transition& transition = system.transitions[t];
    if (instance.valid() && !lowered_->back->takes_part(t, instance, events)) continue;
    Expr way = here(transition.guard);
    if (transition.relation.valid()) way = pool_.conj(way, here(transition.relation));
    if (pool_.is_true(way)) return {smt::Answer::Sat, {}};
    ways.push_back(way);
  }
  const Expr some = pool_.disj(ways);
  if (pool_.is_false(some)) return {smt::Answer::Unsat, {}};
  asked_ = true;
  const auto solver = solvers_.make(pool_, "possible");
  solver->require(some);
  return solver->check();
}

}  // namespace whittle
