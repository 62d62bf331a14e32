// SPDX-License-Identifier: Apache-2.0
// Options of the engine `pdr`.
#pragma once

#include "base/options.h"
#include "engine/engine.h"

namespace whittle {

enum class PdrEncoding : std::uint8_t { Whole, Location, Both };

struct PdrOptions : OptionGroup {
  PdrOptions() : OptionGroup("Property-directed reachability") {}
  Option<PdrEncoding> encoding{*this,
                               "pdr-encoding",
                               PdrEncoding::Both,
                               {{"whole", PdrEncoding::Whole},
                                {"location", PdrEncoding::Location},
                                {"both", PdrEncoding::Both}},
                               "one relation, one per location, or one after the other"};
  Option<double> head_start{*this,
                            "pdr-head-start",
                            3,
                            {0, 1e6},
                            "with both: seconds for the relations per location alone"};
};

extern const EngineInfo kPdrInfo;

}  // namespace whittle
