// SPDX-License-Identifier: Apache-2.0
// A union of abstract states. Outside of cycles what holds at a node is exactly what its edges
// bring there (la Fleur 2018, lemma 4: deduction respects the strongest property); a union that is
// joined to one shape says less wherever it is not convex.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "absint/abstract_state.h"

namespace whittle::absint {

template <class Shape>
class Disjuncts {
 public:
  using State = AbstractState<Shape>;

  [[nodiscard]] bool empty() const { return states_.empty(); }
  [[nodiscard]] const std::vector<State>& states() const { return states_; }
  // requires: there is one, as always with limit 1
  [[nodiscard]] State& only() { return states_.front(); }
  void clear() { states_.clear(); }

  // Takes the state in; with more than `limit` of them all become one. True: these are more states
  // than before.
  bool add(State arrived, std::size_t limit) {
    for (const State& known : states_) {
      if (known.contains(arrived)) return false;
    }
    if (limit == 1) return join(std::move(arrived));
    for (std::size_t i = 0; i < states_.size();) {
      // Together they may be one with another one.
      if (arrived.contains(states_[i]) || joined_exactly(arrived, states_[i])) {
        states_.erase(states_.begin() + static_cast<std::ptrdiff_t>(i));
        i = 0;
      } else {
        ++i;
      }
    }
    states_.push_back(std::move(arrived));
    if (states_.size() <= limit) return true;
    const std::vector<State> all = std::exchange(states_, {});
    for (const State& state : all) join(state);
    return true;
  }
  // As it is.
  void append(State state) { states_.push_back(std::move(state)); }

 private:
  bool join(State arrived) {
    if (!states_.empty()) {
      arrived.join(states_.front());
      states_.clear();
    }
    states_.push_back(std::move(arrived));
    return true;
  }

  // Is the union a state? Then `one` is the union.
  static bool joined_exactly(State& one, const State& other) {
    std::size_t different = 0;
    for (std::size_t f = 0; f < one.finite.size(); ++f)
      different += one.finite[f] != other.finite[f];
    if (different == 0) return one.numbers.upper_bound_assign_if_exact(other.numbers);
    if (different > 1 || !(one.numbers == other.numbers)) return false;
    for (std::size_t f = 0; f < one.finite.size(); ++f) one.finite[f] |= other.finite[f];
    return true;
  }

  std::vector<State> states_;
};

}  // namespace whittle::absint
