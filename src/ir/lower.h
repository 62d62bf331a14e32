// SPDX-License-Identifier: Apache-2.0
// From a network and one of its properties to a flat system, and back.
//
// Each instance gets a variable for its location (none if it has only one location) and one per
// field; keys are constants. Each root event of each instance becomes flat transitions, one per
// choice of arcs and of partners: `Account[this.from].withdraw(x)` is one case per account, with
// `this.from == key` in its guard. References by key become case distinctions over the universe.
#pragma once

#include <memory>
#include <string>

#include "ir/network.h"
#include "ir/trace.h"
#include "ir/transition_system.h"

namespace whittle {

// The way back from a flat system to the network it was made from.
class Lowering {
 public:
  virtual ~Lowering() = default;
  [[nodiscard]] virtual Trace trace(const FlatTrace& flat) const = 0;
  // A condition over flat state variables, in terms of the network (Instance... symbols).
  [[nodiscard]] virtual Expr condition(Expr flat) const = 0;
  // A condition over the network's symbols (as in properties), in terms of the flat system.
  [[nodiscard]] virtual Expr flat_condition(Expr condition) const = 0;
  // Which event of which instance a flat transition stands for.
  [[nodiscard]] virtual std::pair<InstanceId, EventId> event_of(std::uint32_t transition) const = 0;
};

struct Lowered {
  TransitionSystem system;
  std::shared_ptr<const Lowering> back;
};

struct LowerLimits {
  std::size_t max_transitions = 4'000'000;  // more: ResourceError
};

// ensures: the goal of the system is the violation of a demand, or what a question asks for
[[nodiscard]] Lowered lower(Network& network, PropertyId property, const LowerLimits& limits = {});

}  // namespace whittle
