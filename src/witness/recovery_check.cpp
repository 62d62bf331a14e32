// SPDX-License-Identifier: Apache-2.0
#include "witness/recovery_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "base/checkpoint.h"
#include "ir/lowering/relation_cases.h"
#include "smt/elimination/quantifier_elimination.h"
#include "witness/states_check.h"

namespace whittle {

namespace {

Recovery recovery(Network& network, PropertyId property, const smt::SolverFactory& solvers) {
  LowerOptions options;
  options.eliminate = smt::elimination(network.pool(), solvers.settings().limits);
  return {network, property, options};
}

// The steps that are seen, backwards.
class StepsBack {
 public:
  void add_state(std::uint32_t state, bool good) {
    make_room(state);
    if (good) good_.push_back(state);
  }
  void add_step(std::uint32_t from, std::uint32_t to) {
    make_room(std::max(from, to));
    before_[to].push_back(from);
  }
  // How many states have a way to a good one.
  [[nodiscard]] std::uint64_t returning() const {
    std::vector<bool> known(before_.size());
    std::deque<std::uint32_t> open(good_.begin(), good_.end());
    for (const std::uint32_t state : good_) known[state] = true;
    std::uint64_t count = 0;
    for (; !open.empty(); open.pop_front()) {
      checkpoint();
      ++count;
      for (const std::uint32_t state : before_[open.front()]) {
        if (known[state]) continue;
        known[state] = true;
        open.push_back(state);
      }
    }
    return count;
  }

 private:
  void make_room(std::uint32_t state) {
    if (state >= before_.size()) before_.resize(state + 1);
  }

  std::vector<std::vector<std::uint32_t>> before_;  // by state
  std::vector<std::uint32_t> good_;
};

}  // namespace

Expected<CheckedTrace, RejectedWitness> check_no_return(Network& network, PropertyId id,
                                                        const NoReturnClaim& claim,
                                                        const smt::SolverFactory& solvers) {
  const auto rejected = [](std::string reason) {
    return Unexpected{RejectedWitness{std::move(reason)}};
  };
  if (claim.trace.universe != network.property(id).universe)
    return rejected("the trace is of another universe");
  if (claim.trace.loop) return rejected("a run without end has no last state");
  auto replayed = replay(network, claim.trace);
  if (!replayed) {
    return rejected(fmt::format("step {} cannot be replayed: {}", replayed.error().step,
                                replayed.error().message));
  }
  CheckedTrace result{std::move(*replayed), {}};
  const Recovery question = recovery(network, id, solvers);
  const TransitionSystem system = question.from(question.back().flat_state(result.replay.final()));
  auto checked = check_flat_proof(system, claim.proof, solvers);
  if (!checked) return Unexpected{checked.error()};
  result.check = *checked;
  result.check.by.insert(result.check.by.begin(), "replay");
  return result;
}

Expected<WitnessCheck, RejectedWitness> check_all_return(Network& network, PropertyId id,
                                                         std::uint64_t states,
                                                         const smt::SolverFactory& solvers) {
  const Recovery question = recovery(network, id, solvers);
  TransitionSystem system = question.system();
  system.goal = {system.pool->boolean(false), {}};
  FlatRun run(system);
  StepsBack back;
  const StatesSeen seen = {
      [&](std::uint32_t state, const FlatState& values) {
        back.add_state(state, run.holds(question.good(), values));
      },
      [&](std::uint32_t from, std::uint32_t to, std::uint32_t) { back.add_step(from, to); }};
  auto checked = check_states(system, states, solvers, {}, seen);
  if (!checked || !checked->checked) return checked;
  const std::uint64_t returning = back.returning();
  if (returning != states) {
    return Unexpected{
        RejectedWitness{fmt::format("only {} of {} states have a way back", returning, states)}};
  }
  return checked;
}

Expected<WitnessCheck, RejectedWitness> check_ways_back(Network& network, PropertyId id,
                                                        const WaysBackClaim& claim,
                                                        const smt::SolverFactory& solvers) {
  const Recovery question = recovery(network, id, solvers);
  return check_flat_proof(question.lost(claim.ways, claim.measure), claim.proof, solvers);
}

}  // namespace whittle
