// SPDX-License-Identifier: Apache-2.0
// What a suite is to cover, in terms of a network.
//
// A way on is an outcome of a decision: an arc of an event that leaves a location which others
// leave, too. Copies of one piece of program text (functions are copied to their calls) are one
// goal.
#pragma once

#include <compare>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ir/network.h"

namespace whittle::tests {

enum class Cover { Locations, Branches, Conditions, Errors, Paths };

struct Way {
  EventId event;
  std::uint32_t arc = 0;
  auto operator<=>(const Way&) const = default;
};

struct CoverageGoal {
  std::string kind;
  std::string name;
  Span origin = {};
  // Covered by a run that takes one of these, comes to one of these, reaches the goal of this
  // property, or tries one of these (events that were added to a copy of the network).
  std::vector<Way> arcs = {};
  std::vector<LocationId> locations = {};
  PropertyId property = {};
  std::vector<Way> probes = {};
};

[[nodiscard]] std::vector<CoverageGoal> location_goals(const Network& network, UniverseId universe);
[[nodiscard]] std::vector<CoverageGoal> branch_goals(const Network& network, UniverseId universe);
// The properties that ask about states of runs, in this universe.
[[nodiscard]] std::vector<CoverageGoal> error_goals(const Network& network, UniverseId universe);
// Each comparison and truth value in a guard, both ways. Adds to the network what tries them.
[[nodiscard]] std::vector<CoverageGoal> condition_goals(Network& network, UniverseId universe);

// Truth values that a condition is made of, without `!`.
[[nodiscard]] std::vector<Expr> atoms_of(const ExprPool& pool, Expr condition);

// An event that does nothing but ask for `condition` where `like` has to be: with its parameters,
// which the condition may speak of. It leads back to where it begins.
[[nodiscard]] Way add_probe(Network& network, EventId like, LocationId from, Expr condition);

}  // namespace whittle::tests
