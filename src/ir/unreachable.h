// SPDX-License-Identifier: Apache-2.0
// Why no run reaches a goal: what engines answer about a flat system, and verdicts about a network.
#pragma once

#include <cstdint>
#include <variant>

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
using WhyUnreachable = std::variant<UpToBound, Inductive, AllStates, AllRunsShort, RangesSettled>;

struct Unreachable {
  WhyUnreachable why;
};

}  // namespace whittle
