// SPDX-License-Identifier: Apache-2.0
// Options of bounded search for lassos; what it does stands in lasso.cpp.
#pragma once

#include "base/options.h"
#include "engine/engine.h"

namespace whittle {

struct LassoOptions : OptionGroup {
  LassoOptions() : OptionGroup("Bounded search for lassos (lasso)") {}
  Option<std::uint64_t> max_depth{*this,
                                  "lasso-max-depth",
                                  100,
                                  {1, 1'000'000},
                                  "states of a lasso, stem and loop together, at most"};
};

extern const EngineInfo kLassoInfo;

}  // namespace whittle
