// SPDX-License-Identifier: Apache-2.0
// Do the functions show that no infinite run meets every acceptance set? Written without the code
// of the engine that found them, and decided by a solver that did not:
//   the invariant is one, and wherever it holds one of the places does
//   for each level: of every step between places of a component that meets every set, f >= f' where
//     the invariant, the place and the step hold; those with f >= 0 and f - f' >= 1 are taken out
//   in the end: no component of what is left meets every set
// Steps, their components and which sets they meet are found out here.
#pragma once

#include "base/expected.h"
#include "ir/transition_system.h"
#include "ir/unreachable.h"
#include "ir/verdict.h"
#include "smt/solvers.h"
#include "witness/rejected_witness.h"

namespace whittle {

// requires: a live question
[[nodiscard]] Expected<WitnessCheck, RejectedWitness> check_ranking(
    const TransitionSystem& system, const Ranking& claim, const smt::SolverFactory& solvers);

// The same for stages of a run that waits for the sets in turn:
//   initiation   init -> stages[0]
//   consecution  stages[i] and a step that meets set i (does not meet it): stages[i + 1]
//                (stages[i]) holds after it; none meets the set of the last stage
[[nodiscard]] Expected<WitnessCheck, RejectedWitness> check_kliveness(
    const TransitionSystem& system, const KLiveness& claim, const smt::SolverFactory& solvers);

}  // namespace whittle
