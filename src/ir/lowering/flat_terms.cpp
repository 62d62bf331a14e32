// SPDX-License-Identifier: Apache-2.0
#include "ir/lowering/flat_terms.h"

#include <algorithm>
#include <unordered_set>

#include "base/error.h"

namespace whittle::lowering {

namespace {

// Names of the locations of a machine, made different where the model has one name twice.
std::vector<std::string> location_names(const Network& network, const Machine& machine) {
  std::vector<std::string> names;
  std::unordered_map<std::string, std::size_t> count;
  std::unordered_set<std::string> used;
  for (LocationId l : machine.locations) used.insert(network.location(l).name);
  for (LocationId l : machine.locations) {
    const std::string& name = network.location(l).name;
    std::size_t& n = count[name];
    std::string unique = name;
    while (n > 0 && !used.insert(unique = name + "#" + std::to_string(n + 1)).second) ++n;
    ++n;
    names.push_back(std::move(unique));
  }
  return names;
}

}  // namespace

FlatTerms::FlatTerms(Network& network, UniverseId universe)
    : network_(network),
      pool_(network.pool()),
      universe_(universe),
      layout_(network, universe),
      of_slot_(layout_.value_count(), kNoVariable),
      of_position_(layout_.instance_count(), kNoVariable),
      location_index_(network.locations().size()),
      location_types_(network.machines().size()),
      has_location_type_(network.machines().size()),
      totaliser_(pool_, [this](Expr e, std::span<const Expr> arguments) -> Expr {
        if (undefined_.contains(e)) {
          return pool_.constant(pool_.default_value(pool_.type(e)), pool_.type(e));
        }
        // The last of the cases needs no test: where none applies, nobody looks.
        if (pool_.op(e) == Op::Ite && undefined_.contains(pool_.child(e, 2))) return arguments[1];
        return {};
      }) {
  std::size_t slot = 0;
  for (VariableId v : network_.shared_variables()) {
    const Variable& variable = network_.variable(v);
    of_slot_[slot] = static_cast<std::uint32_t>(variables_.size());
    add_variable({variable.name, variable.type, variable.current, variable.next, false}, slot);
    ++slot;
  }
  for (std::size_t p = 0; p < layout_.instance_count(); ++p) {
    const InstanceId instance = layout_.instance(p);
    const Machine& machine = network_.machine(network_.instance(instance).machine);
    if (machine.locations.size() > 1) add_location_variable(p);
    for (VariableId v : machine.variables) {
      const std::size_t at = slot++;
      if (v == machine.key) continue;
      of_slot_[at] = static_cast<std::uint32_t>(variables_.size());
      StateVariable variable;
      variable.name = network_.instance(instance).name + "." + network_.variable(v).name;
      variable.type = network_.variable(v).type;
      variable.current = network_.of_instance(instance, v);
      variable.next = network_.next_of_instance(instance, v);
      add_variable(std::move(variable), at);
    }
  }
}

void FlatTerms::add_variable(StateVariable variable, std::size_t place) {
  const auto index = static_cast<std::uint32_t>(variables_.size());
  by_current_.emplace(variable.current, index);
  by_next_.emplace(variable.next, index);
  variables_.push_back(std::move(variable));
  places_.push_back(place);
}

void FlatTerms::add_location_variable(std::size_t position) {
  const InstanceId instance = layout_.instance(position);
  const MachineId id = network_.instance(instance).machine;
  const Machine& machine = network_.machine(id);
  if (!has_location_type_[id.index()]) {
    has_location_type_[id.index()] = true;
    location_types_[id.index()] =
        pool_.enum_type(machine.name + "@", location_names(network_, machine));
    for (std::size_t i = 0; i < machine.locations.size(); ++i) {
      location_index_[machine.locations[i].index()] = static_cast<std::uint32_t>(i);
    }
  }
  of_position_[position] = static_cast<std::uint32_t>(variables_.size());
  const Type type = location_types_[id.index()];
  StateVariable variable;
  variable.name = network_.instance(instance).name + "@";
  variable.type = type;
  variable.current = network_.location_of_instance(instance, type);
  variable.next = network_.next_location_of_instance(instance, type);
  variable.is_location = true;
  add_variable(std::move(variable), position);
}

std::uint32_t FlatTerms::variable_of_next(SymbolId symbol) const {
  auto it = by_next_.find(symbol);
  return it == by_next_.end() ? kNoVariable : it->second;
}

std::uint32_t FlatTerms::variable_of_current(SymbolId symbol) const {
  auto it = by_current_.find(symbol);
  return it == by_current_.end() ? kNoVariable : it->second;
}

// ----- locations

Expr FlatTerms::location_constant(std::size_t position, LocationId location) {
  const Type type = variables_[of_position_[position]].type;
  return pool_.constant(Value(EnumValue{location_index_[location.index()]}), type);
}

Expr FlatTerms::is_at(std::size_t position, LocationId location, bool next) {
  const std::uint32_t v = of_position_[position];
  if (v == kNoVariable) return pool_.boolean(true);
  const SymbolId symbol = next ? variables_[v].next : variables_[v].current;
  return pool_.eq(pool_.symbol(symbol), location_constant(position, location));
}

LocationId FlatTerms::location_at(std::size_t position, const Value& value) const {
  const InstanceId instance = layout_.instance(position);
  const Machine& machine = network_.machine(network_.instance(instance).machine);
  return machine.locations.at(value.as_enum().index);
}

// ----- terms

Expr FlatTerms::partial(Expr e, const Context& context) {
  Rewriter rewriter(pool_, [&](Expr original, std::span<const Expr> arguments) {
    if (pool_.op(original) != Op::Apply) return Expr();
    return meaning(original, arguments, context);
  });
  return rewriter(e);
}

Expr FlatTerms::meaning(Expr e, std::span<const Expr> arguments, const Context& context) {
  const SymbolId symbol = pool_.symbol_of(e);
  const Role role = network_.role(symbol);
  switch (role.kind) {
    case RoleKind::Current:
      return value(context.position, VariableId(role.id), false);
    case RoleKind::Next:
      return value(context.position, VariableId(role.id), true);
    case RoleKind::Input:
      for (std::size_t i = 0; i < context.parameters.size(); ++i) {
        if (context.parameters[i].symbol == symbol) return context.arguments[i];
      }
      throw InternalError("a parameter of another event: " + pool_.info(symbol).name);
    case RoleKind::At:
    case RoleKind::AtNext:
      WHITTLE_REQUIRE(context.position != kNobody, "only an instance is somewhere");
      return is_at(context.position, LocationId(role.id), role.kind == RoleKind::AtNext);
    case RoleKind::RemoteCurrent:
      return remote_value(VariableId(role.id), arguments, false);
    case RoleKind::RemoteNext:
      return remote_value(VariableId(role.id), arguments, true);
    case RoleKind::RemoteAt:
      return remote_at(LocationId(role.id), arguments, false);
    case RoleKind::RemoteAtNext:
      return remote_at(LocationId(role.id), arguments, true);
    case RoleKind::Known:
      return known(MachineId(role.id), arguments);
    case RoleKind::InstanceCurrent:
      return value(layout_.position(role.instance), VariableId(role.id), false);
    case RoleKind::InstanceAt:
      return is_at(layout_.position(role.instance), LocationId(role.id));
    case RoleKind::InstanceTaken:
    case RoleKind::Halt:  // who asks about steps knows which one leaves the state
    case RoleKind::None:
    case RoleKind::Bound:
      return {};
  }
  return {};
}

Expr FlatTerms::value(std::size_t position, VariableId variable, bool next) {
  const Variable& v = network_.variable(variable);
  if (v.machine.valid()) {
    WHITTLE_REQUIRE(position != kNobody, "whose " + v.name + "?");
    if (network_.machine(v.machine).key == variable) {
      return pool_.constant(network_.instance(layout_.instance(position)).key, v.type);
    }
  }
  const StateVariable& flat = variables_[of_slot_[layout_.slot_at(position, variable)]];
  return pool_.symbol(next ? flat.next : flat.current);
}

Expr FlatTerms::key_is(Expr key, std::size_t position) {
  return pool_.eq(
      key, pool_.constant(network_.instance(layout_.instance(position)).key, pool_.type(key)));
}

// The condition, and undefined where the key is.
Expr FlatTerms::keep_defined(Expr key, Expr condition) {
  return pool_.total(key) ? condition : pool_.conj(pool_.eq(key, key), condition);
}

Expr FlatTerms::remote_value(VariableId variable, std::span<const Expr> key, bool next) {
  const MachineId machine = network_.variable(variable).machine;
  const auto& instances = network_.instances_of(universe_, machine);
  const Type type = network_.variable(variable).type;
  if (key.empty()) {
    if (instances.empty()) return undefined(type);
    return value(layout_.position(instances.front()), variable, next);
  }
  if (pool_.is_const(key[0])) {
    const InstanceId found = network_.find_instance(universe_, machine, pool_.value(key[0]));
    return found.valid() ? value(layout_.position(found), variable, next) : undefined(type);
  }
  ++distinctions_;
  Expr result = undefined(type);
  for (auto it = instances.rbegin(); it != instances.rend(); ++it) {
    const std::size_t p = layout_.position(*it);
    result = pool_.ite(key_is(key[0], p), value(p, variable, next), result);
  }
  return result;
}

Expr FlatTerms::remote_at(LocationId location, std::span<const Expr> key, bool next) {
  const MachineId machine = network_.location(location).machine;
  const auto& instances = network_.instances_of(universe_, machine);
  if (key.empty()) {
    if (instances.empty()) return pool_.boolean(false);
    return is_at(layout_.position(instances.front()), location, next);
  }
  if (pool_.is_const(key[0])) {
    const InstanceId found = network_.find_instance(universe_, machine, pool_.value(key[0]));
    if (!found.valid()) return pool_.boolean(false);
    return is_at(layout_.position(found), location, next);
  }
  ++distinctions_;
  std::vector<Expr> cases;
  for (InstanceId instance : instances) {
    const std::size_t p = layout_.position(instance);
    cases.push_back(pool_.conj(key_is(key[0], p), is_at(p, location, next)));
  }
  return keep_defined(key[0], pool_.disj(cases));
}

Expr FlatTerms::known(MachineId machine, std::span<const Expr> key) {
  const auto& instances = network_.instances_of(universe_, machine);
  if (key.empty()) return pool_.boolean(!instances.empty());
  if (pool_.is_const(key[0])) {
    return pool_.boolean(network_.find_instance(universe_, machine, pool_.value(key[0])).valid());
  }
  ++distinctions_;
  std::vector<Expr> cases;
  cases.reserve(instances.size());
  for (InstanceId instance : instances) cases.push_back(key_is(key[0], layout_.position(instance)));
  return keep_defined(key[0], pool_.disj(cases));
}

// The element of an array without elements: a term that no builder folds away.
Expr FlatTerms::undefined(Type type) {
  auto [it, fresh] = undefined_of_.try_emplace(type.id());
  if (fresh) {
    const Type array = pool_.array_type(Type::integer(), type, 0);
    const Expr nothing = pool_.const_array(array, pool_.constant(pool_.default_value(type), type));
    it->second = pool_.select(nothing, pool_.integer(0));
    WHITTLE_REQUIRE(!pool_.total(it->second), "an undefined term is not total");
    undefined_.insert(it->second, 1);
  }
  return it->second;
}

Expr FlatTerms::holds(Expr partial) {
  if (pool_.total(partial)) return partial;
  return totaliser_(pool_.conj(definedness(pool_, partial), partial));
}

Expr FlatTerms::defined(Expr partial) {
  if (pool_.total(partial)) return pool_.boolean(true);
  return totaliser_(definedness(pool_, partial));
}

Expr FlatTerms::total(Expr partial) { return pool_.total(partial) ? partial : totaliser_(partial); }

bool FlatTerms::mentions_next(Expr flat) {
  std::vector<std::pair<Expr, std::uint32_t>> stack{{flat, 0}};
  while (!stack.empty()) {
    const Expr e = stack.back().first;
    auto children = pool_.children(e);
    std::uint32_t next = stack.back().second;
    while (next < children.size() && next_memo_.contains(children[next])) ++next;
    if (next < children.size()) {
      stack.back().second = next + 1;
      stack.emplace_back(children[next], 0);
      continue;
    }
    stack.pop_back();
    if (next_memo_.contains(e)) continue;
    bool mentions = pool_.is_variable(e) && by_next_.contains(pool_.symbol_of(e));
    for (Expr child : children) mentions = mentions || *next_memo_.find(child) != 0;
    next_memo_.insert(e, mentions ? 1 : 0);
  }
  return *next_memo_.find(flat) != 0;
}

}  // namespace whittle::lowering
