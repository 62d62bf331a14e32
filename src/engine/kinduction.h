// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/options.h"
#include "engine/engine.h"

namespace whittle {

struct KInductionOptions : OptionGroup {
  KInductionOptions() : OptionGroup("k-induction") {}
  Option<unsigned> max_depth{
      *this, "kinduction-max-depth", 1000, {1, 1U << 30U}, "deepest induction to try"};
  Option<bool> plain{*this, "kinduction-plain", "without constraints found beforehand"};
};

extern const EngineInfo kKInductionInfo;

}  // namespace whittle
