// SPDX-License-Identifier: Apache-2.0
// Options of the engine `auto`.
#pragma once

#include "base/options.h"
#include "engine/engine.h"

namespace whittle {

struct AutoOptions : OptionGroup {
  AutoOptions() : OptionGroup("Racing engines") {}
  Option<unsigned> jobs{
      *this, "jobs|j", 0, {0, 256}, "engines that race at the same time; 0: one per processor"};
  Option<double> alone{*this,
                       "auto-alone",
                       0.2,
                       {0, 3600},
                       "time for bounded model checking alone, before processes are started"};
};

extern const EngineInfo kAutoInfo;

}  // namespace whittle
