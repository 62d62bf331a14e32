// SPDX-License-Identifier: Apache-2.0
// Ranges of a system's variables, inputs and next values, and the conditions of its transitions by
// which they are narrowed. State variables have the first slots.
#pragma once

#include <cstdint>
#include <vector>

#include "absint/interval/range_store.h"
#include "ir/transition_system.h"

namespace whittle {

struct GuardedRanges {
  explicit GuardedRanges(const TransitionSystem& system);

  [[nodiscard]] std::uint32_t variables() const {
    return static_cast<std::uint32_t>(system.variables.size());
  }
  // The slot of the variable's value after a transition that leaves it open.
  [[nodiscard]] std::uint32_t next_slot(std::uint32_t variable) const {
    return store.slot(system.variables[variable].next);
  }
  // Narrows to the states and inputs in which the transition is possible.
  bool enter(std::uint32_t transition) { return store.assume_all(conditions[transition]); }

  const TransitionSystem& system;
  RangeStore store;
  std::vector<std::vector<Expr>> conditions;  // by transition: conjuncts of guard and relation
  std::vector<Expr> goal;                     // its conjuncts
};

}  // namespace whittle
