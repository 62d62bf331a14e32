// SPDX-License-Identifier: Apache-2.0
#include "ir/property_kinds.h"

#include <fmt/format.h>

#include <array>

#include "base/error.h"

namespace whittle {

namespace {

using enum VerdictKind;
using enum GoalKind;

// For the checks that something can happen at all, reaching the goal is what is wanted.
constexpr auto kKinds = std::to_array<PropertyKindInfo>({
    {PropertyKind::Reach, "reach", ConditionHolds, Reachable, Unreachable, "such state",
     "is such a state reachable"},
    {PropertyKind::Invariant, "invariant", ConditionFails, Violated, Holds, "violation",
     "the condition holds in every reachable state"},
    {PropertyKind::Constraint, "constraint", ConditionFails, Violated, Holds, "violation",
     "the same, given as a help for proofs"},
    {PropertyKind::Assert, "assert", ConditionFails, Violated, Holds, "violation",
     "an assertion of a program never fails"},
    {PropertyKind::Bounds, "bounds", ConditionFails, Violated, Holds, "violation",
     "no index is out of range"},
    {PropertyKind::Division, "division", ConditionFails, Violated, Holds, "violation",
     "nothing is divided by zero"},
    {PropertyKind::Shift, "shift", ConditionFails, Violated, Holds, "violation",
     "nothing is shifted by a negative number of bits, or by all of them"},
    {PropertyKind::Overflow, "overflow", ConditionFails, Violated, Holds, "violation",
     "no signed arithmetic overflows"},
    {PropertyKind::Deadlock, "deadlock", NothingPossible, Violated, Holds, "deadlock",
     "some step is possible until everything is at its end"},
    {PropertyKind::DeadTransition, "dead-transition", ArcTaken, Holds, Violated, "way to take it",
     "the transition can happen"},
    {PropertyKind::Sinkhole, "sinkhole", NeverMoves, Violated, Holds, "sinkhole",
     "whoever is at the node can move on"},
    {PropertyKind::UnsatStart, "unsat-start", Started, Holds, Violated, "start",
     "the start condition has a solution"},
    {PropertyKind::UnsatRelation, "unsat-relation", NoNextState, Violated, Holds, "such state",
     "wherever the guard holds, some next state exists"},
    {PropertyKind::Ltl, "ltl", RunRefutes, Violated, Holds, "violating run",
     "every run satisfies a formula of temporal logic"},
    {PropertyKind::Recoverable, "recoverable", NeverAgain, Violated, Holds, "state without return",
     "from every reachable state a good one can be reached"},
});

}  // namespace

std::span<const PropertyKindInfo> property_kinds() { return kKinds; }

const PropertyKindInfo& info(PropertyKind kind) {
  for (const PropertyKindInfo& entry : kKinds) {
    if (entry.kind == kind) return entry;
  }
  throw InternalError("unknown kind of property");
}

std::string misfit(PropertyKind kind, const Expectation& expectation) {
  const PropertyKindInfo& about = info(kind);
  const bool decided = expectation.verdict != VerdictKind::Unknown;
  if (decided && expectation.verdict != about.reached && expectation.verdict != about.unreached)
    return fmt::format("the answer is `{}` or `{}`", to_string(about.unreached),
                       to_string(about.reached));
  if (expectation.steps && expectation.verdict != about.reached)
    return fmt::format("a number of steps belongs to `{}`", to_string(about.reached));
  return {};
}

bool has_shape(const PropertyGoal& goal, GoalKind kind) {
  switch (kind) {
    case ConditionHolds:
    case ConditionFails:
      return std::holds_alternative<StateGoal>(goal);
    case NothingPossible:
      return std::holds_alternative<DeadlockGoal>(goal);
    case ArcTaken:
      return std::holds_alternative<ArcGoal>(goal);
    case NeverMoves:
      return std::holds_alternative<SinkholeGoal>(goal);
    case Started:
      return std::holds_alternative<StartGoal>(goal);
    case NoNextState:
      return std::holds_alternative<RelationGoal>(goal);
    case RunRefutes:
      return std::holds_alternative<RunGoal>(goal);
    case NeverAgain:
      return std::holds_alternative<RecoveryGoal>(goal);
  }
  return false;
}

std::string_view to_string(PropertyKind kind) { return info(kind).id; }

bool is_safety(PropertyKind kind) { return goal_of(kind) == ConditionFails; }

bool is_state_property(PropertyKind kind) {
  return is_safety(kind) || goal_of(kind) == ConditionHolds;
}

Expr Property::condition() const {
  if (const auto* state = std::get_if<StateGoal>(&goal)) return state->condition;
  if (const auto* sinkhole = std::get_if<SinkholeGoal>(&goal)) return sinkhole->when;
  if (const auto* recovery = std::get_if<RecoveryGoal>(&goal)) return recovery->condition;
  return {};
}

void Property::set_condition(Expr condition) {
  if (auto* state = std::get_if<StateGoal>(&goal)) {
    state->condition = condition;
  } else if (auto* recovery = std::get_if<RecoveryGoal>(&goal)) {
    recovery->condition = condition;
  } else {
    std::get<SinkholeGoal>(goal).when = condition;
  }
}

}  // namespace whittle
