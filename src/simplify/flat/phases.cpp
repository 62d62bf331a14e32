// SPDX-License-Identifier: Apache-2.0
#include "simplify/flat/phases.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "expr/traverse.h"

namespace whittle {

namespace {

constexpr std::size_t kMaxConditions = 3;
constexpr std::size_t kMaxTransitions = 500;

bool compares_numbers(const ExprPool& pool, Expr e) {
  if (pool.op(e) != Op::Lt && pool.op(e) != Op::Le) return false;
  const Type type = pool.type(pool.child(e, 0));
  return type == Type::integer() || type == Type::real();
}

}  // namespace

Phases::Phases(const TransitionSystem& original)
    : original_(original), pool_(*original.pool), system_(original) {
  find_conditions();
  for (const Expr condition : conditions_) add(condition);
}

// Those that one transition of a loop asks for and another one for the contrary.
void Phases::find_conditions() {
  std::unordered_set<SymbolId> state;
  std::unordered_set<std::uint32_t> locations;
  for (std::uint32_t v = 0; v < original_.variables.size(); ++v) {
    state.insert(original_.variables[v].current);
    if (original_.variables[v].is_location) locations.insert(v);
  }
  std::unordered_set<Expr> asked;
  std::vector<Expr> order;
  for (const Transition& t : original_.transitions) {
    const bool moves = std::any_of(t.updates.begin(), t.updates.end(),
                                   [&](const Update& u) { return locations.contains(u.variable); });
    if (moves || t.updates.empty()) continue;
    for (const Expr part : conjuncts(pool_, t.guard)) {
      if (!compares_numbers(pool_, part) || !asked.insert(part).second) continue;
      const std::vector<SymbolId> used = symbols(pool_, part);
      if (std::all_of(used.begin(), used.end(), [&](SymbolId s) { return state.contains(s); }))
        order.push_back(part);
    }
  }
  std::size_t transitions = original_.transitions.size();
  std::unordered_set<Expr> taken;
  for (const Expr e : order) {
    const Expr contrary = pool_.negate(e);
    if (!asked.contains(contrary) || taken.contains(contrary)) continue;
    transitions *= 2;
    if (conditions_.size() == kMaxConditions || transitions > kMaxTransitions) return;
    taken.insert(e);
    conditions_.push_back(e);
  }
}

void Phases::add(Expr condition) {
  const std::string name = fmt::format("phase {}", phases_.size() + 1);
  const Type type = pool_.enum_type("Phase", {"later", "now"});
  const StateVariable phase = {name, type, pool_.declare(name, type),
                               pool_.declare("next " + name, type), true};
  phases_.push_back(phase);
  const auto variable = static_cast<std::uint32_t>(system_.variables.size());
  system_.variables.push_back(phase);
  system_.alike.clear();
  const auto value = [&](bool now) {
    return pool_.constant(Value(EnumValue{now ? 1U : 0U}), type);
  };
  const Expr symbol = pool_.symbol(phase.current);
  // Said at every transition again: where a shape is widened, it would be forgotten.
  const Expr meant = pool_.ite(pool_.eq(symbol, value(true)), condition, pool_.negate(condition));
  system_.init = pool_.conj(system_.init, meant);
  std::vector<Transition> all;
  for (const Transition& t : system_.transitions) {
    Substitution after(pool_);
    for (const Update& update : t.updates)
      after.set(system_.variables[update.variable].current, update.value);
    for (const std::uint32_t v : t.open)
      after.set(system_.variables[v].current, pool_.symbol(system_.variables[v].next));
    const Expr then = after(condition);
    for (const bool now : {true, false}) {
      const Expr holds = now ? then : pool_.negate(then);
      if (pool_.is_false(holds)) continue;
      Transition step = t;
      step.guard = pool_.conj(t.guard, meant);
      if (t.open.empty()) {
        step.guard = pool_.conj(step.guard, holds);
      } else {
        step.relation = t.relation.valid() ? pool_.conj(t.relation, holds) : holds;
      }
      step.updates.push_back({variable, value(now)});
      all.push_back(std::move(step));
    }
  }
  system_.transitions = std::move(all);
}

Expr Phases::invariant(Expr invariant) const {
  std::unordered_map<Expr, Expr> meaning;
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    const Expr symbol = pool_.symbol(phases_[i].current);
    for (const bool now : {true, false}) {
      const Expr said =
          pool_.eq(symbol, pool_.constant(Value(EnumValue{now ? 1U : 0U}), phases_[i].type));
      meaning.emplace(said, now ? conditions_[i] : pool_.negate(conditions_[i]));
    }
  }
  Rewriter back(pool_, [&](Expr e, std::span<const Expr>) -> Expr {
    const auto it = meaning.find(e);
    return it == meaning.end() ? Expr() : it->second;
  });
  return back(invariant);
}

}  // namespace whittle
