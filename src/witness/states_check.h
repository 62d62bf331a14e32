// SPDX-License-Identifier: Apache-2.0
// Does a finite system have as many states as somebody says, and is none of them a goal? They are
// visited again, with the exact evaluator and without the code of the engine that claims it. That
// the lists of first values and of choices leave nothing out, a solver has to confirm. With a
// reduction, its conditions are checked, and as many states of the reduced search are seen.
#pragma once

#include <cstdint>
#include <functional>

#include "base/expected.h"
#include "ir/run/flat_run.h"
#include "ir/state_reduction.h"
#include "ir/transition_system.h"
#include "ir/verdict.h"
#include "smt/solvers.h"
#include "witness/rejected_witness.h"

namespace whittle {

// What is seen on the way; states are numbered in the order in which they are expanded. Transitions
// are those of split_relations().
struct StatesSeen {
  std::function<void(std::uint32_t state, const FlatState&)> on_state = nullptr;
  std::function<void(std::uint32_t from, std::uint32_t to, std::uint32_t transition)> on_step =
      nullptr;
};

// `solvers` carries the time limit, too; where it comes first, the WitnessCheck says so.
[[nodiscard]] Expected<WitnessCheck, RejectedWitness> check_states(
    const TransitionSystem& system, std::uint64_t states, const smt::SolverFactory& solvers,
    const StateReduction& reduction = {}, const StatesSeen& seen = {});

}  // namespace whittle
