// SPDX-License-Identifier: Apache-2.0
// Why no run reaches a goal: what engines answer about a flat system, and verdicts about a network.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "expr/expr.h"
#include "ir/state_reduction.h"

namespace whittle {

struct UpToBound {};  // of a bounded question: none within so many steps
struct Inductive {
  Expr invariant;  // excludes the goal
  // k-induction: it holds in the first k states of every run, and in every state that follows on k
  // states in which it holds.
  std::uint64_t k = 1;
};
struct AllStates {
  std::uint64_t count = 0;        // of the system; all were seen
  StateReduction reduction = {};  // those that the search did without
};
struct AllRunsShort {
  std::uint64_t longest = 0;  // no run has more
  enum class Of : std::uint8_t {
    Steps,
    ProjectedSteps,    // of runs on which every step contributes to the goal
    AcceleratedSteps,  // one for any number of repetitions
  } of = Of::Steps;
};
struct RangesSettled {
  std::uint64_t depth = 0;  // of the fixpoint of the value ranges
};

// The following say of a live question that no infinite run meets every acceptance set infinitely
// often. None of them names transitions or variables of its own: whoever checks one finds out for
// himself what the steps are.

// A run waits for the sets in turn: in stage i for the set i modulo their number, and with each one
// that it meets it is in the next stage. There are finitely many stages.
struct KLiveness {
  std::vector<Expr> stages;  // what holds in each; in the last one the set is never met
  std::uint64_t k = 0;       // all sets in turn are met so often, at most
};

// Every cycle that meets all sets comes to an end: going through the levels, the steps within a
// strongly connected component do not raise the function of the level, and those that lower it by
// at least 1 from where it is not negative are taken out. In the end no component is left that
// meets every set.
struct Ranking {
  Expr invariant;
  std::vector<Expr> places;  // conditions on states, of which one holds wherever the invariant does
  // By level, by place: a number, or invalid where the component of the place needs none.
  std::vector<std::vector<Expr>> levels;
};

using WhyUnreachable =
    std::variant<UpToBound, Inductive, AllStates, AllRunsShort, RangesSettled, KLiveness, Ranking>;

struct Unreachable {
  WhyUnreachable why;
};

}  // namespace whittle
