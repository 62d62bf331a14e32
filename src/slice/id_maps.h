// SPDX-License-Identifier: Apache-2.0
// What the elements of a slice were in the original.
#pragma once

#include <vector>

#include "ir/network.h"

namespace whittle::slice {

// Ids of the original by ids of the slice.
struct IdMaps {
  std::vector<MachineId> machines;
  std::vector<VariableId> variables;
  std::vector<LocationId> locations;  // those that are none of the original have none
  std::vector<EventId> events;
  std::vector<InstanceId> instances;
};

}  // namespace whittle::slice
