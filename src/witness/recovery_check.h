// SPDX-License-Identifier: Apache-2.0
// Can a condition always hold again, or is there a state after which it never does? Both on the
// network as parsed, by code and a solver that did not find the answer:
//   no way back   the trace leads to a state s; a set of states contains s, is closed under all
//                 steps, and the condition holds in none of them
//   all return    the states are visited again, and all of them have a way to one in which the
//                 condition holds
//   ways back     wherever the condition does not hold one of the listed ways leads on: to a state
//                 in which it does, or to a lower value of a measure (ir/lowering/recovery.h)
#pragma once

#include <cstdint>
#include <vector>

#include "ir/lowering/recovery.h"
#include "witness/stuck_check.h"

namespace whittle {

struct NoReturnClaim {
  Trace trace;      // to the state
  FlatProof proof;  // for the system that begins there: it comes to no good state
};

// The replay of the trace, and who checked.
[[nodiscard]] Expected<CheckedTrace, RejectedWitness> check_no_return(
    Network& network, PropertyId property, const NoReturnClaim& claim,
    const smt::SolverFactory& solvers);

[[nodiscard]] Expected<WitnessCheck, RejectedWitness> check_all_return(
    Network& network, PropertyId property, std::uint64_t states, const smt::SolverFactory& solvers);

struct WaysBackClaim {
  std::vector<Continuation> ways;
  Measure measure;
  FlatProof proof;  // that no state is lost
};

[[nodiscard]] Expected<WitnessCheck, RejectedWitness> check_ways_back(
    Network& network, PropertyId property, const WaysBackClaim& claim,
    const smt::SolverFactory& solvers);

}  // namespace whittle
