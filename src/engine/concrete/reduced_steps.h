// SPDX-License-Identifier: Apache-2.0
// The steps of a reduced search by states (ir/state_reduction.h), on machine words.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/concrete/word_system.h"
#include "ir/state_reduction.h"

namespace whittle {

class ReducedSteps {
 public:
  // requires: the system is prepared
  ReducedSteps(const TransitionSystem& flat, WordSystem& system, const StateReduction& reduction);

  // Sets what is dead in next() to its default.
  void forget_dead_values();
  // Calls `visit(Step)` for the steps from now() that a search has to take, until it says false.
  template <class Visit>
  void each_step(Visit&& visit);

 private:
  struct Dead {
    std::size_t thread;       // word
    std::vector<char> there;  // by location
    std::size_t place, count;
  };
  struct Unless {
    std::size_t thread;
    std::vector<char> there;
  };
  struct Ample {
    std::size_t thread;
    std::int64_t location;
    std::vector<Unless> unless;
    std::vector<std::uint32_t> transitions;
  };
  [[nodiscard]] static bool is_at(const std::vector<char>& there, std::int64_t location) {
    return there[static_cast<std::size_t>(location)] != 0;
  }
  [[nodiscard]] bool usable(const Ample& ample);

  WordSystem& system_;
  std::vector<Dead> dead_;
  std::vector<Ample> ample_;
};

template <class Visit>
void ReducedSteps::each_step(Visit&& visit) {
  for (const Ample& ample : ample_) {
    if (!usable(ample)) continue;
    bool taken = false;
    for (std::uint32_t t : ample.transitions) {
      const bool on = system_.each_step_of(t, [&](WordSystem::Step step) {
        taken = true;
        return visit(step);
      });
      if (!on) return;
    }
    if (taken) return;
  }
  system_.each_step(visit);
}

}  // namespace whittle
