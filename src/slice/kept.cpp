// SPDX-License-Identifier: Apache-2.0
// Which elements of a network the instances of a closure keep (Eilers 2018, section 4.6).
#include "slice/kept.h"

#include <algorithm>

namespace whittle::slice {

Kept kept_by(const ControlFlow& flow, const InitConditions& init, PropertyId property,
             const Closure& closure) {
  const Network& network = flow.network();
  Kept kept;
  kept.machines.assign(network.machines().size(), 0);
  kept.locations.assign(network.locations().size(), 0);
  kept.variables.assign(network.variables().size(), 0);
  kept.events.assign(network.events().size(), 0);
  kept.arcs.assign(flow.arc_count(), 0);
  kept.effects.assign(flow.effect_count(), 0);
  kept.syncs.assign(flow.sync_count(), 0);
  kept.parameters.resize(network.events().size());

  auto keep_machine = [&](MachineId m) {
    if (!m.valid() || kept.machines[m.index()]) return;
    kept.machines[m.index()] = 1;
    if (VariableId key = network.machine(m).key; key.valid()) kept.variables[key.index()] = 1;
  };
  auto keep_variable = [&](VariableId v) {
    kept.variables[v.index()] = 1;
    keep_machine(network.variable(v).machine);
  };
  auto keep_event = [&](EventId e) {
    kept.events[e.index()] = 1;
    keep_machine(network.event(e).machine);
  };
  for (const Closure::Entry& entry : closure.entries()) {
    const Instance& i = entry.instance;
    switch (i.part) {
      case Part::Location:
        kept.locations[i.id] = 1;
        keep_machine(network.location(LocationId(i.id)).machine);
        break;
      case Part::LocationValue:
        keep_variable(VariableId(i.with));
        break;
      case Part::Value:
      case Part::Initial:
        keep_variable(VariableId(i.id));
        break;
      case Part::LocationRead:
        break;
      case Part::Arc:
        kept.arcs[flow.arc_number({EventId(i.id), i.with})] = 1;
        break;
      case Part::Guard:
        keep_event(EventId(i.id));
        break;
      case Part::Parameter: {
        auto& list = kept.parameters[i.id];
        list.resize(network.event(EventId(i.id)).parameters.size(), 0);
        list[i.with] = 1;
        break;
      }
      case Part::Effect:
        kept.effects[flow.effect_number(EventId(i.id), i.with)] = 1;
        for (VariableId v : network.event(EventId(i.id)).effects[i.with].writes) keep_variable(v);
        break;
      case Part::Sync:
        kept.syncs[flow.sync_number(EventId(i.id), i.with)] = 1;
        break;
      case Part::Machine:
        keep_machine(MachineId(i.id));
        break;
    }
  }
  keep_machine(network.machine_of(network.property(property)));
  for (std::uint32_t c = 0; c < init.all().size(); ++c) {
    const InitCondition& condition = init.all()[c];
    bool all_kept = std::all_of(condition.variables.begin(), condition.variables.end(),
                                [&](VariableId v) { return kept.variables[v.index()] != 0; });
    if (all_kept && (!condition.machine.valid() || kept.machines[condition.machine.index()]))
      kept.conditions.push_back(c);
  }
  return kept;
}

std::optional<std::vector<Shortcut>> all_shortcuts(const ControlFlow& flow, const Kept& kept,
                                                   std::uint64_t work_limit) {
  std::vector<Shortcut> all;
  for (std::uint32_t m = 0; m < kept.machines.size(); ++m) {
    if (!kept.machines[m]) continue;
    auto found = shortcuts(flow, MachineId(m), kept.locations, kept.arcs, work_limit);
    if (!found) return std::nullopt;
    all.insert(all.end(), found->begin(), found->end());
  }
  return all;
}

SliceStatistics whole_statistics(const Network& network) {
  SliceStatistics s;
  auto count = [](std::size_t n) { return SliceStatistics::Count{n, n}; };
  s.machines = count(network.machines().size());
  s.locations = count(network.locations().size());
  s.variables = count(network.variables().size());
  std::size_t arcs = 0;
  std::size_t effects = 0;
  std::size_t syncs = 0;
  for (const Event& e : network.events()) {
    arcs += e.arcs.size();
    effects += e.effects.size();
    syncs += e.syncs.size();
  }
  s.transitions = count(arcs);
  s.effects = count(effects);
  s.syncs = count(syncs);
  return s;
}

}  // namespace whittle::slice
