// SPDX-License-Identifier: Apache-2.0
#include "ir/property_kinds.h"

#include <array>

#include "base/error.h"

namespace whittle {

namespace {

using enum VerdictKind;
using enum GoalKind;

// For the checks that something can happen at all, reaching the goal is what is wanted.
constexpr auto kKinds = std::to_array<PropertyKindInfo>({
    {PropertyKind::Reach, "reach", ConditionHolds, Reachable, Unreachable, "such state"},
    {PropertyKind::Invariant, "invariant", ConditionFails, Violated, Holds, "violation"},
    {PropertyKind::Constraint, "constraint", ConditionFails, Violated, Holds, "violation"},
    {PropertyKind::Assert, "assert", ConditionFails, Violated, Holds, "violation"},
    {PropertyKind::Bounds, "bounds", ConditionFails, Violated, Holds, "violation"},
    {PropertyKind::Division, "division", ConditionFails, Violated, Holds, "violation"},
    {PropertyKind::Deadlock, "deadlock", NothingPossible, Violated, Holds, "deadlock"},
    {PropertyKind::DeadTransition, "dead-transition", ArcTaken, Holds, Violated, "way to take it"},
    {PropertyKind::Sinkhole, "sinkhole", NeverMoves, Violated, Holds, "sinkhole"},
    {PropertyKind::UnsatStart, "unsat-start", Started, Holds, Violated, "start"},
    {PropertyKind::UnsatRelation, "unsat-relation", NoNextState, Violated, Holds, "such state"},
});

}  // namespace

std::span<const PropertyKindInfo> property_kinds() { return kKinds; }

const PropertyKindInfo& info(PropertyKind kind) {
  for (const PropertyKindInfo& entry : kKinds) {
    if (entry.kind == kind) return entry;
  }
  throw InternalError("unknown kind of property");
}

std::string_view to_string(PropertyKind kind) { return info(kind).id; }

bool says_what_must_hold(PropertyKind kind) { return goal_of(kind) == ConditionFails; }

}  // namespace whittle
