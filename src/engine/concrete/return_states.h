// SPDX-License-Identifier: Apache-2.0
// Is there a way to the goal from every reachable state of a finite system? All of them are
// visited, nearest first, and marked backwards from those that are goals.
#pragma once

#include <cstdint>
#include <variant>

#include "engine/env.h"
#include "ir/transition_system.h"

namespace whittle {

struct AllReturn {
  std::uint64_t states = 0;
};
// What was found: all return; a shortest run to a state that does not; or why nothing was.
using ReturnStates = std::variant<Reason, AllReturn, FlatTrace>;

// Gives up beyond so many states. requires: the goal has no inputs
[[nodiscard]] ReturnStates states_that_return(const TransitionSystem& system, std::uint64_t most,
                                              Env& env);

}  // namespace whittle
