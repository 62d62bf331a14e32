// SPDX-License-Identifier: Apache-2.0
// The conditions on the first state, conjunct by conjunct. A conjunct over variables that nobody
// needs may only be dropped if it surely has a solution of its own; slicing asks no solver, so that
// is decided by its shape: `x == 5`, `x >= 5`, `a[3] == 5`, and no other conjunct about the same.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ir/network.h"

namespace whittle::slice {

struct InitCondition {
  Expr condition;
  MachineId machine;        // of a start; invalid: a condition of the universe
  std::uint32_t start = 0;  // which start of the machine
  std::vector<VariableId> variables;
  std::vector<LocationId> locations;  // that it asks for
  std::vector<MachineId> machines;    // whose instances it refers to
  bool removable = false;             // may go when none of its variables is needed
  Span origin;
};

class InitConditions {
 public:
  InitConditions(const Network& network, UniverseId universe);

  [[nodiscard]] const std::vector<InitCondition>& all() const { return conditions_; }
  [[nodiscard]] std::span<const std::uint32_t> about(VariableId v) const;

 private:
  void collect(const Network& network, Expr condition, MachineId machine, std::uint32_t start,
               Span origin);
  void find_removable(const Network& network);

  std::vector<InitCondition> conditions_;
  std::vector<std::uint32_t> first_;  // by variable: range in by_variable_
  std::vector<std::uint32_t> by_variable_;
};

// The values that satisfy a removable condition: the variable's value, starting from `base`.
[[nodiscard]] Value satisfying_value(const Network& network, Expr condition, const Value& base);

}  // namespace whittle::slice
