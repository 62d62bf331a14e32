// SPDX-License-Identifier: Apache-2.0
// What is asked about a network.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/ids.h"
#include "base/source.h"
#include "expr/expr.h"
#include "ir/expectation.h"
#include "ir/ltl_formula.h"

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
  Shift,           // no shift is by a negative number of bits, or by all of them
  Overflow,        // no signed arithmetic overflows
  Deadlock,        // some step is possible until everything is at its end
  DeadTransition,  // `event` along arc `arc` can happen
  Sinkhole,        // from every state at `location` whoever is there moves in some continuation
  UnsatStart,      // the start condition has a solution
  UnsatRelation,   // wherever the guard of `event` holds, some next state exists
  Ltl,             // every run that satisfies the assumption satisfies the formula
  Recoverable,     // from every reachable state one in which `condition` holds can be reached
};

// The id used in JSON: "reach", "dead-transition", ...
[[nodiscard]] std::string_view to_string(PropertyKind kind);
// A safety property of states: what must hold in every reachable state, so that a trace is a
// violation.
[[nodiscard]] bool is_safety(PropertyKind kind);
// Asks about the last state of a run only: Reach, and what is a safety property.
[[nodiscard]] bool is_state_property(PropertyKind kind);

// Numbers of steps that count: min <= steps <= max; no max: any number.
struct StepBound {
  std::uint64_t min = 0;
  std::optional<std::uint64_t> max;
  bool operator==(const StepBound&) const = default;
};

// What a run has to come to for a trace to decide the property, with what that needs. Which of them
// a kind has, and what it means to get there, is in the table of kinds (property_kinds.h).
//
// Conditions speak about shared variables (Current), particular instances (Instance...) and
// references (Remote..., Known).

// A last state in which the condition holds (Reach: there an undefined one does not) or does not
// (what must hold: there an undefined one does not either).
struct StateGoal {
  Expr condition;
  LocationId node = {};  // a constraint of this node (STS); the condition says so, too
};
// A last state without a step, in which not everything is at its end.
struct DeadlockGoal {};
// A last step that is `event` along its arc of this number.
struct ArcGoal {
  EventId event;
  std::uint32_t arc = 0;
};
// A last state from which whoever is at `location` never moves on.
struct SinkholeGoal {
  LocationId location;
  Expr when = {};  // only states in which it holds count; invalid: all
};
// A first state by this start of the machine.
struct StartGoal {
  MachineId machine;
  std::uint32_t start = 0;
};
// A last state in which the guard of `event` holds and its relation has no solution.
struct RelationGoal {
  EventId event;
};
// An infinite run, fair to what the network declares, that satisfies the assumption and not the
// formula. A run that ends repeats its last state. Atoms may also speak about the step that leaves
// a state (roles InstanceTaken and Halt).
struct RunGoal {
  LtlFormula formula;          // of Network::ltl; as written, in any form
  LtlFormula assumption = {};  // invalid: none
  std::string text = {};       // of the formula, in the user's words
  std::string pattern = {};    // "S responds to P globally", where it was written as a pattern
  std::string assuming = {};   // of the assumption, in the user's words; empty: none
};
// A last state from which no state can be reached in which the condition holds.
struct RecoveryGoal {
  Expr condition;
};
using PropertyGoal = std::variant<StateGoal, DeadlockGoal, ArcGoal, SinkholeGoal, StartGoal,
                                  RelationGoal, RunGoal, RecoveryGoal>;

struct Property {
  std::string name;
  PropertyKind kind = PropertyKind::Reach;
  PropertyGoal goal = StateGoal{};  // of the kind's shape
  StepBound bound;
  bool demand = true;            // false: a question, neither answer is good or bad
  bool wants_reachable = false;  // Reach that is a demand: which answer meets it
  UniverseId universe;
  Span origin;
  std::optional<Expectation> expected = {};  // what the file says about the answer
  // Non-empty: the model leaves out behaviour that matters to this property (a collection with more
  // elements than it has room for, say), so that a trace is right but its absence proves nothing:
  // "unreachable" and "holds" must be reported as unknown, with this reason.
  std::string incomplete;

  // requires: the goal has this shape
  template <class Shape>
  [[nodiscard]] const Shape& as() const {
    return std::get<Shape>(goal);
  }
  // The condition on states that is a part of the goal; invalid: none.
  [[nodiscard]] Expr condition() const;
  // requires: the goal may have one
  void set_condition(Expr condition);
};

}  // namespace whittle
