// SPDX-License-Identifier: Apache-2.0
// Reachable-state constraints (la Fleur 2018, chapter 4): for each node a condition that holds
// whenever the system is there. If at no node the condition allows the goal, the goal is
// unreachable, and the conditions together are the invariant that says so.
//
// Outside of cycles constraints are deduced, node after node; if the join of several paths to a
// node gives away too much, it stays a disjunction there, which is exact (lemma 4). On cycles,
// where Goose asks the user, they are found (state_constraints.h); if that is not enough, for each
// phase of a loop.
//
// Answers Unreached or Unknown, never Reached: that the constraints allow the goal means nothing.
#include <fmt/format.h>

#include "engine/engine.h"
#include "engine/invariants/rsc_options.h"
#include "engine/invariants/state_constraints.h"
#include "engine/transformed.h"
#include "simplify/flat/phases.h"

namespace whittle::engine::rsc {

namespace {

constexpr std::chrono::milliseconds kCalmTime{20'000};  // as if nothing wrapped around

void declare(OptionSet& options) { options.add<RscOptions>(); }

// Constraints for each phase of a loop. Invalid: they do not exclude the goal either.
Expr by_phase(const TransitionSystem& system, Env& env) {
  const FlatPipeline phases(system, {simplify::split_phases});
  if (!phases.changed()) return {};
  StateConstraints constraints(phases.system(), env);
  if (!constraints.deduce()) return {};
  return constraints.open_nodes().empty() ? phases.condition(constraints.invariant()) : Expr();
}

EngineResult run_on(const TransitionSystem& system, Env& env) {
  EngineResult result;
  StateConstraints constraints(system, env);
  env.statistics.counter("rsc.nodes").raise_to(constraints.graph().size());
  if (!constraints.deduce()) {
    result.outcome = Unknown{env.stopped().value_or(Reason{})};
    return result;
  }
  std::vector<std::uint32_t> open = constraints.open_nodes();
  if (!open.empty() && constraints.deduce_disjunctively()) open.clear();
  if (!open.empty() && !env.stopped()) {
    constraints.guess();
    open = constraints.open_nodes();
    if (open.empty()) constraints.reduce();
  }
  if (!open.empty() && !env.stopped()) {
    if (const Expr invariant = by_phase(system, env); invariant.valid()) {
      result.outcome = Unreachable{Inductive{invariant}};
      return result;
    }
  }
  if (!open.empty()) {
    result.outcome = Unknown{env.stopped().value_or(
        Reason{Reason::Kind::Incomplete,
               fmt::format("the constraints found do not exclude it at {} of {} nodes", open.size(),
                           constraints.graph().size())})};
    return result;
  }
  result.outcome = Unreachable{Inductive{constraints.invariant()}};
  return result;
}

EngineResult run(const TransitionSystem& system, Env& env) {
  EngineResult proof = run_without_wrapping(system, env, kCalmTime, run_on);
  if (proof.unreachable() != nullptr) return proof;
  return run_on(system, env);
}

// It ends by itself, and mostly soon.
std::vector<RaceSlot> race(const QuestionProfile& question) {
  if (question.bounded) return {};
  return {RaceSlot{15, std::chrono::milliseconds(1000)}};
}

}  // namespace

}  // namespace whittle::engine::rsc

namespace whittle {

extern const EngineInfo kRscInfo;
const EngineInfo kRscInfo = {
    "rsc",
    "Reachable-state constraints: what holds at each node, by polyhedra and induction.",
    "invariants and unreachability for any number of steps; unknown if the constraints allow it",
    engine::rsc::declare,
    engine::rsc::run,
    std::nullopt,
    {.unbounded = true, .proofs = true},
    {nullptr, engine::rsc::race},
};

}  // namespace whittle
