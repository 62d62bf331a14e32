// SPDX-License-Identifier: Apache-2.0
// Breadth-first search through the states of a flat system, for tests: the counterpart of
// ir/run/explicit_search.h on the other side of lowering.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "ir/run/flat_run.h"
#include "ir/run/stepper.h"

namespace whittle::test {

// Every step of the flat system from a state, with values from the candidates.
void each_flat_step(const TransitionSystem& system, FlatRun& run, const FlatState& state,
                    const Candidates& candidates,
                    const std::function<void(const FlatStep&, const FlatState&)>& visit);

struct FlatSearchResult {
  std::optional<FlatTrace> trace;  // a shortest one within the system's bound
  bool exhausted = false;
  bool complete = true;  // false: the limit on states came first
};

[[nodiscard]] FlatSearchResult flat_search(const TransitionSystem& system,
                                           const std::vector<FlatState>& first,
                                           const Candidates& candidates, std::uint64_t max_depth,
                                           std::size_t max_states);

}  // namespace whittle::test
