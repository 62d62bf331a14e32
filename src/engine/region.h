// SPDX-License-Identifier: Apache-2.0
// Options of the engine `region`; what it does stands in region.cpp.
#pragma once

#include "base/options.h"
#include "engine/engine.h"

namespace whittle {

struct RegionOptions : OptionGroup {
  RegionOptions() : OptionGroup("Recurrent regions") {}
  Option<unsigned> loops{*this, "region-loops", 200, {1, 100'000}, "loops that are tried, at most"};
  Option<unsigned> length{
      *this, "region-length", 40, {1, 10'000}, "steps of runs in which loops are looked for"};
};

extern const EngineInfo kRegionInfo;

}  // namespace whittle
