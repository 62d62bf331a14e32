// SPDX-License-Identifier: Apache-2.0
#include "ir/transition_terms.h"

namespace whittle {

Expr step_condition(ExprPool& pool, const Transition& transition) {
  if (!transition.relation.valid()) return transition.guard;
  return pool.conj(transition.guard, transition.relation);
}

std::vector<Expr> values_after(const TransitionSystem& system, const Transition& transition) {
  ExprPool& pool = *system.pool;
  std::vector<Expr> result;
  result.reserve(system.variables.size());
  for (const StateVariable& variable : system.variables)
    result.push_back(pool.symbol(variable.current));
  for (const Update& update : transition.updates) result[update.variable] = update.value;
  for (const std::uint32_t v : transition.open) result[v] = pool.symbol(system.variables[v].next);
  return result;
}

Substitution state_after(const TransitionSystem& system, const Transition& transition) {
  Substitution result(*system.pool);
  for (const Update& update : transition.updates)
    result.set(system.variables[update.variable].current, update.value);
  for (const std::uint32_t v : transition.open)
    result.set(system.variables[v].current, system.pool->symbol(system.variables[v].next));
  return result;
}

}  // namespace whittle
