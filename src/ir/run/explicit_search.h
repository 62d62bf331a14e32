// SPDX-License-Identifier: Apache-2.0
// Breadth-first search through the states of a network, one by one, with the interpreter. Exact
// where all values that matter are among the candidates; small models only. Nothing else decides
// anything with it: it is the oracle of the tests, and the simulator's way to look ahead.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/run/stepper.h"

namespace whittle {

struct SearchOptions {
  // For parameters, next values that only a relation restricts, and first values that nothing
  // fixes (the symbol is the parameter's, the variable's next or its current one).
  Candidates candidates;
  std::uint64_t max_depth = 1'000;
  std::size_t max_states = 200'000;
};

struct SearchResult {
  std::optional<Trace> trace;  // a shortest one within the bound; its length is the least depth
  bool exhausted = false;      // no trace: there is none of any length
  std::uint64_t clear_to = 0;  // no trace: there is none with at most so many steps ...
  bool clear = false;          // ... if this is set (the limit on states may come first)
  std::size_t states = 0;
};

// A state that satisfies the condition, after a number of steps within the bound. Undefined counts
// as false.
[[nodiscard]] SearchResult explicit_search(const Network& network, UniverseId universe,
                                           Expr condition, const StepBound& bound,
                                           const SearchOptions& options);

// All first states with the candidates.
[[nodiscard]] std::vector<State> first_states(Stepper& stepper, const SearchOptions& options);

}  // namespace whittle
