// SPDX-License-Identifier: Apache-2.0
#include "absint/interval/guarded_ranges.h"

#include "expr/traverse.h"

namespace whittle {

GuardedRanges::GuardedRanges(const TransitionSystem& its_system)
    : system(its_system), store(*its_system.pool) {
  const ExprPool& pool = *system.pool;
  for (const StateVariable& variable : system.variables) store.add_slot(variable.current);
  for (const Transition& transition : system.transitions) {
    for (SymbolId input : transition.inputs) store.add_slot(input);
    for (std::uint32_t v : transition.open) store.add_slot(system.variables[v].next);
    std::vector<Expr> parts = conjuncts(pool, transition.guard);
    if (transition.relation.valid()) {
      const std::vector<Expr> more = conjuncts(pool, transition.relation);
      parts.insert(parts.end(), more.begin(), more.end());
    }
    conditions.push_back(std::move(parts));
  }
  for (SymbolId input : system.goal.inputs) store.add_slot(input);
  goal = conjuncts(pool, system.goal.condition);
}

}  // namespace whittle
