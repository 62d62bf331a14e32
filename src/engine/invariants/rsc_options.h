// SPDX-License-Identifier: Apache-2.0
// Options of the engine `rsc`, and of all that use reachable-state constraints.
#pragma once

#include "base/options.h"

namespace whittle {

struct RscOptions : OptionGroup {
  RscOptions() : OptionGroup("Reachable-state constraints") {}
  Option<unsigned> processes{
      *this,
      "rsc-processes",
      0,
      {0, 256},
      "at the same time, for loops that do not depend on each other; 0: as --jobs"};
};

}  // namespace whittle
