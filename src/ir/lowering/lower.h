// SPDX-License-Identifier: Apache-2.0
// From a network and one of its properties to a flat system, and back.
//
// Each instance gets a variable for its location (none if it has only one location) and one per
// field; keys are constants. Each root event of each instance becomes flat transitions, one per
// choice of arcs and of partners: `Account[this.from].withdraw(x)` is one case per account, with
// `this.from == key` in its guard. References by key become case distinctions over the universe.
//
// The goal of the system is the evidence that an engine looks for:
//
//   property                                  goal                                  if reached
//   Reach                                     the condition                         reachable
//   Invariant, Constraint, Assert,            the condition is false or undefined   violated
//     Bounds, Division
//   Deadlock                                  no step is possible, and not          violated
//                                             everybody is at a final location
//   DeadTransition                            the event can be taken along the arc  holds
//   Sinkhole                                  at the location no step is possible   violated
//                                             in which the instance takes part (see driver/stuck.h)
//   UnsatStart                                true, and `init` is this start alone  holds
//   UnsatRelation                             the event's guard holds and those it  violated
//                                             synchronises with are ready, but its
//                                             effects are impossible
//   Ltl, Recoverable                          false: not about a last state alone   -
//
// The system of an Ltl property has one transition more, the last: it stays, where nothing else is
// possible; and the fairness that the network declares (live_steps.h). What its formula asks for
// comes with a product (ir/live/product.h).
//
// Not reached for any number of steps means the other verdict. The trace of a DeadTransition has
// one step more than the flat trace: the one that takes the transition.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "ir/network.h"
#include "ir/trace.h"
#include "ir/transition_system.h"

namespace whittle {

// What a variable of a flat system holds.
struct FlatPlace {
  InstanceId instance;  // invalid: a shared variable
  VariableId variable;  // invalid: where the instance is
};

// The way back from a flat system to the network it was made from, which must live as long.
class Lowering {
 public:
  virtual ~Lowering() = default;
  [[nodiscard]] virtual Trace trace(const FlatTrace& flat) const = 0;
  // A state of the network as values of the flat state variables.
  [[nodiscard]] virtual std::vector<Value> flat_state(const State& state) const = 0;
  // A condition over flat state variables, in terms of the network (Instance... symbols).
  [[nodiscard]] virtual Expr condition(Expr flat) const = 0;
  // A condition over the network's symbols (as in properties), in terms of the flat system; false
  // where it is undefined.
  [[nodiscard]] virtual Expr flat_condition(Expr condition) const = 0;
  // The same, where the flat system takes this transition: what is said of the step that leaves the
  // state (`taken`, `halt`) is known then. Of a condition that is flat already.
  [[nodiscard]] virtual Expr at_step(Expr flat, std::uint32_t transition) const = 0;
  // Which event of which instance a flat transition stands for. requires: not the one that stays
  [[nodiscard]] virtual std::pair<InstanceId, EventId> event_of(std::uint32_t transition) const = 0;
  // Does the instance take part in it with one of these events?
  [[nodiscard]] virtual bool takes_part(std::uint32_t transition, InstanceId instance,
                                        const std::vector<EventId>& events) const = 0;
  [[nodiscard]] virtual FlatPlace place_of(std::uint32_t variable) const = 0;
  // Who takes part in it: the instance whose event it is, then those that are synchronised with.
  [[nodiscard]] virtual std::vector<InstanceId> participants(std::uint32_t transition) const = 0;
};

struct Lowered {
  TransitionSystem system;
  std::shared_ptr<const Lowering> back;
  // Ltl: why the last state of a run may stay although something is possible, or why fairness is
  // left out (something could not be eliminated). Empty: neither. There are more runs then than the
  // network has.
  std::string more_runs = {};
};

struct LowerOptions {
  std::size_t max_transitions = 4'000'000;  // more: ResourceError
  // A formula without these symbols that holds exactly where some values of them satisfy the body
  // (a solver's quantifier elimination); none: it could not. Deadlock, Sinkhole, UnsatRelation and
  // negated synchronisations need it where a step has parameters or open next values; without it
  // they throw ResourceError.
  std::function<std::optional<Expr>(Expr body, std::span<const SymbolId> symbols)> eliminate;
  InstanceId instance = {};  // Sinkhole: of this instance alone; invalid: of any of the machine
};
using LowerLimits = LowerOptions;

[[nodiscard]] Lowered lower(Network& network, PropertyId property,
                            const LowerOptions& options = {});

}  // namespace whittle
