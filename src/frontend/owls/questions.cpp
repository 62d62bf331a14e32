// SPDX-License-Identifier: Apache-2.0
#include "frontend/owls/questions.h"

#include <fmt/format.h>

#include <set>

#include "frontend/expectation.h"
#include "ir/property_kinds.h"

namespace whittle::owls {

namespace {

// The event in which the perform of this name happens, or one of its results.
bool is_of(const Event& event, const std::string& name) {
  if (event.arcs.empty() || event.name.ends_with(" is given")) return false;
  return event.name == name || event.name.starts_with(name + ": result") ||
         event.name.starts_with(name + ": no result");
}

}  // namespace

void ask_activities(Network& network, UniverseId universe, const Document& document,
                    const Activities& activities) {
  for (const auto& [name, perform] : activities) {
    for (std::size_t i = 0; i < network.events().size(); ++i) {
      if (!is_of(network.events()[i], name)) continue;
      Property property;
      property.name = fmt::format("`{}` can happen", name);
      property.kind = PropertyKind::DeadTransition;
      property.goal = ArcGoal{EventId(static_cast<std::uint32_t>(i)), 0};
      property.universe = universe;
      property.origin = document.span(perform);
      network.add_property(std::move(property));
      break;
    }
  }
}

// A run that fails is the matter of another question, and so is a call whose preconditions do not
// hold: who waits there was not started.
void ask_for_end(Network& network, UniverseId universe, InstanceId instance, LocationId end,
                 Span span) {
  ExprPool& pool = network.pool();
  std::vector<Expr> good{pool.symbol(network.at_instance(instance, end))};
  for (const InstanceId one : network.universe(universe).instances)
    for (const LocationId location : network.machine(network.instance(one).machine).locations)
      if (network.location(location).error || network.location(location).name == kPreconditions)
        good.push_back(pool.symbol(network.at_instance(one, location)));
  Property property;
  property.name = "every start leads to an end";
  property.kind = PropertyKind::Recoverable;
  property.goal = RecoveryGoal{pool.disj(good)};
  property.universe = universe;
  property.origin = span;
  network.add_property(std::move(property));
}

void note_expectations(Network& network, const Document& document, std::size_t process,
                       Diagnostics& diagnostics) {
  for (const Statement* statement : document.graph().all(process, "expect")) {
    const auto expected = frontend::expectations_by_name(statement->text);
    if (!expected) {
      diagnostics.report("parse-008", statement->span, "whittle:expect is no list of expectations",
                         "as in <whittle:expect>precondition of `Pay`: violated</whittle:expect>");
      continue;
    }
    for (std::size_t i = 0; i < network.properties().size(); ++i) {
      Property& property = network.property(PropertyId(static_cast<std::uint32_t>(i)));
      for (const auto& [name, answer] : *expected) {
        if (name != property.name || !misfit(property.kind, answer).empty()) continue;
        property.expected = answer;
        property.expected->origin = property.origin;
      }
    }
  }
}

}  // namespace whittle::owls
