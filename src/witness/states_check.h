// SPDX-License-Identifier: Apache-2.0
// Does a finite system have as many states as somebody says, and is none of them a goal? They are
// visited again, with the exact evaluator and without the code of the engine that claims it. That
// the lists of first values and of choices leave nothing out, a solver has to confirm. With a
// reduction, its conditions are checked, and as many states of the reduced search are seen.
#pragma once

#include "base/expected.h"
#include "ir/state_reduction.h"
#include "ir/transition_system.h"
#include "ir/verdict.h"
#include "smt/solvers.h"
#include "witness/rejected_witness.h"

namespace whittle {

// `solvers` carries the time limit, too; where it comes first, the WitnessCheck says so.
[[nodiscard]] Expected<WitnessCheck, RejectedWitness> check_states(
    const TransitionSystem& system, std::uint64_t states, const smt::SolverFactory& solvers,
    const StateReduction& reduction = {});

}  // namespace whittle
