// SPDX-License-Identifier: Apache-2.0
// Options of the swarm of small searches; what it does stands in swarm.cpp.
#pragma once

#include "base/options.h"
#include "engine/engine.h"

namespace whittle {

struct SwarmOptions : OptionGroup {
  SwarmOptions() : OptionGroup("Directed, depth-first and random search (swarm)") {}
  Option<std::uint64_t> memory{
      *this, "swarm-memory", 300, {1, 1'000'000}, "megabytes for the states of one search"};
  Option<std::uint64_t> seed{
      *this, "swarm-seed", 1, {0, UINT32_MAX}, "where the random orders begin"};
};

extern const EngineInfo kSwarmInfo;

}  // namespace whittle
