// SPDX-License-Identifier: Apache-2.0
// Is there no infinite run of a finite system that meets all acceptance sets and is fair? Its
// states are visited again (states_check.h), and the graph that they make is cut into strongly
// connected components, without the code of the engine that claims it.
#pragma once

#include <cstdint>

#include "base/expected.h"
#include "ir/transition_system.h"
#include "ir/verdict.h"
#include "smt/solvers.h"
#include "witness/rejected_witness.h"

namespace whittle {

[[nodiscard]] Expected<WitnessCheck, RejectedWitness> check_no_accepting_run(
    const TransitionSystem& system, std::uint64_t states, const smt::SolverFactory& solvers);

}  // namespace whittle
