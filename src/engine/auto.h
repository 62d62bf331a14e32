// SPDX-License-Identifier: Apache-2.0
// Options of the engine `auto`.
#pragma once

#include "base/options.h"
#include "engine/engine.h"

namespace whittle {

struct AutoOptions : OptionGroup {
  AutoOptions() : OptionGroup("Racing engines") {}
  Option<unsigned> jobs{
      *this, "jobs|j", 0, {0, 256}, "processes that work at the same time; 0: one per processor"};
  Option<double> alone{*this,
                       "auto-alone",
                       0.16,
                       {0, 3600},
                       "processor time for the quick engines together, before any process starts"};
};

extern const EngineInfo kAutoInfo;

}  // namespace whittle
