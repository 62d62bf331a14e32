// SPDX-License-Identifier: Apache-2.0
// From a sequence of transitions to a run along it: many engines find the path first and need the
// values afterwards.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/expected.h"
#include "engine/env.h"
#include "ir/transition_system.h"

namespace whittle {

enum class PathProblem : std::uint8_t {
  Impossible,  // no run takes these transitions to the goal
  Undecided,   // the solver gave up, or has no exact values
};

// A run that takes exactly these transitions, from init to the goal. One solver call.
[[nodiscard]] Expected<FlatTrace, PathProblem> trace_along(const TransitionSystem& system,
                                                           std::span<const std::uint32_t> path,
                                                           Env& env,
                                                           std::optional<std::uint32_t> least = {});

}  // namespace whittle
