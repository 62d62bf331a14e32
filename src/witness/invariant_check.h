// SPDX-License-Identifier: Apache-2.0
// Does an invariant prove what it is said to prove? Three obligations on the flat system of the
// network as parsed, each decided by a solver that did not find the invariant:
//   initiation    init -> inv
//   consecution   inv and T_i -> inv'      for each transition T_i
//   sufficiency   inv -> not goal
// For a k-inductive invariant, initiation is about the first k states of every run, and consecution
// about a state that follows on k states in which the invariant holds.
#pragma once

#include "base/expected.h"
#include "ir/network.h"
#include "ir/transition_system.h"
#include "ir/verdict.h"
#include "smt/solvers.h"
#include "witness/rejected_witness.h"

namespace whittle {

struct InvariantClaim {
  Expr invariant;  // over the network as parsed
  std::uint64_t induction = 1;
};

// `solvers` makes the checking solver and carries the time limit. Undecided obligations give a
// WitnessCheck that says so; a refuted one is a rejection.
[[nodiscard]] Expected<WitnessCheck, RejectedWitness> check_invariant(
    Network& network, PropertyId property, const InvariantClaim& claim,
    const smt::SolverFactory& solvers);

// The same on a flat system.
[[nodiscard]] Expected<WitnessCheck, RejectedWitness> check_flat_invariant(
    const TransitionSystem& system, Expr invariant, std::uint64_t induction,
    const smt::SolverFactory& solvers);

}  // namespace whittle
