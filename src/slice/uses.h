// SPDX-License-Identifier: Apache-2.0
// uses(n) of Eilers 2018: what a condition or expression reads, sorted by how it reads it.
#pragma once

#include <unordered_map>
#include <vector>

#include "ir/network.h"

namespace whittle::slice {

struct Uses {
  std::vector<VariableId> own;       // variables of the machine at hand, before the step
  std::vector<VariableId> own_next;  // ... after the step
  std::vector<VariableId> shared;    // shared variables, before or after
  std::vector<VariableId> remote;    // variables of referenced or named instances
  std::vector<LocationId> own_locations;
  std::vector<LocationId> remote_locations;
  std::vector<SymbolId> inputs;
  std::vector<MachineId> machines;  // referenced ones
};

// Remembers what it looked at.
class UseTable {
 public:
  explicit UseTable(const Network& network) : network_(network) {}
  const Uses& of(Expr e);

 private:
  const Network& network_;
  std::unordered_map<Expr, Uses> known_;
};

}  // namespace whittle::slice
