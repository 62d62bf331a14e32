// SPDX-License-Identifier: Apache-2.0
// All instances of a machine have the same locations, events and starts. What can tell two of them
// apart is their key, and what the universe or the question say about them by name. So let s be the
// exchange of two instances, together with the exchange of their keys a and b wherever a value can
// be a key of the machine. It maps runs to runs if
//
//   - such values are only copied, compared for equality, and used to refer to instances of this
//     machine: every other operator (order, arithmetic, sets) may see which key is which;
//   - neither a nor b is written in the model or the question;
//   - the first state and the question say the same about both.
//
// Where values can be keys is a matter of equations between terms: what is assigned, passed,
// compared or chosen between is of one class. The walk is linear in the model, apart from the
// classes' near-constant look-ups (Tarjan 1975).
#include "ir/lowering/symmetric_instances.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "expr/traverse.h"

namespace whittle {

namespace {

class KeyClasses {
 public:
  KeyClasses(const Network& network, const Property& property)
      : network_(network), pool_(network.pool()), of_variable_(network.variables().size()) {
    for (std::uint32_t& node : of_variable_) node = add_node();
    visit_model();
    for (Expr condition : network.universe(property.universe).init) visit(condition);
    if (property.condition().valid()) visit(property.condition());
    close();
  }

  // Can this key be exchanged with others of the machine?
  [[nodiscard]] bool exchangeable(MachineId machine, const Value& key) {
    const std::uint32_t all = root(of_variable_[network_.machine(machine).key.index()]);
    return !seen_through_.contains(all) && !written_[all].contains(key);
  }

 private:
  std::uint32_t add_node() {
    parent_.push_back(static_cast<std::uint32_t>(parent_.size()));
    return parent_.back();
  }
  std::uint32_t root(std::uint32_t node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }
  void join(std::uint32_t a, std::uint32_t b) { parent_[root(a)] = root(b); }
  void join(Expr a, Expr b) { join(node_of(a), node_of(b)); }

  // One node per variable (before, after, whoever's), per other symbol, per other term.
  std::uint32_t node_of(Expr e) {
    if (pool_.op(e) == Op::Apply) {
      const Role role = network_.role(pool_.symbol_of(e));
      switch (role.kind) {
        case RoleKind::Current:
        case RoleKind::Next:
        case RoleKind::RemoteCurrent:
        case RoleKind::RemoteNext:
        case RoleKind::InstanceCurrent:
          return of_variable_[role.id];
        default:
          break;
      }
    }
    if (const std::uint32_t* known = of_term_.find(e)) return *known;
    const std::uint32_t node = add_node();
    of_term_.insert(e, node);
    return node;
  }

  void visit_model() {
    for (std::uint32_t v = 0; v < network_.variables().size(); ++v) {
      const Expr initial = network_.variables()[v].initial;
      if (!initial.valid()) continue;
      visit(initial);
      join(of_variable_[v], node_of(initial));
    }
    for (const Machine& machine : network_.machines()) {
      for (const Start& start : machine.starts) {
        if (start.condition.valid()) visit(start.condition);
      }
    }
    for (const Event& event : network_.events()) visit_event(event);
  }

  void visit_event(const Event& event) {
    for (const Guard& guard : event.guards) visit(guard.condition);
    for (const Effect& effect : event.effects) {
      if (!effect.expr.valid()) continue;
      visit(effect.expr);
      if (effect.kind == EffectKind::Assign) {
        join(of_variable_[effect.writes[0].index()], node_of(effect.expr));
      }
    }
    for (const Sync& sync : event.syncs) {
      if (sync.key.valid()) refer(sync.machine, sync.key);
      const std::vector<Parameter>& parameters = network_.event(sync.event).parameters;
      for (std::size_t i = 0; i < sync.arguments.size(); ++i) {
        visit(sync.arguments[i]);
        join(node_of(pool_.symbol(parameters[i].symbol)), node_of(sync.arguments[i]));
      }
    }
  }

  void refer(MachineId machine, Expr key) {
    visit(key);
    join(of_variable_[network_.machine(machine).key.index()], node_of(key));
  }

  void visit(Expr root) {
    stack_.push_back(root);
    while (!stack_.empty()) {
      const Expr e = stack_.back();
      stack_.pop_back();
      if (!visited_.insert(e, true)) continue;
      for (Expr child : pool_.children(e)) stack_.push_back(child);
      relate(e);
    }
  }

  void relate(Expr e) {
    switch (pool_.op(e)) {
      case Op::Const:
        constants_.push_back(e);
        return;
      case Op::Eq:
        join(pool_.child(e, 0), pool_.child(e, 1));
        return;
      case Op::Ite:
        join(e, pool_.child(e, 1));
        join(e, pool_.child(e, 2));
        return;
      case Op::Apply:
        if (!pool_.children(e).empty()) apply(e);
        return;
      default:
        sees(e);
        for (Expr child : pool_.children(e)) sees(child);
    }
  }

  void apply(Expr e) {
    const Role role = network_.role(pool_.symbol_of(e));
    MachineId machine;
    switch (role.kind) {
      case RoleKind::RemoteCurrent:
      case RoleKind::RemoteNext:
        machine = network_.variable(VariableId(role.id)).machine;
        break;
      case RoleKind::RemoteAt:
      case RoleKind::RemoteAtNext:
        machine = network_.location(LocationId(role.id)).machine;
        break;
      case RoleKind::Known:
        machine = MachineId(role.id);
        break;
      default:
        for (Expr child : pool_.children(e)) sees(child);
        return;
    }
    join(of_variable_[network_.machine(machine).key.index()], node_of(pool_.child(e, 0)));
  }

  // An operator looks at the value itself.
  void sees(Expr e) { looked_at_.push_back(node_of(e)); }

  void close() {
    for (std::uint32_t node : looked_at_) seen_through_.insert(root(node));
    for (Expr constant : constants_)
      written_[root(node_of(constant))].insert(pool_.value(constant));
    // One value may be the key of an instance of each.
    std::set<std::uint32_t> keys;
    for (const Machine& machine : network_.machines()) {
      if (!machine.key.valid()) continue;
      const std::uint32_t all = root(of_variable_[machine.key.index()]);
      if (!keys.insert(all).second) seen_through_.insert(all);
    }
  }

  const Network& network_;
  ExprPool& pool_;
  std::vector<std::uint32_t> parent_;  // by node
  std::vector<std::uint32_t> of_variable_;
  ExprMap<std::uint32_t> of_term_;
  ExprMap<bool> visited_;
  std::vector<Expr> stack_;
  std::vector<Expr> constants_;
  std::vector<std::uint32_t> looked_at_;
  std::set<std::uint32_t> seen_through_;              // classes
  std::map<std::uint32_t, std::set<Value>> written_;  // by class
};

// What the universe and the question say about each instance of one machine, as if about the first
// of them. A conjunct that names one instance says something about it; one that names several tells
// them apart from all others.
class InstanceConstraints {
 public:
  InstanceConstraints(Network& network, const Property& property, MachineId machine)
      : network_(network), pool_(network.pool()), machine_(machine) {
    first_ = network.instances_of(property.universe, machine).front();
    for (Expr condition : network.universe(property.universe).init) {
      for (Expr part : conjuncts(pool_, condition)) add(part, Source::Universe);
    }
    if (!property.condition().valid()) return;
    for (Expr part : conjuncts(pool_, property.condition())) add(part, Source::Question);
  }

  enum class Source : std::uint8_t { Universe, Question };
  using Constraints = std::set<std::pair<Source, std::uint32_t>>;  // terms

  // Empty: it is told apart from all others.
  [[nodiscard]] std::optional<Constraints> about(InstanceId instance) const {
    if (special_.contains(instance)) return std::nullopt;
    auto it = by_instance_.find(instance);
    return it == by_instance_.end() ? Constraints() : it->second;
  }

 private:
  void add(Expr part, Source source) {
    std::set<InstanceId> named;
    for (SymbolId symbol : symbols(pool_, part)) {
      const Role role = network_.role(symbol);
      const bool names =
          role.kind == RoleKind::InstanceCurrent || role.kind == RoleKind::InstanceAt;
      if (names && network_.instance(role.instance).machine == machine_) {
        named.insert(role.instance);
      }
    }
    if (named.empty()) return;
    if (named.size() > 1) {
      special_.insert(named.begin(), named.end());
      return;
    }
    Rewriter as_first(pool_, [&](Expr e, std::span<const Expr>) {
      if (pool_.op(e) != Op::Apply) return Expr();
      const Role role = network_.role(pool_.symbol_of(e));
      if (role.instance != *named.begin()) return Expr();
      if (role.kind == RoleKind::InstanceCurrent)
        return pool_.symbol(network_.of_instance(first_, VariableId(role.id)));
      if (role.kind == RoleKind::InstanceAt)
        return pool_.symbol(network_.at_instance(first_, LocationId(role.id)));
      return Expr();
    });
    by_instance_[*named.begin()].emplace(source, as_first(part).id());
  }

  Network& network_;
  ExprPool& pool_;
  MachineId machine_;
  InstanceId first_;
  std::set<InstanceId> special_;
  std::map<InstanceId, Constraints> by_instance_;
};

}  // namespace

std::vector<std::vector<InstanceId>> symmetry_classes(Network& network, PropertyId id) {
  std::vector<std::vector<InstanceId>> result;
  const Property property = network.property(id);
  // It is about the first instance.
  if (std::holds_alternative<StartGoal>(property.goal)) return result;
  std::optional<KeyClasses> classes;  // made when needed
  for (std::uint32_t m = 0; m < network.machines().size(); ++m) {
    const MachineId machine(m);
    const std::vector<InstanceId> instances = network.instances_of(property.universe, machine);
    if (instances.size() < 2 || !network.machine(machine).key.valid()) continue;
    if (!classes) classes.emplace(network, property);
    InstanceConstraints constraints(network, property, machine);
    std::map<InstanceConstraints::Constraints, std::vector<InstanceId>> groups;
    for (InstanceId instance : instances) {
      if (!classes->exchangeable(machine, network.instance(instance).key)) continue;
      if (auto own = constraints.about(instance)) groups[*own].push_back(instance);
    }
    for (auto& [same, members] : groups) {
      if (members.size() > 1) result.push_back(std::move(members));
    }
  }
  return result;
}

}  // namespace whittle
