// SPDX-License-Identifier: Apache-2.0
#include "engine/preimage/backward_turns.h"

#include <algorithm>

namespace whittle {

BackwardTurns::BackwardTurns(const TransitionSystem& system, Env& env, bool ranges, Counter& cubes)
    : system_(system),
      cubes_(cubes),
      search_(std::make_unique<BackwardSearch>(system, env,
                                               DistanceSettings{system.bound.max, ranges})) {}

std::optional<EngineResult> BackwardTurns::turn(std::uint64_t effort) {
  if (over()) return std::nullopt;
  const std::uint64_t before = search_->looked_at();
  const BackwardSearch::State state = search_->run(effort);
  cubes_ += search_->looked_at() - before;
  if (search_->clear() > 0) clear_to_ = search_->clear() - 1;
  std::optional<EngineResult> found = result(state);
  effort_left_ -= std::min(effort_left_, effort);
  if (state != BackwardSearch::State::Searching || effort_left_ == 0) search_ = nullptr;
  return found;
}

std::optional<EngineResult> BackwardTurns::result(BackwardSearch::State state) {
  switch (state) {
    case BackwardSearch::State::Searching:
    case BackwardSearch::State::Unsupported:
      return std::nullopt;
    case BackwardSearch::State::Found:
      return EngineResult{Reached{search_->trace(), true}};
    case BackwardSearch::State::Nothing:
      clear_to_ = UINT64_MAX;
      if (system_.bound.max) return EngineResult{Unreachable{UpToBound{}}};
      if (const Expr invariant = search_->invariant(); invariant.valid())
        return EngineResult{Unreachable{Inductive{invariant}}};
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace whittle
