// SPDX-License-Identifier: Apache-2.0
// What is asked about a network.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/source.h"
#include "expr/expr.h"

namespace whittle {

using MachineId = StrongId<struct MachineTag>;
using VariableId = StrongId<struct VariableTag>;
using LocationId = StrongId<struct LocationTag>;
using EventId = StrongId<struct EventTag>;
using InstanceId = StrongId<struct InstanceTag>;
using UniverseId = StrongId<struct UniverseTag>;
using PropertyId = StrongId<struct PropertyTag>;

enum class PropertyKind : std::uint8_t {
  Reach,           // is a state with `condition` reachable
  Invariant,       // `condition` holds in every reachable state
  Constraint,      // the same, given by the user as a help for the proof (STS `constraint`)
  Assert,          // an assertion in a program never fails
  Bounds,          // no index is out of range
  Division,        // nothing is divided by zero
  Deadlock,        // some step is possible until everything is at its end
  DeadTransition,  // `event` along arc `arc` can happen
  Sinkhole,        // from every state at `location` whoever is there moves in some continuation
  UnsatStart,      // the start condition has a solution
  UnsatRelation,   // wherever the guard of `event` holds, some next state exists
};

// The id used in JSON: "reach", "dead-transition", ...
[[nodiscard]] std::string_view to_string(PropertyKind kind);
// Does the property say what must hold in every reachable state? Then a trace is a violation.
[[nodiscard]] bool says_what_must_hold(PropertyKind kind);

// Numbers of steps that count: min <= steps <= max; no max: any number.
struct StepBound {
  std::uint64_t min = 0;
  std::optional<std::uint64_t> max;
  bool operator==(const StepBound&) const = default;
};

struct Property {
  std::string name;
  PropertyKind kind = PropertyKind::Reach;
  // Reach: the goal. Invariant, Constraint, Assert, Bounds, Division: what must hold. A condition
  // that is undefined in a state is false for a goal and violated for an invariant. Sinkhole: only
  // states in which it holds count (invalid: all). Speaks about
  // shared variables (Current), particular instances (Instance...) and references (Remote...,
  // Known).
  Expr condition;
  StepBound bound;
  bool demand = true;            // false: a question, neither answer is good or bad
  bool wants_reachable = false;  // Reach that is a demand: which answer meets it
  UniverseId universe;
  EventId event;            // DeadTransition, UnsatRelation
  std::uint32_t index = 0;  // DeadTransition: which arc; UnsatStart: which start of the machine
  LocationId location;      // Sinkhole
  MachineId machine;        // UnsatStart and the structural checks: whose
  Span origin;
  // Non-empty: the model leaves out behaviour that matters to this property (a collection with more
  // elements than it has room for, say), so that a trace is right but its absence proves nothing:
  // "unreachable" and "holds" must be reported as unknown, with this reason.
  std::string incomplete;
};

}  // namespace whittle
