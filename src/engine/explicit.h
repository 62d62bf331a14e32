// SPDX-License-Identifier: Apache-2.0
// Options of the search by states; what it does stands in explicit.cpp.
#pragma once

#include "base/options.h"
#include "engine/engine.h"

namespace whittle {

struct ExplicitOptions : OptionGroup {
  ExplicitOptions() : OptionGroup("Search by states (explicit)") {}
  Option<std::uint64_t> memory{*this,
                               "explicit-memory",
                               1'000,
                               {1, 1'000'000},
                               "megabytes for states; when they are full the search gives up"};
  Option<std::uint64_t> plain{*this,
                              "explicit-plain",
                              100'000,
                              {0, 10'000'000'000},
                              "so many states are searched before the search begins again with "
                              "partial-order reduction and without dead values"};
};

extern const EngineInfo kExplicitInfo;

}  // namespace whittle
