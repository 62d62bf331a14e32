// SPDX-License-Identifier: Apache-2.0
// Do the conditions of ir/state_reduction.h hold for the dead values and ample locations of a
// claim? Decided from the terms of the system alone, apart from the code that found them.
#pragma once

#include <optional>
#include <string>

#include "ir/state_reduction.h"
#include "ir/transition_system.h"

namespace whittle {

// The first condition that does not hold; empty: all do.
[[nodiscard]] std::optional<std::string> reduction_problem(const TransitionSystem& system,
                                                           const StateReduction& reduction);

// Where a transition of the thread starts, if its guard says so.
[[nodiscard]] std::optional<std::uint32_t> start_of(const TransitionSystem& system,
                                                    std::size_t transition, std::uint32_t thread);

}  // namespace whittle
