// SPDX-License-Identifier: Apache-2.0
// The search from the goal back (backward_search.cpp) as an engine of its own, for as long as there
// is time: `bmc` begins with the same search and leaves what takes long to formulas.
//
// Answers Reached with a shortest trace; Unreached when nothing is left to look at, for any number
// of steps with an invariant; Unknown at a limit, or where a set of states cannot be described by
// bounds.
#include <fmt/format.h>

#include "engine/backward_search.h"
#include "engine/engine.h"
#include "engine/run_on_cells.h"

namespace whittle {

namespace {

constexpr std::uint64_t kEffort = 500'000;  // between two reports

class Backward {
 public:
  Backward(const TransitionSystem& system, Env& env)
      : cubes_(env.statistics.counter("backward.cubes")),
        system_(system),
        env_(env),
        search_(system, env, {system.bound.max}) {}

  EngineResult run() {
    EngineResult result;
    if (system_.bound.min > 0) {
      result.reason = "a run of steps that matter can be too short";
      return result;
    }
    BackwardSearch::State state = BackwardSearch::State::Searching;
    while (state == BackwardSearch::State::Searching && env_.stop_reason().empty()) {
      env_.report_depth("backward", search_.clear());
      state = search_.run(kEffort);
    }
    cubes_ += search_.looked_at();
    result.solver_calls = search_.solver_calls();
    if (search_.clear() > 0) result.clear_to = search_.clear() - 1;
    switch (state) {
      case BackwardSearch::State::Searching:
        result.reason = std::string(env_.stop_reason());
        break;
      case BackwardSearch::State::Beyond:
        result.reason = "incomplete: states that bounds do not describe, or too many of them";
        break;
      case BackwardSearch::State::Found:
        result.outcome = Outcome::Reached;
        result.trace = search_.trace();
        result.shortest = true;
        break;
      case BackwardSearch::State::Nothing:
        result.clear_to = system_.bound.max;
        result.invariant = system_.bound.max ? Expr() : search_.invariant();
        if (system_.bound.max || result.invariant.valid())
          result.outcome = Outcome::Unreached;
        else
          result.reason = "incomplete: the invariant is too long to be checked";
        break;
    }
    return result;
  }

 private:
  Counter& cubes_;  // sets of states that were looked at
  const TransitionSystem& system_;
  Env& env_;
  BackwardSearch search_;
};

// Arrays whose cells are all named by constants are variables.
EngineResult run(const TransitionSystem& system, Env& env) {
  return run_on_cells(system, env, [](const TransitionSystem& cells, Env& inner) {
    return Backward(cells, inner).run();
  });
}

}  // namespace

extern const EngineInfo kBackwardInfo;
const EngineInfo kBackwardInfo = {
    "backward",
    "Search from the goal back, by steps that matter, through sets of states.",
    "reachability and invariants where numbers are only compared, added and assigned; unknown "
    "where there are too many sets of states",
    nullptr,
    run,
};

}  // namespace whittle
