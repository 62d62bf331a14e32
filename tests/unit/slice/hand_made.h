// SPDX-License-Identifier: Apache-2.0
// Networks of a few lines for tests of single dependences.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ir/network.h"
#include "ir/run/explicit_search.h"

namespace whittle::slice {

// One universe; machines without a key have one instance, those with a key as many as are asked
// for, with the keys 1, 2, ...
class HandMade {
 public:
  HandMade() : network(std::make_shared<Network>(std::make_shared<ExprPool>())) {
    universe = network->add_universe("by hand");
  }

  ExprPool& pool() const { return network->pool(); }

  MachineId machine(const std::string& name, const std::vector<std::string>& locations) {
    const MachineId m = network->add_machine(name, {});
    for (const std::string& l : locations) network->add_location(l, m, {});
    network->machine(m).starts.push_back({"start", at(m, locations[0]), pool().boolean(true), {}});
    network->add_instance(universe, m, Value(), name);
    return m;
  }
  // With a key; its instances have the keys 1 .. count.
  MachineId machines(const std::string& name, const std::vector<std::string>& locations,
                     int count) {
    const MachineId m = network->add_machine(name, {});
    network->machine(m).key = network->add_variable("id", Type::integer(), m, {});
    for (const std::string& l : locations) network->add_location(l, m, {});
    network->machine(m).starts.push_back({"start", at(m, locations[0]), pool().boolean(true), {}});
    for (int i = 1; i <= count; ++i)
      network->add_instance(universe, m, Value(i), name + "[" + std::to_string(i) + "]");
    return m;
  }
  [[nodiscard]] LocationId at(MachineId m, const std::string& name) const {
    for (LocationId l : network->machine(m).locations)
      if (network->location(l).name == name) return l;
    return {};
  }
  [[nodiscard]] InstanceId instance(MachineId m, std::size_t i = 0) const {
    return network->instances_of(universe, m).at(i);
  }

  // An invalid machine: shared.
  VariableId variable(MachineId m, const std::string& name, int first = 0) {
    const VariableId v = network->add_variable(name, Type::integer(), m, {});
    network->variable(v).initial = pool().integer(first);
    return v;
  }
  [[nodiscard]] Expr now(VariableId v) const { return pool().symbol(network->variable(v).current); }
  [[nodiscard]] Expr next(VariableId v) const { return pool().symbol(network->variable(v).next); }
  [[nodiscard]] Expr number(int n) const { return pool().integer(n); }

  EventId event(MachineId m, const std::string& name, const std::string& from,
                const std::string& to) {
    const EventId e = network->add_event(name, m, {});
    arc(e, from, to);
    return e;
  }
  void arc(EventId e, const std::string& from, const std::string& to) {
    const MachineId m = network->event(e).machine;
    network->event(e).arcs.push_back({at(m, from), at(m, to), {}});
  }
  Expr input(EventId e, const std::string& name) {
    return pool().symbol(network->add_parameter(e, name, Type::integer(), {}));
  }
  void when(EventId e, Expr condition) { network->event(e).guards.push_back({condition, {}}); }
  void set(EventId e, VariableId v, Expr value) {
    network->event(e).effects.push_back({EffectKind::Assign, {v}, value, {}});
  }
  void relate(EventId e, std::vector<VariableId> writes, Expr relation) {
    network->event(e).effects.push_back({EffectKind::Relation, std::move(writes), relation, {}});
  }
  void call(EventId caller, EventId called, std::vector<Expr> arguments = {}, Expr key = Expr(),
            bool negated = false) {
    network->event(caller).syncs.push_back(
        {network->event(called).machine, key, called, std::move(arguments), negated, {}});
  }

  [[nodiscard]] Expr is_at(MachineId m, const std::string& location, std::size_t i = 0) const {
    return pool().symbol(network->at_instance(instance(m, i), at(m, location)));
  }
  [[nodiscard]] Expr final(MachineId m, VariableId v, std::size_t i = 0) const {
    return pool().symbol(network->of_instance(instance(m, i), v));
  }
  PropertyId reach(Expr condition, std::uint64_t within = 20) {
    Property p;
    p.name = "goal";
    p.set_condition(condition);
    p.bound.max = within;
    p.universe = universe;
    return network->add_property(std::move(p));
  }

  std::shared_ptr<Network> network;
  UniverseId universe;
};

// Steps to the goal of the property by explicit search with parameters 0 .. 3; -1: none.
inline int least_depth(const Network& network, PropertyId id) {
  const Property& property = network.property(id);
  SearchOptions options;
  options.candidates = [](Type, SymbolId) -> std::optional<std::vector<Value>> {
    return std::vector<Value>{Value(0), Value(1), Value(2), Value(3)};
  };
  const SearchResult r =
      explicit_search(network, property.universe, property.condition(), property.bound, options);
  return r.trace ? static_cast<int>(r.trace->length()) : -1;
}

}  // namespace whittle::slice
