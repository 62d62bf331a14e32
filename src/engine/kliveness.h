// SPDX-License-Identifier: Apache-2.0
// Options of the engine `kliveness`; what it does stands in kliveness.cpp.
#pragma once

#include "base/options.h"
#include "engine/engine.h"

namespace whittle {

struct KLivenessOptions : OptionGroup {
  KLivenessOptions() : OptionGroup("k-liveness") {}
  Option<unsigned> max{
      *this, "kliveness-max", 64, {0, 10'000}, "up to so many rounds of all sets are asked about"};
};

extern const EngineInfo kKLivenessInfo;

}  // namespace whittle
