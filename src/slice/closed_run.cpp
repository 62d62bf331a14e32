// SPDX-License-Identifier: Apache-2.0
#include "slice/closed_run.h"

#include "base/checkpoint.h"
#include "ir/run/stepper.h"

namespace whittle::slice {

namespace {

constexpr std::size_t kMostRounds = 64;
constexpr std::uint64_t kMostSteps = 100'000;

class Rounds {
 public:
  Rounds(const Network& network, const Trace& run)
      : run_(run), stepper_(network, run.universe), state_(run.initial) {}

  std::optional<Trace> operator()() {
    if (run_.length() > kMostSteps || !follow(0, *run_.loop)) return std::nullopt;
    std::vector<State> before{state_};  // each round
    while (before.size() <= kMostRounds && steps_ <= kMostSteps) {
      if (!follow(*run_.loop, run_.steps.size())) return std::nullopt;
      for (std::size_t i = 0; i < before.size(); ++i)
        if (before[i] == state_) return repeating(i, before.size());
      before.push_back(state_);
    }
    return std::nullopt;
  }

 private:
  bool follow(std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i)
      for (std::uint64_t n = 0; n < run_.steps[i].times; ++n) {
        checkpoint();
        ++steps_;
        if (!stepper_.advance(state_, run_.steps[i])) return false;
      }
    return true;
  }

  // The loop goes from the state before one round to that before another.
  [[nodiscard]] Trace repeating(std::size_t first, std::size_t last) const {
    Trace result = run_;
    const auto begin = run_.steps.begin() + static_cast<std::ptrdiff_t>(*run_.loop);
    for (std::size_t round = 1; round < last; ++round)
      result.steps.insert(result.steps.end(), begin, run_.steps.end());
    result.loop = *run_.loop + first * (run_.steps.size() - *run_.loop);
    return result;
  }

  const Trace& run_;
  Stepper stepper_;
  State state_;
  std::uint64_t steps_ = 0;
};

}  // namespace

std::optional<Trace> closed_run(const Network& network, const Trace& run) {
  return Rounds(network, run)();
}

}  // namespace whittle::slice
