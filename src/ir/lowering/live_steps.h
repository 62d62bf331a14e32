// SPDX-License-Identifier: Apache-2.0
// What a question about infinite runs adds to a flat system (a part of lower.cpp): a step that
// stays where nothing else is possible, so that runs that end go on for ever, and the fairness that
// the network declares.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ir/network.h"
#include "ir/transition_system.h"

namespace whittle::lowering {

struct LiveMeaning {
  // Where a transition is possible, as a condition on states; throws ResourceError where that
  // cannot be said.
  std::function<Expr(std::uint32_t transition)> enabled;
  // Does the instance take part in it with one of the events?
  std::function<bool(std::uint32_t transition, InstanceId instance,
                     const std::vector<EventId>& events)>
      takes_part;
};

// Adds the transition that stays (at the end), `acceptance` for weak and `strong` for strong
// fairness. What cannot be said is left out, which allows more runs: why, or empty.
[[nodiscard]] std::string add_live_steps(const Network& network, UniverseId universe,
                                         const LiveMeaning& meaning, TransitionSystem& system);

}  // namespace whittle::lowering
