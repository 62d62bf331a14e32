// SPDX-License-Identifier: Apache-2.0
#include "slice/machines.h"

#include <algorithm>

#include "ir/ltl.h"
#include "slice/criteria.h"
#include "slice/uses.h"

namespace whittle::slice {

namespace {

// Machines and shared variables in one graph: an edge where one names the other.
class Neighbours {
 public:
  explicit Neighbours(const Network& network)
      : network_(network),
        machines_(network.machines().size()),
        edges_(machines_ + network.variables().size()),
        uses_(network) {
    for (const Event& e : network.events()) {
      for (const Guard& g : e.guards) reads(e.machine, g.condition);
      for (const Effect& f : e.effects) {
        if (f.expr.valid()) reads(e.machine, f.expr);
        for (VariableId v : f.writes)
          if (!network.variable(v).machine.valid()) join(e.machine.index(), machines_ + v.index());
      }
      for (const Sync& s : e.syncs) {
        join(e.machine.index(), s.machine.index());
        if (s.key.valid()) reads(e.machine, s.key);
        for (Expr a : s.arguments) reads(e.machine, a);
      }
    }
  }

  void reads(MachineId machine, Expr e) {
    for (std::size_t n : named(e)) join(machine.index(), n);
  }
  void together(const std::vector<std::size_t>& nodes) {
    for (std::size_t n : nodes) join(nodes.front(), n);
  }
  std::vector<std::size_t> named(Expr e) {
    const Uses& u = uses_.of(e);
    std::vector<std::size_t> nodes;
    for (MachineId m : u.machines) nodes.push_back(m.index());
    for (VariableId v : u.shared) nodes.push_back(machines_ + v.index());
    return nodes;
  }
  [[nodiscard]] std::size_t node(VariableId v) const {
    MachineId m = network_.variable(v).machine;
    return m.valid() ? m.index() : machines_ + v.index();
  }
  [[nodiscard]] std::vector<char> reached(std::vector<std::size_t> work) const {
    std::vector<char> seen(edges_.size(), 0);
    while (!work.empty()) {
      std::size_t n = work.back();
      work.pop_back();
      if (seen[n]) continue;
      seen[n] = 1;
      work.insert(work.end(), edges_[n].begin(), edges_[n].end());
    }
    return seen;
  }

 private:
  void join(std::size_t a, std::size_t b) {
    if (a == b) return;
    edges_[a].push_back(b);
    edges_[b].push_back(a);
  }

  const Network& network_;
  std::size_t machines_;
  std::vector<std::vector<std::size_t>> edges_;
  UseTable uses_;
};

}  // namespace

Kept needed_machines(const ControlFlow& flow, const InitConditions& init, PropertyId id) {
  const Network& network = flow.network();
  const Property& property = network.property(id);
  Neighbours graph(network);
  std::vector<std::size_t> roots;
  if (property.condition().valid()) roots = graph.named(property.condition());
  if (const auto* run = std::get_if<RunGoal>(&property.goal))
    for (const LtlFormula f : {run->formula, run->assumption}) {
      if (!f.valid()) continue;
      for (const Expr atom : network.ltl().atoms(f))
        for (const std::size_t node : graph.named(atom)) roots.push_back(node);
    }
  if (const MachineId asked = network.machine_of(property); asked.valid())
    roots.push_back(asked.index());
  if (property.bound.min > 0 || std::holds_alternative<DeadlockGoal>(property.goal))
    for (std::uint32_t m = 0; m < network.machines().size(); ++m) roots.push_back(m);
  for (const InitCondition& c : init.all()) {
    std::vector<std::size_t> nodes;
    for (VariableId v : c.variables) nodes.push_back(graph.node(v));
    for (MachineId m : c.machines) nodes.push_back(m.index());
    if (c.machine.valid()) nodes.push_back(c.machine.index());
    if (nodes.empty()) continue;
    graph.together(nodes);
    if (!c.removable) roots.insert(roots.end(), nodes.begin(), nodes.end());
  }
  std::vector<char> reached = graph.reached(std::move(roots));

  Kept kept;
  auto machine_in = [&](MachineId m) { return reached[m.index()]; };
  for (std::uint32_t m = 0; m < network.machines().size(); ++m) kept.machines.push_back(reached[m]);
  for (const Location& l : network.locations()) kept.locations.push_back(machine_in(l.machine));
  for (std::uint32_t v = 0; v < network.variables().size(); ++v)
    kept.variables.push_back(reached[graph.node(VariableId(v))]);
  kept.arcs.assign(flow.arc_count(), 0);
  kept.effects.assign(flow.effect_count(), 0);
  kept.syncs.assign(flow.sync_count(), 0);
  for (std::uint32_t i = 0; i < network.events().size(); ++i) {
    const Event& e = network.events()[i];
    char in = machine_in(e.machine);
    EventId event(i);
    kept.events.push_back(in);
    kept.parameters.emplace_back(in ? e.parameters.size() : 0, 1);
    for (std::uint32_t a = 0; a < e.arcs.size(); ++a) kept.arcs[flow.arc_number({event, a})] = in;
    for (std::uint32_t j = 0; j < e.effects.size(); ++j)
      kept.effects[flow.effect_number(event, j)] = in;
    for (std::uint32_t j = 0; j < e.syncs.size(); ++j) kept.syncs[flow.sync_number(event, j)] = in;
  }
  for (std::uint32_t i = 0; i < init.all().size(); ++i) {
    const InitCondition& c = init.all()[i];
    bool in = std::all_of(c.variables.begin(), c.variables.end(),
                          [&](VariableId v) { return kept.variables[v.index()]; });
    if (in && (!c.machine.valid() || machine_in(c.machine))) kept.conditions.push_back(i);
  }
  return kept;
}

}  // namespace whittle::slice
