// SPDX-License-Identifier: Apache-2.0
// Acceleration: summary steps that stand for a transition, or a cycle of transitions, taken n times
// in a row.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "ir/flat_transformation.h"
#include "ir/run/flat_run.h"

namespace whittle::simplify {

// Which transitions of the original a transition of the accelerated system stands for.
struct StepOrigin {
  std::vector<std::uint32_t> path;  // transitions of the original system
  std::size_t inputs = 0;           // of all of them together
  bool summary = false;
  bool exact = false;
  std::vector<std::uint32_t> summed;  // which inputs were summed over the repetitions
};

// A system with summaries, and a variable that counts steps as the original counts them. Its goal
// respects the original's bounds on steps; it has none itself. Exact, but its runs are shorter: a
// step can be many of the original. An exact summary (the transition taken any number of times, no
// more and no less) stands instead of the transition and is not taken twice in a row.
//
// A trace is expanded: a summary of n steps becomes n steps (or several kinds of steps where a sum
// of whole numbers cannot be divided evenly). There is none where that is too much to write down.
struct AcceleratedSystem : FlatTransformed {
  std::uint32_t step_count = 0;  // the state variable that counts
  std::size_t summaries = 0;     // none: acceleration has nothing to offer
  std::shared_ptr<const std::vector<StepOrigin>> origins;  // by transition
};

// Collects summaries: at first of single transitions, then of cycles that somebody names or walks.
class Accelerator {
 public:
  explicit Accelerator(const TransitionSystem& original);

  // Cycles of two or three transitions through locations.
  void add_short_cycles();
  // Cycles that a run of a system made here walks. Says whether there was a new one that has a
  // summary.
  bool add_cycles_of(const AcceleratedSystem& fast, const FlatTrace& run);
  bool add_cycle(std::span<const std::uint32_t> path);

  [[nodiscard]] bool has_summaries() const { return !summaries_.empty(); }
  [[nodiscard]] AcceleratedSystem system() const;

 private:
  static constexpr std::size_t kLongestCycle = 64;  // transitions
  static constexpr std::size_t kMaxCycles = 2'000;  // that are looked at

  const TransitionSystem& original_;
  std::set<std::vector<std::uint32_t>> seen_;
  std::vector<std::pair<Transition, StepOrigin>> summaries_;
};

// With summaries of transitions and short cycles, for pipelines. Empty: there are none.
[[nodiscard]] std::optional<FlatTransformed> accelerated(const TransitionSystem& system);

}  // namespace whittle::simplify
