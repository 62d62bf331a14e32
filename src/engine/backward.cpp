// SPDX-License-Identifier: Apache-2.0
// Backward reachability: preimages of the goal as sets of cubes (backward_search.cpp), for as long
// as there is time. `bmc` begins with the same search and leaves what takes long to formulas.
//
// Answers Reached with a shortest trace; Unreached when nothing is left to look at, for any number
// of steps with an invariant; Unknown at a limit, or where a set of states cannot be described by
// bounds.
#include <fmt/format.h>

#include "engine/engine.h"
#include "engine/preimage/backward_search.h"
#include "engine/transformed.h"
#include "simplify/flat/array_cells.h"

namespace whittle::engine::backward {

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
    if (system_.bound.min > 0) {
      return EngineResult{Unknown{{Reason::Kind::Unsupported, "a projected run can be too short"}}};
    }
    BackwardSearch::State state = BackwardSearch::State::Searching;
    while (state == BackwardSearch::State::Searching && !env_.stopped()) {
      env_.report_depth("backward", search_.clear());
      state = search_.run(kEffort);
    }
    cubes_ += search_.looked_at();
    return result_of(state);
  }

 private:
  EngineResult result_of(BackwardSearch::State state) {
    switch (state) {
      case BackwardSearch::State::Searching:
        return unknown(env_.stopped().value_or(Reason{}));
      case BackwardSearch::State::Unsupported:
        return unknown(
            {Reason::Kind::Incomplete,
             "incomplete: preimage not expressible as cubes of bounds, or too many cubes"});
      case BackwardSearch::State::Found:
        return EngineResult{Reached{search_.trace(), true}};
      case BackwardSearch::State::Nothing:
        break;
    }
    if (system_.bound.max) return EngineResult{Unreachable{UpToBound{}}};
    const Expr invariant = search_.invariant();
    if (invariant.valid()) return EngineResult{Unreachable{Inductive{invariant}}};
    return unknown(
        {Reason::Kind::Incomplete, "incomplete: the invariant is too long to be checked"});
  }

  [[nodiscard]] EngineResult unknown(Reason reason) const {
    Unknown result{std::move(reason)};
    if (search_.clear() > 0) result.clear_to = search_.clear() - 1;
    return EngineResult{std::move(result)};
  }

  Counter& cubes_;  // sets of states that were looked at
  const TransitionSystem& system_;
  Env& env_;
  BackwardSearch search_;
};

// Arrays whose cells are all named by constants are variables.
EngineResult run(const TransitionSystem& system, Env& env) {
  return run_transformed(
      system, env, {simplify::array_cells()},
      [](const TransitionSystem& cells, Env& inner) { return Backward(cells, inner).run(); });
}

// Last, so that it takes no turns from the others; for bounded questions `bmc` does as much.
std::vector<RaceSlot> race(const QuestionProfile& question) {
  if (question.bounded || !question.concurrent) return {};
  return {RaceSlot{90, std::chrono::milliseconds(1000)}};
}

}  // namespace

}  // namespace whittle::engine::backward

namespace whittle {

extern const EngineInfo kBackwardInfo;
const EngineInfo kBackwardInfo = {
    "backward",
    "Backward reachability from the goal, through cubes of bounds, by projected steps.",
    "reachability and invariants where numbers are only compared, added and assigned; unknown "
    "where there are too many cubes",
    nullptr,
    engine::backward::run,
    std::nullopt,
    {.bounded = true,
     .clears_bounds = true,
     .unbounded = true,
     .traces = true,
     .shortest = true,
     .proofs = true,
     .concurrent_only = true},
    {nullptr, engine::backward::race},
};

}  // namespace whittle
