// SPDX-License-Identifier: Apache-2.0
// Acceleration: summary steps that stand for a transition taken n times in a row.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/expected.h"
#include "ir/transition_system.h"

namespace whittle {

// A system with summaries beside its own transitions, and a variable that counts steps as the
// original counts them. Its goal respects the original's bounds on steps; it has none itself.
struct AcceleratedSystem {
  TransitionSystem system;
  std::uint32_t steps = 0;    // the state variable that counts
  std::size_t summaries = 0;  // none: acceleration has nothing to offer

  struct Origin {
    std::uint32_t transition = 0;  // of the original system
    bool summary = false;
    std::optional<std::uint32_t> summed_input;  // its input whose sum over the steps was chosen
  };
  std::vector<Origin> origins;  // by transition
};

[[nodiscard]] AcceleratedSystem accelerated(const TransitionSystem& original);

// The run in terms of the original: a summary of n steps becomes n steps (or two kinds of steps
// where a sum of whole numbers cannot be divided evenly).
[[nodiscard]] FlatTrace expanded(const AcceleratedSystem& accelerated, const FlatTrace& trace);

}  // namespace whittle
