// SPDX-License-Identifier: Apache-2.0
#include "witness/trace_check.h"

#include <fmt/format.h>

#include "ir/lowering/lower.h"
#include "ir/property_kinds.h"
#include "witness/elimination_check.h"

namespace whittle {

namespace {

Unexpected<RejectedWitness> rejected(std::string reason) {
  return Unexpected{RejectedWitness{std::move(reason)}};
}

// The value of the property's condition in a state; empty where it is undefined.
std::optional<bool> holds(const Network& network, const Property& property, const State& state) {
  Interpreter interpreter(network, property.universe);
  auto value = interpreter.evaluate(property.condition(), state);
  if (!value) return std::nullopt;
  return value->as_bool();
}

// Takes the trace the event of the property along the property's arc, with its last step?
bool takes_event(const Network& network, const Property& property, const Replay& replay,
                 const StateLayout& layout) {
  if (replay.steps.empty()) return false;
  const auto& asked = property.as<ArcGoal>();
  const Arc& arc = network.event(asked.event).arcs.at(asked.arc);
  const State& before =
      replay.steps.size() > 1 ? replay.steps[replay.steps.size() - 2].after : replay.initial;
  const ReplayedStep& last = replay.steps.back();
  for (const Occurrence& occurrence : last.occurrences) {
    if (occurrence.event != asked.event) continue;
    const std::size_t position = layout.position(occurrence.instance);
    // Within repetitions the state before the last one is not kept; the target still tells.
    const bool from = before.locations[position] == arc.from || arc.from == arc.to;
    if (from && last.after.locations[position] == arc.to) return true;
  }
  return false;
}

// The goal of the property, as the lowering of the network as parsed has it, in this very state.
smt::CheckResult goal_in_state(Network& network, PropertyId property, const Trace& trace,
                               const State& state, const smt::SolverFactory& solvers) {
  LowerOptions options;
  std::vector<Elimination> eliminated;
  options.eliminate = written_elimination(network.pool(), solvers.settings().limits, eliminated);
  const Lowered lowered = lower(network, property, options);
  ExprPool& pool = *lowered.system.pool;
  const StateLayout layout(network, trace.universe);
  auto solver = solvers.make(pool, "witness");
  for (std::size_t slot = 0; slot < layout.value_count(); ++slot) {
    const auto [instance, variable] = layout.at(slot);
    const SymbolId symbol = instance.valid() ? network.of_instance(instance, variable)
                                             : network.variable(variable).current;
    const Expr value = pool.constant(state.values[slot], network.variable(variable).type);
    solver->require(lowered.back->flat_condition(pool.eq(pool.symbol(symbol), value)));
  }
  for (std::size_t i = 0; i < layout.instance_count(); ++i) {
    const SymbolId at = network.at_instance(layout.instance(i), state.locations[i]);
    solver->require(lowered.back->flat_condition(pool.symbol(at)));
  }
  // What a formula without quantifiers denies is not possible here.
  if (auto problem = check_nothing_lost(pool, eliminated, *solver)) {
    if (!problem->has_value())
      return {smt::Answer::Unsat, {Reason::Kind::Incomplete, problem->error().reason}};
    return {smt::Answer::Unknown, problem->value().gap->reason};
  }
  solver->require(lowered.system.goal.condition);
  return solver->check();
}

std::string undefined_or_wrong(std::optional<bool> value) {
  return value ? "is false" : "is undefined";
}

}  // namespace

Expected<CheckedTrace, RejectedWitness> check_trace(Network& network, PropertyId id,
                                                    const Trace& trace,
                                                    const smt::SolverFactory& solvers) {
  const Property& property = network.property(id);
  if (trace.universe != property.universe) return rejected("the trace is of another universe");
  const std::uint64_t length = trace.length();
  if (length < property.bound.min || (property.bound.max && length > *property.bound.max)) {
    return rejected(
        fmt::format("the trace has {} steps, which the property does not allow", length));
  }
  auto replayed = replay(network, trace);
  if (!replayed) {
    return rejected(fmt::format("step {} cannot be replayed: {}", replayed.error().step,
                                replayed.error().message));
  }
  CheckedTrace result{std::move(*replayed), WitnessCheck::by_whom("replay")};
  const State& final = result.replay.final();
  switch (goal_of(property.kind)) {
    case GoalKind::ConditionHolds: {
      const std::optional<bool> value = holds(network, property, final);
      if (value != true) {
        return rejected("the goal " + undefined_or_wrong(value) + " in the last state");
      }
      return result;
    }
    case GoalKind::ConditionFails:
      if (holds(network, property, final) == true) {
        return rejected("what must hold does hold in the last state");
      }
      return result;
    case GoalKind::ArcTaken:
      if (!takes_event(network, property, result.replay, StateLayout(network, trace.universe))) {
        return rejected("the last step does not take the transition");
      }
      return result;
    case GoalKind::Started:
      return result;  // that the first state is a start was replayed
    case GoalKind::RunRefutes:
    case GoalKind::NeverAgain:
      return rejected("a run to a last state does not answer such a question");
    case GoalKind::NothingPossible:
    case GoalKind::NeverMoves:
    case GoalKind::NoNextState:
      break;
  }
  const smt::CheckResult answer = goal_in_state(network, id, trace, final, solvers);
  const std::string name(smt::info(solvers.settings().id).name);
  switch (answer.answer) {
    case smt::Answer::Sat:
      result.check.by.push_back(name);
      return result;
    case smt::Answer::Unsat:
      return rejected("the last state is not what the property is about");
    case smt::Answer::Unknown:
      result.check.checked = false;
      result.check.gap = {name, "the last state", answer.reason};
      return result;
  }
  return result;
}

}  // namespace whittle
