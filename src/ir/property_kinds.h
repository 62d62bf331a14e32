// SPDX-License-Identifier: Apache-2.0
// The kinds of properties in one table, which lowering, slices, witness checks, verdicts, reports
// and their schema read. A new kind that asks for a goal that is here already is one entry; a new
// goal is one entry, its struct in PropertyGoal, and its case in lowering, well-formedness, slicing
// and replay.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "ir/property.h"

namespace whittle {

// How the goal of a property is read.
enum class GoalKind : std::uint8_t {
  ConditionHolds,   // StateGoal: its condition holds
  ConditionFails,   // StateGoal: its condition is false or undefined
  NothingPossible,  // DeadlockGoal
  ArcTaken,         // ArcGoal
  NeverMoves,       // SinkholeGoal
  Started,          // StartGoal
  NoNextState,      // RelationGoal
  RunRefutes,       // RunGoal
  NeverAgain,       // RecoveryGoal
};

struct PropertyKindInfo {
  PropertyKind kind;
  std::string_view id;  // in JSON
  GoalKind goal;
  VerdictKind reached;
  VerdictKind unreached;
  std::string_view goal_words;  // "no ... within 23 steps"
  std::string_view summary;     // what is asked, for documentation
};

[[nodiscard]] std::span<const PropertyKindInfo> property_kinds();
[[nodiscard]] const PropertyKindInfo& info(PropertyKind kind);
[[nodiscard]] inline GoalKind goal_of(PropertyKind kind) { return info(kind).goal; }
// Why no answer to such a property is the expected one; empty: one may be.
[[nodiscard]] std::string misfit(PropertyKind kind, const Expectation& expectation);
// Is it the shape that such a goal has?
[[nodiscard]] bool has_shape(const PropertyGoal& goal, GoalKind kind);

}  // namespace whittle
