// SPDX-License-Identifier: Apache-2.0
// Backward reachability in turns, beside another search: a first turn of about a second, then short
// ones, and an end of it after so much work in all. Work is counted, not clocked, so that every run
// does the same.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/statistics.h"
#include "engine/engine.h"
#include "engine/preimage/backward_search.h"

namespace whittle {

class BackwardTurns {
 public:
  // `cubes` counts the sets of states that are looked at.
  BackwardTurns(const TransitionSystem& system, Env& env, bool ranges, Counter& cubes);

  // None: the question is still open.
  [[nodiscard]] std::optional<EngineResult> first_turn() { return turn(kFirstEffort); }
  [[nodiscard]] std::optional<EngineResult> next_turn() { return turn(kEffort); }
  // There will be nothing new.
  [[nodiscard]] bool over() const { return search_ == nullptr; }
  // No run of at most so many steps reaches the goal; none: not known of any.
  [[nodiscard]] std::optional<std::uint64_t> clear_to() const { return clear_to_; }

 private:
  static constexpr std::uint64_t kFirstEffort = 10'000'000;
  static constexpr std::uint64_t kEffort = 1'000'000;
  static constexpr std::uint64_t kMostEffort = 30'000'000;

  [[nodiscard]] std::optional<EngineResult> turn(std::uint64_t effort);
  [[nodiscard]] std::optional<EngineResult> result(BackwardSearch::State state);

  const TransitionSystem& system_;
  Counter& cubes_;
  std::unique_ptr<BackwardSearch> search_;  // null: over
  std::uint64_t effort_left_ = kMostEffort;
  std::optional<std::uint64_t> clear_to_;
};

}  // namespace whittle
