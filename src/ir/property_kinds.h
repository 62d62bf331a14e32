// SPDX-License-Identifier: Apache-2.0
// The kinds of properties in one table. A new kind that asks for a goal that is here already is one
// entry; a new goal is one entry and its case in lowering, well-formedness, slicing and replay.
#pragma once

#include <span>
#include <string_view>

#include "ir/property.h"
#include "ir/verdict.h"

namespace whittle {

// What a run has to come to for the property to be decided by a trace, and which parts of a
// Property say so.
enum class GoalKind : std::uint8_t {
  ConditionHolds,   // `condition` in the last state
  ConditionFails,   // `condition` is false or undefined in the last state
  NothingPossible,  // no step, and not everything is at its end
  ArcTaken,         // the last step is `event` along arc `index`
  NeverMoves,       // whoever is at `location` does not leave it any more
  Started,          // start `index` of `machine`
  NoNextState,      // the guard of `event` holds and its relation has no solution
};

struct PropertyKindInfo {
  PropertyKind kind;
  std::string_view id;  // in JSON
  GoalKind goal;
  VerdictKind reached;
  VerdictKind unreached;
  std::string_view goal_words;  // "no ... within 23 steps"
};

[[nodiscard]] std::span<const PropertyKindInfo> property_kinds();
[[nodiscard]] const PropertyKindInfo& info(PropertyKind kind);
[[nodiscard]] inline GoalKind goal_of(PropertyKind kind) { return info(kind).goal; }

}  // namespace whittle
