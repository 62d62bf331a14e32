// SPDX-License-Identifier: Apache-2.0
// Backward reachability: a shortest run to the goal, searched for from the goal by preimages, with
// steps that matter only; backward_search.cpp says how. It can be stopped and resumed.
//
//   BackwardSearch search(system, env, {most}); // runs of at most so many steps; without: all runs
//   switch (search.run(10'000'000)) ...         // for about a second
#pragma once

#include <cstdint>
#include <memory>

#include "engine/env.h"
#include "engine/preimage/start_distance.h"
#include "ir/transition_system.h"

namespace whittle {

class BackwardSearch {
 public:
  BackwardSearch(const TransitionSystem& system, Env& env, const DistanceSettings& settings);
  ~BackwardSearch();
  BackwardSearch(const BackwardSearch&) = delete;
  BackwardSearch& operator=(const BackwardSearch&) = delete;

  enum class State : std::uint8_t {
    Searching,    // there is more to look at
    Found,        // `trace` has a shortest run
    Nothing,      // no run, or none of at most `most` steps, reaches the goal
    Unsupported,  // a preimage is not expressible as cubes, or there are too many
  };
  // Goes on for so many small steps of work, about ten million a second.
  State run(std::uint64_t effort);
  // No run of fewer steps reaches the goal.
  [[nodiscard]] std::uint64_t clear() const;
  [[nodiscard]] const FlatTrace& trace() const;
  // Nothing, and all runs were meant: holds in the first states, is kept by all transitions and
  // excludes the goal. Invalid: it would be too long.
  [[nodiscard]] Expr invariant();
  [[nodiscard]] std::uint64_t looked_at() const;  // sets of states

 private:
  class Search;
  std::unique_ptr<Search> search_;
};

}  // namespace whittle
