// SPDX-License-Identifier: Apache-2.0
// The machines of a network as drawings: states, and between them the events.
#pragma once

#include <string>
#include <vector>

#include "base/source.h"
#include "ir/network.h"

namespace whittle {

// What of the machines a question needs, by ids of the network that is drawn; the rest is grey.
struct DrawnSlice {
  std::vector<char> machines;  // empty: everything is needed
  std::vector<char> locations;
  std::vector<std::vector<char>> arcs;  // by event

  [[nodiscard]] bool whole() const { return machines.empty(); }
  [[nodiscard]] bool keeps(MachineId machine) const {
    return whole() || machines[machine.index()] != 0;
  }
  [[nodiscard]] bool keeps(LocationId location) const {
    return whole() || locations[location.index()] != 0;
  }
  [[nodiscard]] bool keeps(EventId event, std::size_t arc) const {
    return whole() || arcs[event.index()][arc] != 0;
  }
};

// For Graphviz, with guards and effects in short form where the text has them.
[[nodiscard]] std::string machines_dot(const Network& network, const DrawnSlice& slice,
                                       const Sources& sources);
// A `stateDiagram-v2`: what is not needed stands in a class `gone`, events in parentheses.
[[nodiscard]] std::string machines_mermaid(const Network& network, const DrawnSlice& slice);

}  // namespace whittle
