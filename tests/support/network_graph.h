// SPDX-License-Identifier: Apache-2.0
// All states of a small network and the steps between them, made with the interpreter alone: what
// answers about infinite runs and ways back are compared with.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/run/stepper.h"
#include "support/random_network.h"

namespace whittle::test {

class NetworkGraph {
 public:
  struct Step {
    std::uint32_t target = 0;
    // Who took part, with which event.
    std::vector<std::pair<InstanceId, EventId>> who;
  };

  NetworkGraph(const RandomNetwork& random, std::size_t most_states);

  // All states were seen.
  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] std::size_t size() const { return states_.size(); }
  [[nodiscard]] std::size_t first_count() const { return first_; }  // these come first
  [[nodiscard]] const std::vector<Step>& steps(std::size_t state) const { return steps_[state]; }
  // Undefined counts as no.
  [[nodiscard]] bool holds(Expr condition, std::size_t state);

 private:
  struct Hash {
    std::size_t operator()(const State& state) const;
  };
  std::uint32_t number(const State& state);

  Stepper stepper_;
  std::vector<State> states_;
  std::unordered_map<State, std::uint32_t, Hash> numbers_;
  std::vector<std::vector<Step>> steps_;  // by state
  std::size_t first_ = 0;
  bool complete_ = true;
};

}  // namespace whittle::test
