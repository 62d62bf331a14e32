// SPDX-License-Identifier: Apache-2.0
// Tests at the borders of conditions (White and Cohen, "A Domain Strategy for Computer Program
// Testing", 1980): a comparison in a guard is a border in the space of inputs. An ON point lies on
// it, with everything else in the guard satisfied, an OFF point beside it, on the other side.
#pragma once

#include <string>
#include <vector>

#include "driver/tests/goals.h"

namespace whittle::tests {

struct BorderPoint {
  CoverageGoal goal;   // kind "on" or "off"
  EventId event;       // whose guard has the border
  bool inside = true;  // the guard holds at the point
};

// Adds to the network what tries the points. Each border of a text once.
[[nodiscard]] std::vector<BorderPoint> border_points(Network& network, UniverseId universe);

}  // namespace whittle::tests
