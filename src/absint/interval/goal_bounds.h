// SPDX-License-Identifier: Apache-2.0
// Backward analysis with ranges, from a goal at some depth to the first states.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "absint/interval/guarded_ranges.h"

namespace whittle {

// What a goal at some depth says about the depths before it.
struct BackwardRanges {
  bool possible = true;
  struct Excluded {
    std::uint64_t depth;
    std::uint32_t transition;
  };
  struct Narrowed {
    std::uint64_t depth;
    std::uint32_t variable;
    ValueRange range;
  };
  // On every run that has the goal at that depth: these transitions are not taken from these
  // depths, and these variables have these ranges there.
  std::vector<Excluded> excluded;
  std::vector<Narrowed> narrowed;
};

class GoalBounds {
 public:
  // The ranges outlive it; what it does to them is undone.
  explicit GoalBounds(GuardedRanges& ranges) : ranges_(ranges), joined_(ranges.variables()) {}

  // The ranges of the next depth, and what may be taken from there. Forgets all where it would be
  // too much.
  void remember(const std::vector<std::uint32_t>& possible);
  // The ranges are those at this depth. Gives up, and says nothing, where that has cost too much
  // already. requires: all depths before were remembered.
  [[nodiscard]] BackwardRanges propagate(std::uint64_t depth, std::size_t possible);

 private:
  // Variables with their ranges at the later depth.
  using Wanted = std::vector<std::pair<std::uint32_t, ValueRange>>;
  [[nodiscard]] Wanted narrowed_since(std::size_t mark) const;
  [[nodiscard]] std::vector<ValueRange> of_variables() const;
  void put_back(const std::vector<ValueRange>& ranges);
  bool leads_to(std::uint32_t transition, const Wanted& wanted);
  [[nodiscard]] bool step_back(std::uint64_t depth, Wanted& wanted, BackwardRanges& result);

  GuardedRanges& ranges_;
  // By depth: what was known there; empty once it would be too much.
  struct Known {
    std::vector<ValueRange> ranges;
    std::vector<std::uint32_t> possible;
  };
  std::vector<Known> history_;
  bool remembers_ = true;
  std::uint64_t looked_at_ = 0;  // transitions, over all goals so far
  JoinedRanges joined_;          // over the transitions from one depth
};

}  // namespace whittle
