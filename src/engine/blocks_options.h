// SPDX-License-Identifier: Apache-2.0
// What a step is for engines that can take large blocks (simplify/flat/blocks.h).
#pragma once

#include "base/options.h"
#include "simplify/flat/blocks.h"

namespace whittle {

struct BlocksOptions : OptionGroup {
  BlocksOptions() : OptionGroup("Blocks") {}
  Option<simplify::Blocks> blocks{
      *this,
      "blocks",
      simplify::Blocks::Auto,
      {{"auto", simplify::Blocks::Auto},
       {"single", simplify::Blocks::Single},
       {"large", simplify::Blocks::Large}},
      "what lazy, pdr and (of large systems) bmc take for a step: one event, all from one loop "
      "head "
      "to the next, or that where it leaves less than half of the locations"};
};

}  // namespace whittle
