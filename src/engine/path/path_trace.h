// SPDX-License-Identifier: Apache-2.0
// From a sequence of transitions to a run along it: many engines find the path first and need the
// values afterwards.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "base/expected.h"
#include "engine/env.h"
#include "engine/path/unroller.h"
#include "ir/transition_system.h"

namespace whittle {

// The run along an unrolled path, from a model of its formula: `value_of` gives the values of
// symbols in it. The goal was asked for at time `goal_at`. Equal steps in a row are one with
// repetitions.
using ValueOf = std::function<Value(Expr term)>;
[[nodiscard]] FlatTrace read_trace(const TransitionSystem& system,
                                   std::span<const std::uint32_t> path, Unroller& unroller,
                                   std::uint64_t goal_at, const ValueOf& value_of);

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
