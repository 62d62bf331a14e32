// SPDX-License-Identifier: Apache-2.0
// Transformations keep names, so elements are found again by them. Were one mistaken for another,
// the hint would be wrong, which costs an attempt to prove it.
#include "driver/hints.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "expr/traverse.h"

namespace whittle {

namespace {

class Words {
 public:
  Words(const Network& from, Network& to, UniverseId universe)
      : from_(from), to_(to), translation_(to.pool()) {
    for (InstanceId id : to.universe(universe).instances) {
      const Machine& machine = to.machine(to.instance(id).machine);
      const std::string& name = to.instance(id).name;
      for (VariableId v : machine.variables)
        if (v != machine.key) variables_[{name, to.variable(v).name}] = {id, v};
      for (LocationId l : machine.locations) locations_[{name, to.location(l).name}] = {id, l};
    }
  }

  // Empty: it speaks of something that is gone.
  std::optional<Expr> operator()(Expr hint) {
    for (SymbolId symbol : symbols(to_.pool(), hint)) {
      if (!known(symbol)) return std::nullopt;
    }
    return translation_(hint);
  }

 private:
  using Name = std::pair<std::string, std::string>;

  bool known(SymbolId symbol) {
    const Role role = from_.role(symbol);
    if (role.kind == RoleKind::InstanceCurrent) {
      const auto found = variables_.find(
          {from_.instance(role.instance).name, from_.variable(VariableId(role.id)).name});
      if (found == variables_.end()) return false;
      const auto [instance, variable] = found->second;
      translation_.set(symbol, to_.pool().symbol(to_.of_instance(instance, variable)));
      return true;
    }
    if (role.kind == RoleKind::InstanceAt) {
      const auto found = locations_.find(
          {from_.instance(role.instance).name, from_.location(LocationId(role.id)).name});
      if (found == locations_.end()) return false;
      const auto [instance, location] = found->second;
      translation_.set(symbol, to_.pool().symbol(to_.at_instance(instance, location)));
      return true;
    }
    return role.kind == RoleKind::Current && to_.role(symbol).kind == RoleKind::Current;
  }

  const Network& from_;
  Network& to_;
  Substitution translation_;
  std::map<Name, std::pair<InstanceId, VariableId>> variables_;
  std::map<Name, std::pair<InstanceId, LocationId>> locations_;
};

// `@Node -> a && b` part by part: slicing may have taken away what one of them speaks of.
void add_parts(ExprPool& pool, Expr condition, std::vector<Expr>& parts) {
  const bool at_node = pool.op(condition) == Op::Implies;
  for (Expr part : conjuncts(pool, at_node ? pool.child(condition, 1) : condition))
    parts.push_back(at_node ? pool.implies(pool.child(condition, 0), part) : part);
}

}  // namespace

std::vector<Expr> hints_for(const Network& network, UniverseId universe,
                            std::span<const Expr> believed, Network& left, UniverseId left_universe,
                            const Lowering& back) {
  ExprPool& pool = left.pool();
  std::vector<Expr> given;
  for (const Property& property : network.properties()) {
    if (property.kind == PropertyKind::Constraint && property.universe == universe)
      add_parts(pool, property.condition(), given);
  }
  for (const Expr condition : network.universe(universe).believed) given.push_back(condition);
  for (Expr condition : believed) {
    for (Expr part : conjuncts(pool, condition)) add_parts(pool, part, given);
  }
  if (given.empty()) return {};
  Words words(network, left, left_universe);
  std::vector<Expr> result;
  for (Expr hint : given) {
    if (const auto said = words(hint)) result.push_back(back.flat_condition(*said));
  }
  return result;
}

}  // namespace whittle
