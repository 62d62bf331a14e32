// SPDX-License-Identifier: Apache-2.0
// Is an instance stuck in a state, so that no step takes it along ever again, whatever the others
// do? And is it nowhere stuck at a location? Both on the network as parsed, by a solver that did
// not find the answer:
//   stuck         the trace leads to a state s at the location; a set of states contains s, is
//                 closed under all steps, and in none of its states the instance can move
//   never stuck   in every reachable state at the location the instance can move, or one of the
//                 listed continuations is possible, each of which ends with a move of the instance
#pragma once

#include <optional>
#include <vector>

#include "base/expected.h"
#include "ir/lowering/moving.h"
#include "ir/network.h"
#include "ir/state_reduction.h"
#include "ir/trace.h"
#include "ir/verdict.h"
#include "smt/solvers.h"
#include "witness/trace_check.h"

namespace whittle {

// That a flat system does not reach its goal: an inductive condition, or how many states it has.
struct FlatProof {
  Expr invariant;  // over flat state variables
  std::uint64_t induction = 1;
  std::optional<std::uint64_t> states;
  StateReduction reduction = {};  // of the states
};

struct StuckClaim {
  InstanceId instance;
  Trace trace;      // to the state
  FlatProof proof;  // for the system that begins in that state: it does not move
};

// The replay of the trace, and who checked.
[[nodiscard]] Expected<CheckedTrace, RejectedWitness> check_stuck(
    Network& network, PropertyId property, const StuckClaim& claim,
    const smt::SolverFactory& solvers);

struct NeverStuckClaim {
  InstanceId instance;
  std::vector<Continuation> continuations;
  FlatProof proof;  // that nothing else is reachable at the location
};

[[nodiscard]] Expected<WitnessCheck, RejectedWitness> check_never_stuck(
    Network& network, PropertyId property, const NeverStuckClaim& claim,
    const smt::SolverFactory& solvers);

// The proof shows that the system does not reach its goal.
[[nodiscard]] Expected<WitnessCheck, RejectedWitness> check_flat_proof(
    const TransitionSystem& system, const FlatProof& proof, const smt::SolverFactory& solvers);

}  // namespace whittle
