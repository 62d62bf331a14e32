// SPDX-License-Identifier: Apache-2.0
// The sliced network, and the map back to the original (back.cpp).
#include "slice/build.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "expr/traverse.h"
#include "ir/ltl.h"
#include "slice/back.h"

namespace whittle::slice {

namespace {

template <class Id>
Id mapped(const std::vector<std::uint32_t>& map, Id id) {
  return id.valid() && map[id.index()] != UINT32_MAX ? Id(map[id.index()]) : Id();
}

class Builder {
 public:
  Builder(const Network& original, PropertyId property, const ControlFlow& flow,
          const InitConditions& init, const Kept& kept, bool expand_shortcuts)
      : from_(original),
        property_(original.property(property)),
        flow_(flow),
        init_(init),
        kept_(kept),
        expand_shortcuts_(expand_shortcuts),
        to_(std::make_shared<Network>(original.shared_pool())),
        machines_(original.machines().size(), UINT32_MAX),
        variables_(original.variables().size(), UINT32_MAX),
        locations_(original.locations().size(), UINT32_MAX),
        events_(original.events().size(), UINT32_MAX) {}

  void run() {
    to_->name = from_.name;
    to_->language = from_.language;
    to_->notation = from_.notation;
    copy_machines();
    copy_variables();
    copy_locations();
    if (kept_.compression) place_locations(*kept_.compression);
    declare_events();
    copy_fairness();
    copy_universe();
    for (std::uint32_t e = 0; e < from_.events().size(); ++e)
      if (kept_.events[e]) copy_event(EventId(e));
    add_shortcuts();
    if (kept_.compression) add_passes(*kept_.compression);
    copy_starts();
    copy_property();
  }

  std::shared_ptr<Network> network() { return to_; }
  IdMaps take_maps() { return std::move(maps_); }
  [[nodiscard]] const SliceStatistics& statistics() const { return statistics_; }

 private:
  void copy_machines() {
    for (std::uint32_t m = 0; m < from_.machines().size(); ++m) {
      if (!kept_.machines[m]) continue;
      const Machine& machine = from_.machines()[m];
      machines_[m] = to_->add_machine(machine.name, machine.origin).index();
      maps_.machines.emplace_back(m);
    }
    statistics_.machines = {maps_.machines.size(), from_.machines().size()};
  }

  void copy_variables() {
    for (std::uint32_t v = 0; v < from_.variables().size(); ++v) {
      if (!kept_.variables[v]) continue;
      Variable copy = from_.variables()[v];
      copy.machine = mapped(machines_, copy.machine);
      VariableId id = to_->add_variable(std::move(copy));
      variables_[v] = id.index();
      maps_.variables.emplace_back(v);
    }
    for (std::size_t m = 0; m < maps_.machines.size(); ++m) {
      VariableId key = from_.machine(maps_.machines[m]).key;
      to_->machine(MachineId(m)).key = mapped(variables_, key);
    }
    statistics_.variables = {maps_.variables.size(), from_.variables().size()};
    for (VariableId v : maps_.variables)
      if (Expr e = from_.variable(v).initial; e.valid()) adopt(e);
  }

  void copy_locations() {
    for (std::uint32_t l = 0; l < from_.locations().size(); ++l) {
      const Location& location = from_.locations()[l];
      if (!kept_.locations[l] || !kept_.machines[location.machine.index()]) continue;
      LocationId id =
          to_->add_location(location.name, mapped(machines_, location.machine), location.origin);
      to_->location(id).final = location.final;
      to_->location(id).error = location.error;
      locations_[l] = id.index();
      maps_.locations.emplace_back(l);
    }
    statistics_.locations = {maps_.locations.size(), from_.locations().size()};
  }

  void declare_events() {
    for (std::uint32_t e = 0; e < from_.events().size(); ++e) {
      if (!kept_.events[e]) continue;
      const Event& event = from_.events()[e];
      events_[e] =
          to_->add_event(event.name, mapped(machines_, event.machine), event.origin).index();
      maps_.events.emplace_back(e);
    }
  }

  void copy_fairness() {
    if (!std::holds_alternative<RunGoal>(property_.goal)) return;
    for (Fairness fairness : from_.fairness) {
      if (!kept_.machines[fairness.machine.index()]) continue;
      fairness.machine = mapped(machines_, fairness.machine);
      std::erase_if(fairness.events, [&](EventId e) { return !kept_.events[e.index()]; });
      for (EventId& e : fairness.events) e = mapped(events_, e);
      if (!fairness.events.empty()) to_->fairness.push_back(std::move(fairness));
    }
  }

  void copy_universe() {
    const Universe& universe = from_.universe(property_.universe);
    universe_ = to_->add_universe(universe.description);
    for (InstanceId i : universe.instances) {
      const whittle::Instance& instance = from_.instance(i);
      if (!kept_.machines[instance.machine.index()]) continue;
      InstanceId id = to_->add_instance(universe_, mapped(machines_, instance.machine),
                                        instance.key, instance.name);
      instances_[i] = id;
      maps_.instances.push_back(i);
    }
    for (std::uint32_t c : kept_.conditions) {
      const InitCondition& condition = init_.all()[c];
      if (condition.machine.valid()) continue;
      to_->universe(universe_).init.push_back(adopt(condition.condition));
    }
  }

  void copy_event(EventId old) {
    const Event& event = from_.event(old);
    EventId id = mapped(events_, old);
    to_->event(id).root = event.root;
    const auto& parameters = kept_.parameters[old.index()];
    for (std::size_t p = 0; p < event.parameters.size(); ++p)
      if (p < parameters.size() && parameters[p]) to_->add_parameter(id, event.parameters[p]);
    Event& copy = to_->event(id);
    for (const Guard& g : event.guards)
      copy.guards.push_back({adopt(g.condition), g.origin, g.of_effect});
    for (std::uint32_t j = 0; j < event.effects.size(); ++j)
      if (kept_.effects[flow_.effect_number(old, j)]) copy_effect(event.effects[j], copy);
    for (std::uint32_t j = 0; j < event.syncs.size(); ++j)
      if (kept_.syncs[flow_.sync_number(old, j)]) copy_sync(event.syncs[j], copy);
    for (std::uint32_t a = 0; a < event.arcs.size(); ++a)
      if (kept_.arcs[flow_.arc_number({old, a})])
        copy.arcs.push_back({mapped(locations_, event.arcs[a].from), place(event.arcs[a].to),
                             event.arcs[a].origin});
    statistics_.transitions.kept += copy.arcs.size();
    statistics_.effects.kept += copy.effects.size();
    statistics_.syncs.kept += copy.syncs.size();
  }

  // ----- steps in between

  // Where a location of the original is in the slice.
  [[nodiscard]] LocationId place(LocationId l) const {
    return places_.empty() ? mapped(locations_, l) : places_[l.index()];
  }

  void place_locations(const Compression& compression) {
    using Way = Compression::Way;
    places_.assign(from_.locations().size(), LocationId());
    for (std::uint32_t l = 0; l < places_.size(); ++l) {
      const LocationId next = compression.next[l];
      switch (compression.way[l]) {
        case Way::Stays:
          places_[l] = mapped(locations_, LocationId(l));
          break;
        case Way::Joins:
          places_[l] = mapped(locations_, next);
          break;
        case Way::Waits:
          places_[l] = added(waiting_[next.index()], "to_" + from_.location(next).name, next);
          break;
        case Way::Rests:
          places_[l] = added(rests_[from_.locations()[l].machine], "rest", LocationId(l));
          break;
      }
    }
  }

  // A location of the slice that is none of the original, in the machine of that one.
  LocationId added(LocationId& known, std::string name, LocationId beside) {
    if (known.valid()) return known;
    const MachineId machine = mapped(machines_, from_.location(beside).machine);
    const auto& names = to_->machine(machine).locations;
    while (std::any_of(names.begin(), names.end(),
                       [&](LocationId l) { return to_->location(l).name == name; }))
      name += "_";
    known = to_->add_location(std::move(name), machine, Span{});
    maps_.locations.emplace_back();
    return known;
  }

  // Steps without conditions and effects: from locations whose own step does nothing that matters,
  // from those that wait, and where the machine may go on for ever.
  void add_passes(const Compression& compression) {
    for (std::uint32_t l = 0; l < places_.size(); ++l) {
      if (!compression.passes[l]) continue;
      // To what is met next, and to where it is waited for.
      std::set<LocationId> targets;
      for (const ArcRef step : flow_.leaving(LocationId(l))) {
        const Event& event = from_.event(step.event);
        const LocationId target = place(flow_.arc(step).to);
        if (targets.insert(target).second) add_pass(event.name, places_[l], target, event.origin);
      }
    }
    for (const auto& [next, waiting] : waiting_)
      add_pass("on_" + to_->location(waiting).name, waiting, mapped(locations_, LocationId(next)),
               Span{});
    for (std::uint32_t l = 0; l < places_.size(); ++l) {
      if (!compression.idles[l] || !idle_.insert(places_[l]).second) continue;
      add_pass("idle", places_[l], places_[l], Span{});
    }
  }

  void add_pass(std::string name, LocationId from, LocationId to, Span origin) {
    const MachineId machine = to_->location(from).machine;
    const auto& names = to_->machine(machine).events;
    while (std::any_of(names.begin(), names.end(),
                       [&](EventId e) { return to_->event(e).name == name; }))
      name += "_";
    const EventId event = to_->add_event(std::move(name), machine, origin);
    to_->event(event).arcs.push_back({from, to, origin});
    maps_.events.emplace_back();
    ++statistics_.transitions.kept;
  }

  void copy_effect(const Effect& effect, Event& copy) {
    Effect e = effect;
    for (VariableId& v : e.writes) v = mapped(variables_, v);
    if (e.expr.valid()) adopt(e.expr);
    copy.effects.push_back(std::move(e));
  }

  void copy_sync(const Sync& sync, Event& copy) {
    Sync s = sync;
    s.machine = mapped(machines_, sync.machine);
    s.event = mapped(events_, sync.event);
    WHITTLE_REQUIRE(s.event.valid(), "a synchronised event stays with its caller");
    if (s.key.valid()) adopt(s.key);
    s.arguments.clear();
    const auto& parameters = kept_.parameters[sync.event.index()];
    for (std::size_t p = 0; p < sync.arguments.size(); ++p)
      if (p < parameters.size() && parameters[p]) s.arguments.push_back(adopt(sync.arguments[p]));
    copy.syncs.push_back(std::move(s));
  }

  // An event without guard or effect per shortcut. With as many locations in between as it takes
  // steps, unless only its ends are of interest.
  void add_shortcuts() {
    std::unordered_map<MachineId, EventId> events;
    for (const Shortcut& s : kept_.shortcuts) {
      MachineId machine = mapped(machines_, from_.location(s.from).machine);
      auto [place, fresh] = events.try_emplace(machine);
      if (fresh) place->second = to_->add_event(shortcut_name(machine), machine, Span{});
      LocationId at = mapped(locations_, s.from);
      LocationId end = mapped(locations_, s.to);
      // What stands for an event has its place in the text.
      auto origin = [&](std::uint32_t step) {
        return s.way.empty() ? Span{} : from_.event(s.way[step].event).origin;
      };
      const std::uint32_t length = expand_shortcuts_ ? s.length : 1;
      for (std::uint32_t step = 1; step < length; ++step) {
        LocationId next = to_->add_location(between(s, step, machine), machine, Span{});
        to_->event(place->second).arcs.push_back({at, next, origin(step - 1)});
        at = next;
      }
      to_->event(place->second).arcs.push_back({at, end, origin(length - 1)});
    }
  }

  // A name that no location of the machine has, and that is one in every language if the names of
  // the ends are.
  std::string between(const Shortcut& s, std::uint32_t step, MachineId machine) {
    auto [taken, fresh] = location_names_.try_emplace(machine);
    if (fresh)
      for (LocationId l : to_->machine(machine).locations)
        taken->second.insert(to_->location(l).name);
    std::string name = from_.location(s.from).name + "_to_" + from_.location(s.to).name;
    if (s.length > 2) name += "_" + std::to_string(step);
    while (!taken->second.insert(name).second) name += "_";
    return name;
  }

  std::string shortcut_name(MachineId machine) const {
    std::string name = "shortcut";
    auto taken = [&] {
      for (EventId e : to_->machine(machine).events)
        if (to_->event(e).name == name) return true;
      return false;
    };
    while (taken()) name += "_";
    return name;
  }

  void copy_starts() {
    ExprPool& pool = from_.pool();
    std::unordered_map<std::uint64_t, std::vector<Expr>> conditions;
    for (std::uint32_t c : kept_.conditions) {
      const InitCondition& condition = init_.all()[c];
      if (condition.machine.valid())
        conditions[start_key(condition.machine, condition.start)].push_back(
            adopt(condition.condition));
    }
    for (std::size_t m = 0; m < maps_.machines.size(); ++m) {
      MachineId old = maps_.machines[m];
      const auto& starts = from_.machine(old).starts;
      for (std::uint32_t s = 0; s < starts.size(); ++s) {
        Start copy = starts[s];
        copy.location = place(starts[s].location);
        copy.condition = pool.conj(conditions[start_key(old, s)]);
        to_->machine(MachineId(m)).starts.push_back(std::move(copy));
      }
    }
  }

  static std::uint64_t start_key(MachineId m, std::uint32_t start) {
    return (std::uint64_t{m.index()} << 32) | start;
  }

  void copy_property() {
    Property copy = property_;
    copy.universe = universe_;
    if (auto* state = std::get_if<StateGoal>(&copy.goal)) {
      state->node = mapped(locations_, state->node);
    } else if (auto* sinkhole = std::get_if<SinkholeGoal>(&copy.goal)) {
      sinkhole->location = mapped(locations_, sinkhole->location);
    } else if (auto* start = std::get_if<StartGoal>(&copy.goal)) {
      start->machine = mapped(machines_, start->machine);
    } else if (auto* relation = std::get_if<RelationGoal>(&copy.goal)) {
      relation->event = mapped(events_, relation->event);
    } else if (auto* arc = std::get_if<ArcGoal>(&copy.goal)) {
      const ArcGoal asked = *arc;
      *arc = {mapped(events_, asked.event), 0};
      for (std::uint32_t a = 0; a < asked.arc; ++a)
        if (kept_.arcs[flow_.arc_number({asked.event, a})]) ++arc->arc;
    }
    if (copy.condition().valid()) adopt(copy.condition());
    if (const auto* run = std::get_if<RunGoal>(&copy.goal)) {
      to_->share_ltl(from_);
      for (LtlFormula f : {run->formula, run->assumption}) {
        if (!f.valid()) continue;
        for (Expr atom : from_.ltl().atoms(f)) adopt(atom);
      }
    }
    new_property_ = to_->add_property(std::move(copy));
  }

  // Makes the symbols of a term known to the new network.
  Expr adopt(Expr e) {
    for (SymbolId s : symbols(from_.pool(), e)) {
      Role role = from_.role(s);
      switch (role.kind) {
        case RoleKind::None:
        case RoleKind::Current:
        case RoleKind::Next:
        case RoleKind::Input:
          continue;
        case RoleKind::Bound:
          break;
        case RoleKind::At:
        case RoleKind::AtNext:
        case RoleKind::RemoteAt:
        case RoleKind::RemoteAtNext:
        case RoleKind::InstanceAt:
          role.id = mapped(locations_, LocationId(role.id)).index();
          break;
        case RoleKind::RemoteCurrent:
        case RoleKind::RemoteNext:
        case RoleKind::InstanceCurrent:
          role.id = mapped(variables_, VariableId(role.id)).index();
          break;
        case RoleKind::InstanceTaken:
          role.id = mapped(events_, EventId(role.id)).index();
          break;
        case RoleKind::Halt:
          break;
        case RoleKind::Known:
          role.id = mapped(machines_, MachineId(role.id)).index();
          break;
      }
      WHITTLE_REQUIRE(role.id != UINT32_MAX, "what a kept term speaks of is kept");
      if (role.instance.valid()) role.instance = instances_.at(role.instance);
      to_->adopt(s, role);
    }
    return e;
  }

 public:
  [[nodiscard]] PropertyId new_property() const { return new_property_; }

  // requires: not yet taken maps
  [[nodiscard]] StepMap step_map(const std::shared_ptr<Network>& original,
                                 PropertyId property) const {
    StepMap map{original,     property, to_, new_property_, maps_.instances, maps_.variables,
                maps_.events, {},       {}};
    for (std::uint32_t l = 0; l < from_.locations().size(); ++l)
      map.places.push_back(place(LocationId(l)));
    map.ranks.assign(map.places.size(), 0);
    if (kept_.compression) map.ranks = kept_.compression->ranks;
    return map;
  }

 private:
  const Network& from_;
  const Property& property_;
  const ControlFlow& flow_;
  const InitConditions& init_;
  const Kept& kept_;
  bool expand_shortcuts_;
  std::shared_ptr<Network> to_;
  std::vector<std::uint32_t> machines_, variables_, locations_, events_;  // old to new
  std::vector<LocationId> places_;               // by location; empty: where they were
  std::map<std::uint32_t, LocationId> waiting_;  // by what they wait for, of the original
  std::map<MachineId, LocationId> rests_;        // of the original
  std::set<LocationId> idle_;                    // with a step that changes nothing
  std::unordered_map<InstanceId, InstanceId> instances_;
  std::unordered_map<MachineId, std::unordered_set<std::string>> location_names_;  // with shortcuts
  UniverseId universe_;
  PropertyId new_property_;
  IdMaps maps_;
  SliceStatistics statistics_;
};

}  // namespace

void build(const std::shared_ptr<Network>& original, PropertyId property, const ControlFlow& flow,
           const InitConditions& init, const SliceOptions& options, SliceResult& result) {
  Builder builder(*original, property, flow, init, result.kept, options.expand_shortcuts);
  builder.run();
  result.network = builder.network();
  result.property = builder.new_property();
  result.statistics = builder.statistics();
  result.statistics.transitions.all = flow.arc_count();
  result.statistics.effects.all = flow.effect_count();
  result.statistics.syncs.all = flow.sync_count();
  std::optional<StepMap> step_map;
  if (std::holds_alternative<RunGoal>(original->property(property).goal))
    step_map = builder.step_map(original, property);
  result.back = back_translation(original, property, result.network, builder.take_maps(),
                                 result.kept, result.invariants_lift, std::move(step_map));
}

std::shared_ptr<Network> asking_only(const std::shared_ptr<Network>& network, PropertyId property) {
  const ControlFlow flow(*network);
  const InitConditions init(*network, network->property(property).universe);
  SliceResult all;
  all.kept.machines.assign(network->machines().size(), 1);
  all.kept.locations.assign(network->locations().size(), 1);
  all.kept.variables.assign(network->variables().size(), 1);
  all.kept.events.assign(network->events().size(), 1);
  all.kept.arcs.assign(flow.arc_count(), 1);
  all.kept.effects.assign(flow.effect_count(), 1);
  all.kept.syncs.assign(flow.sync_count(), 1);
  for (const Event& event : network->events())
    all.kept.parameters.emplace_back(event.parameters.size(), 1);
  for (std::uint32_t c = 0; c < init.all().size(); ++c) all.kept.conditions.push_back(c);
  build(network, property, flow, init, {}, all);
  return all.network;
}

}  // namespace whittle::slice
