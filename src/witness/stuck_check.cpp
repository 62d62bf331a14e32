// SPDX-License-Identifier: Apache-2.0
#include "witness/stuck_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "smt/elimination/quantifier_elimination.h"
#include "witness/invariant_check.h"
#include "witness/states_check.h"

namespace whittle {

namespace {

Moving moving(Network& network, PropertyId property, InstanceId instance,
              const smt::SolverFactory& solvers) {
  LowerOptions options;
  options.eliminate = smt::elimination(network.pool(), solvers.settings().limits);
  return {network, property, instance, options};
}

Unexpected<RejectedWitness> rejected(std::string reason) {
  return Unexpected{RejectedWitness{std::move(reason)}};
}

}  // namespace

Expected<WitnessCheck, RejectedWitness> check_flat_proof(const TransitionSystem& system,
                                                         const FlatProof& proof,
                                                         const smt::SolverFactory& solvers) {
  if (proof.invariant.valid())
    return check_flat_invariant(system, proof.invariant, proof.induction, solvers);
  if (proof.states) return check_states(system, *proof.states, solvers, proof.reduction);
  return rejected("a proof without an invariant and without a number of states");
}

Expected<CheckedTrace, RejectedWitness> check_stuck(Network& network, PropertyId id,
                                                    const StuckClaim& claim,
                                                    const smt::SolverFactory& solvers) {
  const LocationId location = network.property(id).as<SinkholeGoal>().location;
  const UniverseId universe = network.property(id).universe;
  if (claim.trace.universe != universe) return rejected("the trace is of another universe");
  auto replayed = replay(network, claim.trace);
  if (!replayed) {
    return rejected(fmt::format("step {} cannot be replayed: {}", replayed.error().step,
                                replayed.error().message));
  }
  CheckedTrace result{std::move(*replayed), {}};
  const State& last = result.replay.final();
  const StateLayout layout(network, universe);
  if (last.locations.at(layout.position(claim.instance)) != location)
    return rejected("the instance is elsewhere in the last state");
  if (network.location(location).final) return rejected("the location is an end");
  if (const Expr condition = network.property(id).condition(); condition.valid()) {
    const auto value = Interpreter(network, universe).evaluate(condition, last);
    if (!value || !value->as_bool()) return rejected("the last state does not count");
  }
  const Moving question = moving(network, id, claim.instance, solvers);
  const TransitionSystem system = question.moves_from(question.back().flat_state(last));
  auto checked = check_flat_proof(system, claim.proof, solvers);
  if (!checked) return Unexpected{checked.error()};
  result.check = *checked;
  result.check.by.insert(result.check.by.begin(), "replay");
  return result;
}

Expected<WitnessCheck, RejectedWitness> check_never_stuck(Network& network, PropertyId id,
                                                          const NeverStuckClaim& claim,
                                                          const smt::SolverFactory& solvers) {
  const Moving question = moving(network, id, claim.instance, solvers);
  for (const Continuation& continuation : claim.continuations) {
    if (continuation.empty() || !question.moves(continuation.back().transition))
      return rejected("a continuation does not move the instance");
  }
  return check_flat_proof(question.waiting(claim.continuations), claim.proof, solvers);
}

}  // namespace whittle
