// SPDX-License-Identifier: Apache-2.0
// Options of the engine `pdr`.
#pragma once

#include "base/options.h"
#include "engine/engine.h"

namespace whittle {

enum class PdrRelation : std::uint8_t { Split, Parsed };
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
  Option<PdrRelation> relation{
      *this,
      "pdr-relation",
      PdrRelation::Split,
      {{"split", PdrRelation::Split}, {"parsed", PdrRelation::Parsed}},
      "of a model that has one relation for all steps: its parts, simplified, or as it is written"};
  Option<double> head_start{*this,
                            "pdr-head-start",
                            4,
                            {0.001, 1e6},
                            "with both: seconds of processor time for the first turn of each; "
                            "the next are each twice as long"};
};

extern const EngineInfo kPdrInfo;

}  // namespace whittle
