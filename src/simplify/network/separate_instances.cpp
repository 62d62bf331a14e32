// SPDX-License-Identifier: Apache-2.0
#include "simplify/network/separate_instances.h"

#include <map>
#include <set>
#include <unordered_map>

#include "expr/traverse.h"

namespace whittle::simplify {

namespace {

// Copies are as large as what they are copies of; so many elements in all are enough.
constexpr std::size_t kMaxCopied = 20'000;

// Everything that events, starts, the question and its universe say.
std::vector<Expr> all_terms(const Network& network, const Property& property) {
  std::vector<Expr> terms;
  auto add = [&](Expr e) {
    if (e.valid()) terms.push_back(e);
  };
  for (const Event& event : network.events()) {
    for (const Guard& g : event.guards) add(g.condition);
    for (const Effect& e : event.effects) add(e.expr);
    for (const Sync& s : event.syncs) {
      add(s.key);
      for (Expr a : s.arguments) add(a);
    }
  }
  for (const Machine& m : network.machines())
    for (const Start& s : m.starts) add(s.condition);
  for (Expr e : network.universe(property.universe).init) add(e);
  add(property.condition());
  return terms;
}

// By machine: something refers to it by key, so that any of its instances may be meant.
std::vector<char> referred_to(const Network& network, const Property& property) {
  std::vector<char> result(network.machines().size(), 0);
  for (const Event& event : network.events())
    for (const Sync& s : event.syncs) result[s.machine.index()] = 1;
  for (SymbolId symbol : symbols(network.pool(), all_terms(network, property))) {
    const Role role = network.role(symbol);
    switch (role.kind) {
      case RoleKind::RemoteCurrent:
      case RoleKind::RemoteNext:
        result[network.variable(VariableId(role.id)).machine.index()] = 1;
        break;
      case RoleKind::RemoteAt:
      case RoleKind::RemoteAtNext:
        result[network.location(LocationId(role.id)).machine.index()] = 1;
        break;
      case RoleKind::Known:
        result[role.id] = 1;
        break;
      case RoleKind::None:
      case RoleKind::Current:
      case RoleKind::Next:
      case RoleKind::Input:
      case RoleKind::Bound:
      case RoleKind::At:
      case RoleKind::AtNext:
      case RoleKind::InstanceCurrent:
      case RoleKind::InstanceAt:
      case RoleKind::InstanceTaken:
      case RoleKind::Halt:
        break;
    }
  }
  return result;
}

// What the question and the start say of an instance: variables and locations.
using Mentions = std::set<std::pair<RoleKind, std::uint32_t>>;

std::unordered_map<InstanceId, Mentions> mentions(const Network& network,
                                                  const Property& property) {
  std::vector<Expr> terms = network.universe(property.universe).init;
  terms.push_back(property.condition());
  std::unordered_map<InstanceId, Mentions> result;
  for (SymbolId symbol : symbols(network.pool(), terms)) {
    const Role role = network.role(symbol);
    if (role.instance.valid()) result[role.instance].emplace(role.kind, role.id);
  }
  return result;
}

// Instances of one machine that the question treats alike.
struct Group {
  MachineId machine;
  std::vector<InstanceId> instances;
};

// The groups that leave their machine; the first group of a machine stays.
std::vector<Group> leaving(const Network& network, const Property& property) {
  const std::vector<char> referred = referred_to(network, property);
  const auto said = mentions(network, property);
  std::vector<Group> result;
  std::size_t copied = 0;
  for (std::uint32_t m = 0; m < network.machines().size(); ++m) {
    const auto& instances = network.instances_of(property.universe, MachineId(m));
    if (referred[m] != 0 || instances.size() < 2) continue;
    std::map<Mentions, std::vector<InstanceId>> groups;
    for (InstanceId i : instances) {
      auto it = said.find(i);
      groups[it == said.end() ? Mentions{} : it->second].push_back(i);
    }
    const Machine& machine = network.machines()[m];
    const std::size_t size =
        machine.variables.size() + machine.locations.size() + machine.events.size();
    copied += (groups.size() - 1) * size;
    if (copied > kMaxCopied) break;
    for (auto it = std::next(groups.begin()); it != groups.end(); ++it)
      result.push_back({MachineId(m), std::move(it->second)});
  }
  return result;
}

// New ids of the copies, and what they were.
struct Origins {
  std::unordered_map<VariableId, VariableId> variables;
  std::unordered_map<LocationId, LocationId> locations;
  std::unordered_map<EventId, EventId> events;
  std::vector<InstanceId> instances;  // by position in the universe, which is the same in both
  UniverseId universe;

  template <class Id>
  static Id of(const std::unordered_map<Id, Id>& map, Id id) {
    auto it = map.find(id);
    return it == map.end() ? id : it->second;
  }
};

class Separation {
 public:
  Separation(const std::shared_ptr<Network>& network, PropertyId property)
      : original_(*network),
        property_(property),
        universe_(network->property(property).universe),
        to_(std::make_shared<Network>(*network)) {}

  Transformed run(const std::shared_ptr<Network>& network, const std::vector<Group>& groups);

 private:
  struct Copy {
    MachineId machine;
    std::unordered_map<VariableId, VariableId> variables;  // old to new
    std::unordered_map<LocationId, LocationId> locations;
  };

  Copy copy_of(MachineId old);
  void copy_event(EventId old, const Copy& copy, Substitution& renamed);
  void populate(const std::vector<Group>& groups, const std::vector<Copy>& copies);

  const Network& original_;
  PropertyId property_;
  UniverseId universe_;
  std::shared_ptr<Network> to_;
  Origins origins_;
};

// The way back: copies are what they are copies of.
class SeparationBackTranslation final : public BackTranslation {
 public:
  SeparationBackTranslation(std::shared_ptr<Network> original, std::shared_ptr<Network> result,
                            Origins origins)
      : original_(std::move(original)), result_(std::move(result)), origins_(std::move(origins)) {}

  Expected<Trace, std::string> trace(const Trace& trace) const override {
    const StateLayout here(*result_, trace.universe);
    const StateLayout there(*original_, origins_.universe);
    auto slot = [&](std::size_t s) {
      auto [instance, variable] = here.at(s);
      return there.slot(instance.valid() ? old(instance, here) : instance,
                        Origins::of(origins_.variables, variable));
    };
    Trace result;
    result.universe = origins_.universe;
    for (LocationId l : trace.initial.locations)
      result.initial.locations.push_back(Origins::of(origins_.locations, l));
    result.initial.values.resize(there.value_count());
    for (std::size_t s = 0; s < here.value_count(); ++s)
      result.initial.values[slot(s)] = trace.initial.values[s];
    for (TraceStep step : trace.steps) {
      step.instance = old(step.instance, here);
      step.event = Origins::of(origins_.events, step.event);
      for (auto& [instance, location] : step.targets) {
        instance = old(instance, here);
        location = Origins::of(origins_.locations, location);
      }
      for (auto& [s, value] : step.chosen) s = static_cast<std::uint32_t>(slot(s));
      result.steps.push_back(std::move(step));
    }
    return result;
  }

  Expr invariant(Expr invariant) const override {
    ExprPool& pool = original_->pool();
    const UniverseId universe = result_->instances().back().universe;
    const StateLayout here(*result_, universe);
    Rewriter rename(pool, [&](Expr e, std::span<const Expr>) -> Expr {
      if (pool.op(e) != Op::Apply) return {};
      const Role role = result_->role(pool.symbol_of(e));
      if (role.kind == RoleKind::InstanceCurrent)
        return pool.symbol(original_->of_instance(
            old(role.instance, here), Origins::of(origins_.variables, VariableId(role.id))));
      if (role.kind == RoleKind::InstanceAt)
        return pool.symbol(original_->at_instance(
            old(role.instance, here), Origins::of(origins_.locations, LocationId(role.id))));
      return {};
    });
    return rename(invariant);
  }

 private:
  [[nodiscard]] InstanceId old(InstanceId instance, const StateLayout& here) const {
    return origins_.instances[here.position(instance)];
  }

  std::shared_ptr<Network> original_, result_;
  Origins origins_;
};

Transformed Separation::run(const std::shared_ptr<Network>& network,
                            const std::vector<Group>& groups) {
  std::vector<Copy> copies;
  copies.reserve(groups.size());
  for (const Group& group : groups) copies.push_back(copy_of(group.machine));
  populate(groups, copies);
  auto back = std::make_shared<SeparationBackTranslation>(network, to_, std::move(origins_));
  return {to_, property_, std::move(back)};
}

Separation::Copy Separation::copy_of(MachineId old) {
  const Machine machine = original_.machine(old);
  Copy copy;
  copy.machine = to_->add_machine(machine.name, machine.origin);
  Substitution renamed(to_->pool());
  ExprPool& pool = to_->pool();
  for (VariableId v : machine.variables) {
    const Variable& variable = original_.variable(v);
    const VariableId id =
        to_->add_variable(variable.name, variable.type, copy.machine, variable.origin);
    copy.variables[v] = id;
    origins_.variables[id] = v;
    renamed.set(variable.current, pool.symbol(to_->variable(id).current));
    renamed.set(variable.next, pool.symbol(to_->variable(id).next));
  }
  if (machine.key.valid()) to_->machine(copy.machine).key = copy.variables.at(machine.key);
  for (LocationId l : machine.locations) {
    const Location& location = original_.location(l);
    const LocationId id = to_->add_location(location.name, copy.machine, location.origin);
    to_->location(id).final = location.final;
    to_->location(id).error = location.error;
    copy.locations[l] = id;
    origins_.locations[id] = l;
    renamed.set(to_->at(l), pool.symbol(to_->at(id)));
    renamed.set(to_->at_next(l), pool.symbol(to_->at_next(id)));
  }
  for (VariableId v : machine.variables)
    if (Expr initial = original_.variable(v).initial; initial.valid())
      to_->variable(copy.variables.at(v)).initial = renamed(initial);
  for (Start start : machine.starts) {
    start.location = copy.locations.at(start.location);
    if (start.condition.valid()) start.condition = renamed(start.condition);
    to_->machine(copy.machine).starts.push_back(std::move(start));
  }
  for (EventId e : machine.events) copy_event(e, copy, renamed);
  return copy;
}

void Separation::copy_event(EventId old, const Copy& copy, Substitution& renamed) {
  const Event& event = original_.event(old);
  const EventId id = to_->add_event(event.name, copy.machine, event.origin);
  origins_.events[id] = old;
  for (const Parameter& p : event.parameters) {
    const SymbolId symbol = to_->add_parameter(id, p.name, p.type, p.origin);
    renamed.set(p.symbol, to_->pool().symbol(symbol));
  }
  Event& now = to_->event(id);
  now.root = event.root;
  for (const Guard& g : event.guards)
    now.guards.push_back({renamed(g.condition), g.origin, g.of_effect});
  for (Effect effect : event.effects) {
    for (VariableId& v : effect.writes)
      if (auto it = copy.variables.find(v); it != copy.variables.end()) v = it->second;
    if (effect.expr.valid()) effect.expr = renamed(effect.expr);
    now.effects.push_back(std::move(effect));
  }
  for (Sync sync : event.syncs) {
    if (sync.key.valid()) sync.key = renamed(sync.key);
    for (Expr& a : sync.arguments) a = renamed(a);
    now.syncs.push_back(std::move(sync));
  }
  for (const Arc& a : event.arcs)
    now.arcs.push_back({copy.locations.at(a.from), copy.locations.at(a.to), a.origin});
}

// The same instances in a universe of their own, some with another machine; what is said of them
// is said again.
void Separation::populate(const std::vector<Group>& groups, const std::vector<Copy>& copies) {
  std::unordered_map<InstanceId, const Copy*> moved;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (InstanceId i : groups[g].instances) moved[i] = &copies[g];
  const Universe universe = original_.universe(universe_);
  const UniverseId id = to_->add_universe(universe.description);
  origins_.universe = universe_;
  origins_.instances = universe.instances;
  std::unordered_map<InstanceId, InstanceId> now;
  for (InstanceId i : universe.instances) {
    const Instance& instance = original_.instance(i);
    auto it = moved.find(i);
    now[i] = to_->add_instance(id, it == moved.end() ? instance.machine : it->second->machine,
                               instance.key, instance.name);
  }
  ExprPool& pool = to_->pool();
  Rewriter said(pool, [&](Expr e, std::span<const Expr>) -> Expr {
    if (pool.op(e) != Op::Apply) return {};
    const Role role = original_.role(pool.symbol_of(e));
    if (!role.instance.valid()) return {};
    auto it = moved.find(role.instance);
    const Copy* copy = it == moved.end() ? nullptr : it->second;
    if (role.kind == RoleKind::InstanceCurrent) {
      const VariableId v(role.id);
      return pool.symbol(to_->of_instance(now.at(role.instance), copy ? copy->variables.at(v) : v));
    }
    if (role.kind == RoleKind::InstanceAt) {
      const LocationId l(role.id);
      return pool.symbol(to_->at_instance(now.at(role.instance), copy ? copy->locations.at(l) : l));
    }
    return {};
  });
  for (Expr e : universe.init) to_->universe(id).init.push_back(said(e));
  Property& property = to_->property(property_);
  property.universe = id;
  if (property.condition().valid()) property.set_condition(said(property.condition()));
}

}  // namespace

std::optional<Transformed> instances_separated(const std::shared_ptr<Network>& network,
                                               PropertyId property, RefineCounts& counts) {
  const Property& question = network->property(property);
  // Where every step counts, nothing of any instance can go.
  const auto* goal = std::get_if<StateGoal>(&question.goal);
  if (question.bound.min > 0 || goal == nullptr || goal->node.valid() || !goal->condition.valid())
    return std::nullopt;
  const std::vector<Group> groups = leaving(*network, question);
  if (groups.empty()) return std::nullopt;
  counts.separated += groups.size();
  return Separation(network, property).run(network, groups);
}

}  // namespace whittle::simplify
