// SPDX-License-Identifier: Apache-2.0
// One step of an unrolled system as formulas, in one of several ways that mean the same. Each
// transition has a selector per step, a Bool symbol that implies its guard and effect.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/unroller.h"
#include "ir/transition_system.h"
#include "smt/solver.h"

namespace whittle {

enum class StepEncoding : std::uint8_t {
  Disjuncts,  // per transition: guard, updates and a frame for everything else
  Updates,    // per transition guard and updates; per variable one frame; selectors exclude each
              // other
};

class StepEncoder {
 public:
  StepEncoder(const TransitionSystem& system, Unroller& unroller, StepEncoding encoding);

  // Requires that the states at k and k + 1 are connected by one of the transitions.
  // `may_wait`: or are the same, and then those that follow are, too.
  void encode(std::uint64_t k, smt::Solver& solver, bool may_wait = false);
  // After Sat: a transition that leads from k to k + 1 in the model; empty: it waits.
  [[nodiscard]] std::optional<std::uint32_t> taken(std::uint64_t k, smt::Solver& solver) const;

 private:
  struct Selected {
    std::uint32_t transition;  // kWait: none, the state stays
    Expr selector;
  };
  static constexpr std::uint32_t kWait = UINT32_MAX;

  [[nodiscard]] const Transition& transition_of(const Selected& selected) const;
  void encode_guard(std::uint64_t k, const Selected& selected, smt::Solver& solver);
  void encode_updates(std::uint64_t k, const Selected& selected, smt::Solver& solver);
  void encode_own_frame(std::uint64_t k, const Selected& selected, smt::Solver& solver);
  void encode_frames(std::uint64_t k, smt::Solver& solver);
  void exclude_each_other(std::uint64_t k, smt::Solver& solver);

  const TransitionSystem& system_;
  ExprPool& pool_;
  Unroller& unroller_;
  StepEncoding encoding_;
  Transition wait_;                           // changes nothing
  std::vector<std::vector<Selected>> steps_;  // by time
};

}  // namespace whittle
