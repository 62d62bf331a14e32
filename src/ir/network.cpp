// SPDX-License-Identifier: Apache-2.0
// Building networks and the symbols that terms use to speak about them.
#include "ir/network.h"

#include "base/error.h"
#include "ir/ltl.h"

namespace whittle {

namespace {

std::uint64_t pair_key(UniverseId universe, MachineId machine) {
  return (static_cast<std::uint64_t>(universe.index()) << 32) | machine.index();
}

bool made_on_demand(RoleKind kind) {
  switch (kind) {
    case RoleKind::At:
    case RoleKind::AtNext:
    case RoleKind::RemoteCurrent:
    case RoleKind::RemoteNext:
    case RoleKind::RemoteAt:
    case RoleKind::RemoteAtNext:
    case RoleKind::Known:
    case RoleKind::InstanceCurrent:
    case RoleKind::InstanceAt:
    case RoleKind::InstanceTaken:
    case RoleKind::Halt:
      return true;
    case RoleKind::None:
    case RoleKind::Current:
    case RoleKind::Next:
    case RoleKind::Input:
    case RoleKind::Bound:
      return false;
  }
  return false;
}

}  // namespace

std::size_t Network::RoleHash::operator()(const Role& role) const noexcept {
  std::uint64_t h = (static_cast<std::uint64_t>(role.instance.index()) << 32) | role.id;
  h ^= static_cast<std::uint64_t>(role.kind) << 58;
  // The finaliser of splitmix64: the ids are dense, the table wants them spread.
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ULL;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebULL;
  return static_cast<std::size_t>(h ^ (h >> 31));
}

Network::Network(std::shared_ptr<ExprPool> pool)
    : pool_(std::move(pool)), ltl_(std::make_shared<LtlPool>()) {}

// ----- building

MachineId Network::add_machine(std::string machine_name, Span origin) {
  const MachineId id(machines_.size());
  Machine& machine = machines_.emplace_back();
  machine.name = std::move(machine_name);
  machine.origin = origin;
  return id;
}

VariableId Network::add_variable(std::string variable_name, Type type, MachineId owner,
                                 Span origin) {
  Variable variable;
  variable.type = type;
  variable.machine = owner;
  variable.current = pool_->declare(variable_name, type);
  variable.next = pool_->declare(variable_name + "'", type);
  variable.name = std::move(variable_name);
  variable.origin = origin;
  return add_variable(std::move(variable));
}

VariableId Network::add_variable(Variable variable) {
  WHITTLE_REQUIRE(variable.current.valid() && variable.next.valid(), "a variable has symbols");
  const VariableId id(variables_.size());
  if (variable.machine.valid()) {
    machine(variable.machine).variables.push_back(id);
  } else {
    shared_.push_back(id);
  }
  set_role(variable.current, {RoleKind::Current, id.index(), {}});
  set_role(variable.next, {RoleKind::Next, id.index(), {}});
  variables_.push_back(std::move(variable));
  return id;
}

LocationId Network::add_location(std::string location_name, MachineId machine_id, Span origin) {
  const LocationId id(locations_.size());
  Location& location = locations_.emplace_back();
  location.name = std::move(location_name);
  location.machine = machine_id;
  location.origin = origin;
  machine(machine_id).locations.push_back(id);
  return id;
}

EventId Network::add_event(std::string event_name, MachineId machine_id, Span origin) {
  const EventId id(events_.size());
  Event& event = events_.emplace_back();
  event.name = std::move(event_name);
  event.machine = machine_id;
  event.origin = origin;
  machine(machine_id).events.push_back(id);
  return id;
}

SymbolId Network::add_parameter(EventId event_id, std::string parameter_name, Type type,
                                Span origin) {
  const SymbolId symbol = pool_->declare(parameter_name, type);
  add_parameter(event_id, {std::move(parameter_name), type, symbol, origin});
  return symbol;
}

void Network::add_parameter(EventId event_id, Parameter parameter) {
  set_role(parameter.symbol, {RoleKind::Input, event_id.index(), {}});
  event(event_id).parameters.push_back(std::move(parameter));
}

UniverseId Network::add_universe(std::string description) {
  const UniverseId id(universes_.size());
  universes_.emplace_back().description = std::move(description);
  return id;
}

InstanceId Network::add_instance(UniverseId universe_id, MachineId machine_id, Value key,
                                 std::string instance_name) {
  const InstanceId id(instances_.size());
  Population& population = populations_[pair_key(universe_id, machine_id)];
  population.all.push_back(id);
  population.by_key.emplace(key, id);
  universe(universe_id).instances.push_back(id);
  instances_.push_back({std::move(instance_name), machine_id, universe_id, std::move(key)});
  return id;
}

MachineId Network::machine_of(const Property& property) const {
  if (const auto* start = std::get_if<StartGoal>(&property.goal)) return start->machine;
  if (const auto* arc = std::get_if<ArcGoal>(&property.goal)) return event(arc->event).machine;
  if (const auto* relation = std::get_if<RelationGoal>(&property.goal))
    return event(relation->event).machine;
  if (const auto* sinkhole = std::get_if<SinkholeGoal>(&property.goal))
    return location(sinkhole->location).machine;
  return {};
}

PropertyId Network::add_property(Property property) {
  const PropertyId id(properties_.size());
  properties_.push_back(std::move(property));
  return id;
}

void Network::set_role(SymbolId symbol, Role role) {
  WHITTLE_REQUIRE(symbol.valid(), "a role belongs to a symbol");
  if (roles_.size() <= symbol.index()) roles_.resize(symbol.index() + std::size_t{1});
  roles_[symbol.index()] = role;
}

void Network::adopt(SymbolId symbol, Role role) {
  set_role(symbol, role);
  if (made_on_demand(role.kind)) demanded_.emplace(role, symbol);
}

// ----- symbols made on demand

SymbolId Network::on_demand(Role role, std::string symbol_name, Type type,
                            std::vector<Type> params) {
  const SymbolId symbol = pool_->declare(std::move(symbol_name), type, std::move(params));
  demanded_.emplace(role, symbol);
  set_role(symbol, role);
  return symbol;
}

std::vector<Type> Network::key_types(MachineId machine_id) const {
  const VariableId key = machine(machine_id).key;
  if (!key.valid()) return {};
  return {variable(key).type};
}

SymbolId Network::at(LocationId id) {
  const Role role{RoleKind::At, id.index(), {}};
  if (auto it = demanded_.find(role); it != demanded_.end()) return it->second;
  return on_demand(role, "@" + location(id).name, Type::boolean(), {});
}

SymbolId Network::at_next(LocationId id) {
  const Role role{RoleKind::AtNext, id.index(), {}};
  if (auto it = demanded_.find(role); it != demanded_.end()) return it->second;
  return on_demand(role, "@" + location(id).name + "'", Type::boolean(), {});
}

SymbolId Network::remote(VariableId id) {
  const Role role{RoleKind::RemoteCurrent, id.index(), {}};
  if (auto it = demanded_.find(role); it != demanded_.end()) return it->second;
  const Variable& v = variable(id);
  WHITTLE_REQUIRE(v.machine.valid(), "a shared variable is not remote");
  return on_demand(role, machine(v.machine).name + "." + v.name, v.type, key_types(v.machine));
}

SymbolId Network::remote_next(VariableId id) {
  const Role role{RoleKind::RemoteNext, id.index(), {}};
  if (auto it = demanded_.find(role); it != demanded_.end()) return it->second;
  const Variable& v = variable(id);
  WHITTLE_REQUIRE(v.machine.valid(), "a shared variable is not remote");
  return on_demand(role, machine(v.machine).name + "." + v.name + "'", v.type,
                   key_types(v.machine));
}

SymbolId Network::remote_at(LocationId id) {
  const Role role{RoleKind::RemoteAt, id.index(), {}};
  if (auto it = demanded_.find(role); it != demanded_.end()) return it->second;
  const Location& l = location(id);
  return on_demand(role, machine(l.machine).name + "@" + l.name, Type::boolean(),
                   key_types(l.machine));
}

SymbolId Network::remote_at_next(LocationId id) {
  const Role role{RoleKind::RemoteAtNext, id.index(), {}};
  if (auto it = demanded_.find(role); it != demanded_.end()) return it->second;
  const Location& l = location(id);
  return on_demand(role, machine(l.machine).name + "@" + l.name + "'", Type::boolean(),
                   key_types(l.machine));
}

SymbolId Network::known(MachineId id) {
  const Role role{RoleKind::Known, id.index(), {}};
  if (auto it = demanded_.find(role); it != demanded_.end()) return it->second;
  return on_demand(role, "known " + machine(id).name, Type::boolean(), key_types(id));
}

SymbolId Network::of_instance(InstanceId instance_id, VariableId id) {
  const Role role{RoleKind::InstanceCurrent, id.index(), instance_id};
  if (auto it = demanded_.find(role); it != demanded_.end()) return it->second;
  const Variable& v = variable(id);
  WHITTLE_REQUIRE(v.machine == instance(instance_id).machine, "a variable of that instance");
  return on_demand(role, instance(instance_id).name + "." + v.name, v.type, {});
}

SymbolId Network::at_instance(InstanceId instance_id, LocationId id) {
  const Role role{RoleKind::InstanceAt, id.index(), instance_id};
  if (auto it = demanded_.find(role); it != demanded_.end()) return it->second;
  const Location& l = location(id);
  WHITTLE_REQUIRE(l.machine == instance(instance_id).machine, "a location of that instance");
  return on_demand(role, instance(instance_id).name + "@" + l.name, Type::boolean(), {});
}

SymbolId Network::taken_by(InstanceId instance_id, EventId id) {
  const Role role{RoleKind::InstanceTaken, id.index(), instance_id};
  if (auto it = demanded_.find(role); it != demanded_.end()) return it->second;
  WHITTLE_REQUIRE(event(id).machine == instance(instance_id).machine, "an event of that instance");
  return on_demand(role, "taken " + instance(instance_id).name + "." + event(id).name,
                   Type::boolean(), {});
}

SymbolId Network::halt() {
  const Role role{RoleKind::Halt, 0, {}};
  if (auto it = demanded_.find(role); it != demanded_.end()) return it->second;
  return on_demand(role, "halt", Type::boolean(), {});
}

// Roles that no term of a network has: the kinds Next and None with an instance.
SymbolId Network::next_of_instance(InstanceId instance_id, VariableId id) {
  const Role role{RoleKind::Next, id.index(), instance_id};
  if (auto it = demanded_.find(role); it != demanded_.end()) return it->second;
  const Variable& v = variable(id);
  WHITTLE_REQUIRE(v.machine == instance(instance_id).machine, "a variable of that instance");
  return on_demand(role, instance(instance_id).name + "." + v.name + "'", v.type, {});
}

SymbolId Network::location_of_instance(InstanceId instance_id, Type type) {
  const Role role{RoleKind::None, 0, instance_id};
  auto it = demanded_.find(role);
  if (it != demanded_.end() && pool_->info(it->second).type == type) return it->second;
  if (it != demanded_.end()) demanded_.erase(it);
  return on_demand(role, instance(instance_id).name + "@", type, {});
}

SymbolId Network::next_location_of_instance(InstanceId instance_id, Type type) {
  const Role role{RoleKind::None, 1, instance_id};
  auto it = demanded_.find(role);
  if (it != demanded_.end() && pool_->info(it->second).type == type) return it->second;
  if (it != demanded_.end()) demanded_.erase(it);
  return on_demand(role, instance(instance_id).name + "@'", type, {});
}

// ----- looking

Role Network::role(SymbolId symbol) const {
  return symbol.index() < roles_.size() ? roles_[symbol.index()] : Role{};
}

const Network::Population* Network::population(UniverseId universe_id, MachineId machine_id) const {
  auto it = populations_.find(pair_key(universe_id, machine_id));
  return it == populations_.end() ? nullptr : &it->second;
}

InstanceId Network::find_instance(UniverseId universe_id, MachineId machine_id,
                                  const Value& key) const {
  const Population* found = population(universe_id, machine_id);
  if (found == nullptr) return {};
  if (!machine(machine_id).key.valid()) return found->all.front();
  auto it = found->by_key.find(key);
  return it == found->by_key.end() ? InstanceId{} : it->second;
}

const std::vector<InstanceId>& Network::instances_of(UniverseId universe_id,
                                                     MachineId machine_id) const {
  static const std::vector<InstanceId> none;
  const Population* found = population(universe_id, machine_id);
  return found == nullptr ? none : found->all;
}

}  // namespace whittle
