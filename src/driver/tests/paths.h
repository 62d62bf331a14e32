// SPDX-License-Identifier: Apache-2.0
// The ways through a program from its start to an end, in which no location is passed more often
// than loops may turn.
#pragma once

#include <vector>

#include "driver/tests/asking.h"

namespace whittle::tests {

struct PathFound {
  std::string name;             // its decisions
  std::vector<EventId> events;  // from the start
  Answer answer;                // with a trace of the network as parsed
};

struct PathsFound {
  std::vector<PathFound> paths;  // those that end, and beginnings that no run takes
  bool complete = true;          // false: there are more than were looked at
};

// requires: one instance, whose events leave one location each. Beginnings of paths are asked at
// every decision, so that what follows an impossible one is not looked at.
[[nodiscard]] PathsFound paths(const std::shared_ptr<Network>& network, UniverseId universe,
                               unsigned turns, Asking& asking);

// Whether paths can be listed.
[[nodiscard]] bool has_paths(const Network& network, UniverseId universe);

}  // namespace whittle::tests
