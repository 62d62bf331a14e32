// SPDX-License-Identifier: Apache-2.0
// Is a condition k-inductive, and does it exclude the goal? Written without the code of the engine
// that claims it.
#pragma once

#include "base/expected.h"
#include "ir/transition_system.h"
#include "ir/verdict.h"
#include "smt/solvers.h"
#include "witness/rejected_witness.h"

namespace whittle {

[[nodiscard]] Expected<WitnessCheck, RejectedWitness> check_induction(
    const TransitionSystem& system, Expr invariant, std::uint64_t k,
    const smt::SolverFactory& solvers);

}  // namespace whittle
