// SPDX-License-Identifier: Apache-2.0
// Options of the search by states for infinite runs; what it does stands in scc.cpp.
#pragma once

#include "base/options.h"
#include "engine/engine.h"

namespace whittle {

struct SccOptions : OptionGroup {
  SccOptions() : OptionGroup("Search by states for infinite runs (scc)") {}
  Option<std::uint64_t> memory{*this,
                               "scc-memory",
                               1'000,
                               {1, 1'000'000},
                               "megabytes for states; when they are full the search gives up"};
};

extern const EngineInfo kSccInfo;

}  // namespace whittle
