// SPDX-License-Identifier: Apache-2.0
// The summary of one transition that is taken again and again.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/transition_system.h"

namespace whittle::simplify {

struct LoopSummary {
  // Its inputs: those that are not summed, then the number of repetitions, then the sums.
  Transition transition;
  bool exact = false;                 // any number of repetitions from one on, no more and no less
  std::vector<std::uint32_t> summed;  // which inputs of the loop are summed over the repetitions
};

// Empty: it has none that we know how to make.
[[nodiscard]] std::optional<LoopSummary> summary_of(const TransitionSystem& system,
                                                    const Transition& loop);

}  // namespace whittle::simplify
