// SPDX-License-Identifier: Apache-2.0
// Can the loop of a run be taken for ever? The run is evaluated exactly up to the loop, and so is
// one round of it. Then a solver that did not find the region proves
//   the condition holds, then each step of the loop can be taken in turn with the values that are
//     given for it, and the condition holds after the last
//   each acceptance set is met in a round: by one of its transitions, or its condition holds before
//     one of the steps wherever the region's did before the loop; strong fairness likewise: taken,
//     or possible nowhere in the round
//   where letters are given: each has in every round the value that it has in this one
#pragma once

#include <vector>

#include "base/expected.h"
#include "ir/transition_system.h"
#include "ir/verdict.h"
#include "smt/solvers.h"
#include "witness/rejected_witness.h"

namespace whittle {

// requires: a live question, a trace with a loop and a region; `letters`: by step of the loop,
// conditions over current symbols
[[nodiscard]] Expected<WitnessCheck, RejectedWitness> check_region(
    const TransitionSystem& system, const FlatTrace& trace, const smt::SolverFactory& solvers,
    const std::vector<std::vector<Expr>>& letters = {});

}  // namespace whittle
