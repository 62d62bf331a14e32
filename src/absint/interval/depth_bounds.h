// SPDX-License-Identifier: Apache-2.0
// Which values the variables of a system can have after exactly k steps, for k = 0, 1, 2, ...,
// without a solver: an interval per number, a subset per location and truth value. Cheap, and often
// enough to see that a depth cannot reach the goal or that a transition is not possible yet.
//
//   DepthBounds bounds(system);          // depth 0
//   bounds.possible();                   // transitions that may be taken from there
//   bounds.advance();                    // depth 1
//   bounds.goal_possible();
#pragma once

#include <cstdint>
#include <vector>

#include "absint/interval/goal_bounds.h"
#include "absint/interval/guarded_ranges.h"
#include "ir/transition_system.h"

namespace whittle {

// Neither copied nor moved: its parts refer to one another.
class DepthBounds {
 public:
  enum class Which : std::uint8_t {
    Exact,    // after exactly as many steps
    Growing,  // after at most as many steps; at the fixed point the ranges are an inductive
              // invariant
  };
  explicit DepthBounds(const TransitionSystem& system, Which which = Which::Exact);
  DepthBounds(const DepthBounds&) = delete;
  DepthBounds& operator=(const DepthBounds&) = delete;

  void advance();
  [[nodiscard]] std::uint64_t depth() const { return depth_; }
  // No run has so many steps.
  [[nodiscard]] bool empty() const { return empty_; }
  // Nothing has changed since the depth before, and so nothing ever will.
  [[nodiscard]] bool fixpoint() const { return fixpoint_; }
  // Transitions that may lead from this depth to the next, ascending.
  [[nodiscard]] const std::vector<std::uint32_t>& possible() const { return possible_; }
  [[nodiscard]] bool goal_possible();
  // Backward analysis of the goal at this depth (goal_bounds.h).
  [[nodiscard]] BackwardRanges propagate_goal() {
    return goal_bounds_.propagate(depth_, possible_.size());
  }
  // What a state variable may be at this depth.
  [[nodiscard]] const ValueRange& range(std::uint32_t variable) const {
    return ranges_.store[variable];
  }
  // What a term over current symbols and inputs may be when the transition is taken from here.
  [[nodiscard]] ValueRange range_when_taken(std::uint32_t transition, Expr term);

 private:
  void find_possible();
  void join_after(std::uint32_t transition, std::size_t mark);

  GuardedRanges ranges_;
  GoalBounds goal_bounds_;
  JoinedRanges joined_;  // over the transitions from one depth
  Which which_;
  std::uint64_t depth_ = 0;
  bool fixpoint_ = false;
  bool empty_ = false;  // no state is possible at this depth
  std::vector<std::uint32_t> possible_;
};

}  // namespace whittle
