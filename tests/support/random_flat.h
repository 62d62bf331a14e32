// SPDX-License-Identifier: Apache-2.0
// Random flat systems, finite by construction, each made so that a transformation of flat systems
// has something to do; the same seed gives the same system everywhere. And what a finite search
// says about them.
#pragma once

#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "support/flat_search.h"

namespace whittle::test {

enum class FlatShape : std::uint8_t {
  Counter,     // an Int that every transition asks for and sets to numbers
  Arrays,      // of two cells, written and read by constants and by a variable
  OpenArrays,  // of unknown length, with an index that never changes
  Phases,      // loops with a condition and its contrary
  Counting,    // numbers that are raised and lowered, and a bound on steps
};

struct RandomFlat {
  TransitionSystem system;
  Candidates candidates;    // complete: Ints are 0..3 (of Counting 0..8)
  std::vector<Expr> atoms;  // some conditions on states
};

[[nodiscard]] RandomFlat random_flat(std::uint64_t seed, FlatShape shape);

// All states over the candidates that satisfy a condition.
[[nodiscard]] std::vector<FlatState> states_where(const TransitionSystem& system, Expr condition,
                                                  const Candidates& candidates);

// What is reachable from them; empty: more than `limit` states.
[[nodiscard]] std::set<FlatState> reachable_states(const TransitionSystem& system,
                                                   const std::vector<FlatState>& first,
                                                   const Candidates& candidates, std::size_t limit);

// The condition that says that the state is one of these.
[[nodiscard]] Expr one_of(const TransitionSystem& system, const std::set<FlatState>& states);

}  // namespace whittle::test
