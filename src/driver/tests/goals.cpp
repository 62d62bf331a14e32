// SPDX-License-Identifier: Apache-2.0
#include "driver/tests/goals.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_set>

#include "base/checkpoint.h"
#include "expr/print.h"
#include "expr/traverse.h"
#include "ir/notation.h"
#include "ir/property_kinds.h"

namespace whittle::tests {

namespace {

// The machines that have an instance, once each.
std::vector<MachineId> machines_in(const Network& network, UniverseId universe) {
  std::vector<MachineId> result;
  for (std::size_t m = 0; m < network.machines().size(); ++m)
    if (!network.instances_of(universe, MachineId(m)).empty()) result.emplace_back(m);
  return result;
}

std::string prefix_of(const Network& network, const std::vector<MachineId>& machines,
                      MachineId machine) {
  return machines.size() > 1 ? network.machine(machine).name + "." : "";
}

// The outcome of a decision among those of its text: " else", " case 3", "".
std::string outcome_of(const std::string& event) {
  for (const std::string_view known : {" else", " default"})
    if (event.ends_with(known)) return std::string(known);
  const std::size_t at = event.rfind(" case ");
  if (at != std::string::npos &&
      event.find_first_not_of("-0123456789", at + 6) == std::string::npos)
    return event.substr(at);
  return "";
}

// What is one goal in a program: the same outcome of the same text.
using TextKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::string>;
TextKey key_of(Span origin, std::string outcome) {
  return {origin.file.index(), origin.begin, origin.end, std::move(outcome)};
}

// Events that leave a location and do not fail there, with the arc.
std::vector<std::pair<Way, LocationId>> ways_from(const Network& network, MachineId machine) {
  std::vector<std::pair<Way, LocationId>> result;
  for (const EventId id : network.machine(machine).events) {
    const Event& event = network.event(id);
    if (!event.root) continue;
    for (std::uint32_t a = 0; a < event.arcs.size(); ++a) {
      checkpoint();
      if (network.location(event.arcs[a].to).error) continue;
      result.push_back({{id, a}, event.arcs[a].from});
    }
  }
  return result;
}

std::string condition_text(const Network& network, Expr condition) {
  return network.notation ? network.notation->condition(network, condition)
                          : to_string(network.pool(), condition);
}

bool is_junction(Op op) {
  return op == Op::And || op == Op::Or || op == Op::Not || op == Op::Implies;
}

}  // namespace

std::vector<CoverageGoal> location_goals(const Network& network, UniverseId universe) {
  std::vector<CoverageGoal> goals;
  std::map<TextKey, std::size_t> known;
  const bool programs = traits_of(network).programs;
  const auto machines = machines_in(network, universe);
  for (const MachineId machine : machines) {
    for (const LocationId id : network.machine(machine).locations) {
      const Location& location = network.location(id);
      if (location.error) continue;  // is a goal of its own kind
      std::size_t at = goals.size();
      if (programs && location.origin.valid())
        at = known.emplace(key_of(location.origin, ""), at).first->second;
      if (at == goals.size())
        goals.push_back(
            {"location", prefix_of(network, machines, machine) + location.name, location.origin});
      goals[at].locations.push_back(id);
    }
  }
  return goals;
}

std::vector<CoverageGoal> branch_goals(const Network& network, UniverseId universe) {
  std::vector<CoverageGoal> goals;
  std::map<TextKey, std::size_t> known;
  const bool programs = traits_of(network).programs;
  const auto machines = machines_in(network, universe);
  for (const MachineId machine : machines) {
    const auto ways = ways_from(network, machine);
    std::map<LocationId, unsigned> leave;
    for (const auto& [arc, from] : ways) ++leave[from];
    for (const auto& [arc, from] : ways) {
      if (leave[from] < 2) continue;
      const Event& event = network.event(arc.event);
      std::size_t at = goals.size();
      if (programs && event.origin.valid())
        at = known.emplace(key_of(event.origin, outcome_of(event.name)), at).first->second;
      if (at == goals.size()) {
        std::string name = prefix_of(network, machines, machine) + event.name;
        if (!programs && event.arcs.size() > 1)
          name += fmt::format(" ({} -> {})", network.location(from).name,
                              network.location(event.arcs[arc.arc].to).name);
        goals.push_back({"branch", std::move(name), event.origin});
      }
      goals[at].arcs.push_back(arc);
    }
  }
  std::stable_sort(goals.begin(), goals.end(), [&](const CoverageGoal& a, const CoverageGoal& b) {
    return programs && a.origin.begin < b.origin.begin;
  });
  return goals;
}

std::vector<CoverageGoal> error_goals(const Network& network, UniverseId universe) {
  std::vector<CoverageGoal> goals;
  for (std::size_t p = 0; p < network.properties().size(); ++p) {
    const Property& property = network.properties()[p];
    if (!is_state_property(property.kind) || property.universe != universe) continue;
    CoverageGoal goal{is_safety(property.kind) ? "error" : "state", property.name, property.origin};
    goal.property = PropertyId(p);
    goals.push_back(std::move(goal));
  }
  return goals;
}

std::vector<Expr> atoms_of(const ExprPool& pool, Expr condition) {
  std::vector<Expr> result;
  std::unordered_set<Expr> seen;
  std::vector<Expr> open = {condition};
  while (!open.empty()) {
    checkpoint();
    const Expr e = open.back();
    open.pop_back();
    if (!seen.insert(e).second || pool.is_const(e)) continue;
    if (is_junction(pool.op(e))) {
      const auto parts = pool.children(e);
      open.insert(open.end(), parts.rbegin(), parts.rend());
    } else {
      result.push_back(e);
    }
  }
  return result;
}

Way add_probe(Network& network, EventId like, LocationId from, Expr condition) {
  const Event model = network.event(like);
  const EventId id = network.add_event(fmt::format("probe {}", network.events().size()),
                                       model.machine, model.origin);
  Substitution own(network.pool());
  for (const Parameter& parameter : model.parameters)
    own.set(parameter.symbol, network.pool().symbol(network.add_parameter(
                                  id, parameter.name, parameter.type, parameter.origin)));
  Event& event = network.event(id);
  event.guards.push_back({own(condition), model.origin});
  event.arcs.push_back({from, from, model.origin});
  return {id, 0};
}

std::vector<CoverageGoal> condition_goals(Network& network, UniverseId universe) {
  std::vector<CoverageGoal> goals;
  ExprPool& pool = network.pool();
  std::map<std::tuple<TextKey, std::string, bool>, std::size_t> known;
  const auto machines = machines_in(network, universe);
  const bool programs = traits_of(network).programs;
  for (const MachineId machine : machines) {
    for (const auto& [arc, from] : ways_from(network, machine)) {
      const Event event = network.event(arc.event);
      if (outcome_of(event.name) == " else") continue;  // the other side of one that is there
      for (const Guard& guard : event.guards) {
        if (guard.of_effect) continue;
        for (const Expr atom : atoms_of(pool, guard.condition)) {
          const std::string text = condition_text(network, atom);
          for (const bool value : {true, false}) {
            const TextKey place =
                programs ? key_of(event.origin, "") : TextKey{0, arc.event.index(), arc.arc, ""};
            const std::size_t at =
                known.emplace(std::tuple{place, text, value}, goals.size()).first->second;
            if (at == goals.size())
              goals.push_back({"condition",
                               fmt::format("{}{}: {} is {}", prefix_of(network, machines, machine),
                                           event.name, text, value),
                               event.origin});
            goals[at].probes.push_back(
                add_probe(network, arc.event, from, value ? atom : pool.negate(atom)));
          }
        }
      }
    }
  }
  return goals;
}

}  // namespace whittle::tests
