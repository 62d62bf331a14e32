// SPDX-License-Identifier: Apache-2.0
// First every variable with a known first value is taken for constant; one that some effect may
// give another value is not, and then neither is a variable that is computed from it. What is left
// when nothing changes any more is constant (the greatest solution, so that variables that only
// depend on each other are found).
#include "simplify/network/constant_variables.h"

#include <set>
#include <unordered_map>

#include "expr/evaluate.h"
#include "expr/traverse.h"
#include "simplify/network/carry_over.h"

namespace whittle::simplify {

namespace {

using Constants = std::vector<std::optional<Value>>;  // by variable

class Search {
 public:
  Search(const Network& network, UniverseId universe)
      : network_(network),
        pool_(network.pool()),
        universe_(universe),
        constants_(network.variables().size()),
        evaluate_(pool_) {}

  Constants run() {
    first_values();
    look_at_effects();
    return std::move(constants_);
  }

 private:
  // The variable and the value in `x == 5`, `x` and `!x`.
  struct Equation {
    Role role;
    Value value;
  };
  [[nodiscard]] std::optional<Equation> equation(Expr e) const {
    auto of = [&](Expr term, Value value) -> std::optional<Equation> {
      if (!pool_.is_variable(term)) return std::nullopt;
      return Equation{network_.role(pool_.symbol_of(term)), std::move(value)};
    };
    if (pool_.op(e) == Op::Eq) {
      Expr a = pool_.child(e, 0);
      Expr b = pool_.child(e, 1);
      if (pool_.is_const(a)) std::swap(a, b);
      if (!pool_.is_const(b)) return std::nullopt;
      return of(a, pool_.value(b));
    }
    if (pool_.op(e) == Op::Not) return of(pool_.child(e, 0), Value(false));
    return of(e, Value(true));
  }

  void first_values() {
    for (std::uint32_t v = 0; v < constants_.size(); ++v) {
      const Expr initial = network_.variables()[v].initial;
      if (!initial.valid()) continue;
      auto value = evaluate_(initial, nothing);
      if (value) constants_[v] = *value;
    }
    // Every start of a machine has to say the same of a variable.
    for (std::uint32_t m = 0; m < network_.machines().size(); ++m) {
      const Machine& machine = network_.machines()[m];
      Agreement agreed;
      for (std::uint32_t s = 0; s < machine.starts.size(); ++s) {
        if (!machine.starts[s].condition.valid()) continue;
        for (Expr part : conjuncts(pool_, machine.starts[s].condition)) {
          const auto found = equation(part);
          if (found && found->role.kind == RoleKind::Current &&
              network_.variables()[found->role.id].machine == MachineId(m))
            agreed.add(*found, s);
        }
      }
      take(agreed, [&](std::uint32_t) { return machine.starts.size(); });
    }
    // Or the universe says it of every instance.
    Agreement agreed;
    for (Expr condition : network_.universe(universe_).init)
      for (Expr part : conjuncts(pool_, condition)) {
        const auto found = equation(part);
        if (!found) continue;
        if (found->role.kind == RoleKind::InstanceCurrent)
          agreed.add(*found, found->role.instance.index());
        else if (found->role.kind == RoleKind::Current)
          agreed.add(*found, 0);
      }
    take(agreed, [&](std::uint32_t v) {
      const MachineId machine = network_.variables()[v].machine;
      return machine.valid() ? network_.instances_of(universe_, machine).size() : 1;
    });
    for (const Machine& machine : network_.machines())
      if (machine.key.valid()) constants_[machine.key.index()].reset();
  }

  // Who gives a variable which value; only a value that all give counts.
  struct Agreement {
    struct Entry {
      Value value;
      std::set<std::uint32_t> by;
      bool differ = false;
    };
    std::unordered_map<std::uint32_t, Entry> entries;  // by variable

    void add(const Equation& e, std::uint32_t by) {
      auto [place, fresh] = entries.try_emplace(e.role.id, Entry{e.value, {}, false});
      if (place->second.value == e.value)
        place->second.by.insert(by);
      else
        place->second.differ = true;
    }
  };
  template <class Needed>
  void take(const Agreement& agreed, Needed&& needed) {
    for (const auto& [v, entry] : agreed.entries)
      if (!constants_[v] && !entry.differ && entry.by.size() == needed(v))
        constants_[v] = entry.value;
  }

  void look_at_effects() {
    struct Definition {
      VariableId target;
      Expr expr;
    };
    std::vector<Definition> definitions;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> read_by;  // by variable
    std::vector<std::uint32_t> open;
    for (const Event& event : network_.events()) {
      for (const Effect& effect : event.effects) {
        if (effect.kind != EffectKind::Assign) {
          for (VariableId v : effect.writes) drop(v);
          continue;
        }
        if (!constants_[effect.writes[0].index()]) continue;
        const auto index = static_cast<std::uint32_t>(definitions.size());
        definitions.push_back({effect.writes[0], effect.expr});
        open.push_back(index);
        for (SymbolId s : symbols(pool_, effect.expr)) {
          const Role role = network_.role(s);
          if (role.kind == RoleKind::Current) read_by[role.id].push_back(index);
        }
      }
    }
    // A drop above may come after its reader; every definition is looked at below in any case.
    dropped_.clear();
    const Evaluator::Lookup known = [&](SymbolId s, std::span<const Value>) {
      const Role role = network_.role(s);
      return role.kind == RoleKind::Current ? constants_[role.id] : std::optional<Value>();
    };
    while (!open.empty()) {
      const Definition& d = definitions[open.back()];
      open.pop_back();
      const auto& constant = constants_[d.target.index()];
      if (!constant) continue;
      auto value = evaluate_(d.expr, known);
      if (value && *value == *constant) continue;
      drop(d.target);
      for (VariableId gone : dropped_)
        if (auto readers = read_by.find(gone.index()); readers != read_by.end())
          open.insert(open.end(), readers->second.begin(), readers->second.end());
      dropped_.clear();
    }
  }

  void drop(VariableId v) {
    if (!constants_[v.index()]) return;
    constants_[v.index()].reset();
    dropped_.push_back(v);
  }

  static std::optional<Value> nothing(SymbolId, std::span<const Value>) { return std::nullopt; }

  const Network& network_;
  const ExprPool& pool_;
  UniverseId universe_;
  Constants constants_;
  std::vector<VariableId> dropped_;
  Evaluator evaluate_;
};

class ConstantsBackTranslation final : public BackTranslation {
 public:
  ConstantsBackTranslation(std::shared_ptr<Network> original, std::shared_ptr<Network> result,
                           UniverseId universe, Constants constants)
      : original_(std::move(original)),
        result_(std::move(result)),
        universe_(universe),
        constants_(std::move(constants)) {}

  Expected<Trace, std::string> trace(const Trace& trace) const override { return trace; }

  // The invariant may rest on the constants: they are part of it.
  Expr invariant(Expr invariant) const override {
    ExprPool& pool = original_->pool();
    std::vector<Expr> parts{translated(*result_, *original_, invariant)};
    for (std::uint32_t v = 0; v < constants_.size(); ++v) {
      if (!constants_[v]) continue;
      const Variable& variable = original_->variables()[v];
      const Expr value = pool.constant(*constants_[v], variable.type);
      if (!variable.machine.valid()) {
        parts.push_back(pool.eq(pool.symbol(variable.current), value));
        continue;
      }
      for (InstanceId i : original_->instances_of(universe_, variable.machine))
        parts.push_back(pool.eq(pool.symbol(original_->of_instance(i, VariableId(v))), value));
    }
    return pool.conj(parts);
  }

 private:
  std::shared_ptr<Network> original_, result_;
  UniverseId universe_;
  Constants constants_;
};

}  // namespace

std::optional<Transformed> constants_propagated(const std::shared_ptr<Network>& network,
                                                PropertyId property, RefineCounts& counts) {
  const UniverseId universe = network->property(property).universe;
  Constants constants = Search(*network, universe).run();
  ExprPool& pool = network->pool();
  std::vector<char> replaced(constants.size(), 0);
  auto value_of = [&](std::uint32_t v) {
    if (!constants[v]) return Expr();
    replaced[v] = 1;
    return pool.constant(*constants[v], network->variables()[v].type);
  };
  Rewriter rewrite(pool, [&](Expr e, std::span<const Expr>) -> Expr {
    if (pool.op(e) != Op::Apply) return Expr();
    const Role role = network->role(pool.symbol_of(e));
    switch (role.kind) {
      case RoleKind::Current:
      case RoleKind::Next:
      case RoleKind::InstanceCurrent:
        return value_of(role.id);
      case RoleKind::RemoteCurrent:
      case RoleKind::RemoteNext: {
        // Undefined where the instance is absent; only what certainly exists has a value.
        const MachineId machine = network->variables()[role.id].machine;
        const bool exists = machine.valid() && !network->machine(machine).key.valid() &&
                            !network->instances_of(universe, machine).empty();
        return exists ? value_of(role.id) : Expr();
      }
      default:
        return Expr();
    }
  });
  bool changed = false;
  auto changes = [&](Expr e) {
    if (e.valid() && rewrite(e) != e) changed = true;
  };
  for (const Event& event : network->events()) {
    for (const Guard& g : event.guards) changes(g.condition);
    for (const Effect& f : event.effects) {
      // An effect on a constant is no use of it.
      if (f.kind == EffectKind::Assign && constants[f.writes[0].index()]) continue;
      changes(f.expr);
    }
    for (const Sync& s : event.syncs) {
      changes(s.key);
      for (Expr argument : s.arguments) changes(argument);
    }
  }
  changes(network->property(property).condition());
  if (!changed) return std::nullopt;
  for (char r : replaced) counts.constants += r != 0 ? 1U : 0U;

  auto result = std::make_shared<Network>(*network);
  for (std::uint32_t e = 0; e < result->events().size(); ++e) {
    Event& event = result->event(EventId(e));
    std::vector<Guard> guards;
    bool never = false;
    for (const Guard& g : event.guards) {
      const Expr condition = rewrite(g.condition);
      if (pool.is_false(condition)) never = true;
      if (pool.is_true(condition))
        ++counts.guards;
      else
        guards.push_back({condition, g.origin, g.of_effect});
    }
    event.guards = std::move(guards);
    if (never && !event.arcs.empty()) {
      forbid(event);
      ++counts.impossible;
    }
    for (Effect& f : event.effects)
      if (f.expr.valid()) f.expr = rewrite(f.expr);
    for (Sync& s : event.syncs) {
      if (s.key.valid()) s.key = rewrite(s.key);
      for (Expr& argument : s.arguments) argument = rewrite(argument);
    }
  }
  Property& asked = result->property(property);
  if (asked.condition().valid()) asked.set_condition(rewrite(asked.condition()));
  auto back =
      std::make_shared<ConstantsBackTranslation>(network, result, universe, std::move(constants));
  return Transformed{std::move(result), property, std::move(back)};
}

}  // namespace whittle::simplify
