// SPDX-License-Identifier: Apache-2.0
#include "frontend/sts/effects.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "expr/traverse.h"

namespace whittle::sts {

namespace {

// The variables whose next value a term speaks of, each once.
std::vector<VariableId> next_variables(const Network& network, Expr e) {
  std::vector<VariableId> result;
  for (const SymbolId symbol : symbols(network.pool(), e)) {
    const Role role = network.role(symbol);
    if (role.kind == RoleKind::Next) result.emplace_back(role.id);
  }
  return result;
}

bool is_next(const Network& network, Expr e) {
  const ExprPool& pool = network.pool();
  return pool.is_variable(e) && network.role(pool.symbol_of(e)).kind == RoleKind::Next;
}

// `x' == e`, `e == x'`, `b'` or `!b'` as variable and value, if that is what the conjunct is.
std::optional<Expr> assigned_value(Network& network, Expr e) {
  ExprPool& pool = network.pool();
  if (is_next(network, e)) return pool.boolean(true);
  if (pool.op(e) == Op::Not && is_next(network, pool.child(e, 0))) return pool.boolean(false);
  if (pool.op(e) != Op::Eq) return std::nullopt;
  const Expr left = pool.child(e, 0);
  const Expr right = pool.child(e, 1);
  if (is_next(network, left) && next_variables(network, right).empty()) return right;
  if (is_next(network, right) && next_variables(network, left).empty()) return left;
  return std::nullopt;
}

}  // namespace

std::vector<Effect> make_effects(Network& network, const std::vector<Conjunct>& conjuncts,
                                 const std::vector<Freed>& mentioned) {
  std::vector<Effect> effects;
  std::unordered_map<VariableId, std::uint32_t> restricted;  // by how many conjuncts
  for (const Conjunct& conjunct : conjuncts) {
    for (const Expr e : whittle::conjuncts(network.pool(), conjunct.expr)) {
      if (network.pool().is_true(e)) continue;
      Effect effect;
      effect.kind = EffectKind::Relation;
      effect.writes = next_variables(network, e);
      effect.expr = e;
      effect.origin = conjunct.span;
      for (const VariableId variable : effect.writes) ++restricted[variable];
      effects.push_back(std::move(effect));
    }
  }
  for (Effect& effect : effects) {
    if (effect.writes.size() != 1 || restricted[effect.writes[0]] != 1) continue;
    if (const auto value = assigned_value(network, effect.expr)) {
      effect.kind = EffectKind::Assign;
      effect.expr = *value;
    }
  }
  for (const Freed& freed : mentioned) {
    // Each variable once, at its first place.
    if (!restricted.emplace(freed.variable, 0).second) continue;
    Effect effect;
    effect.kind = EffectKind::Free;
    effect.writes = {freed.variable};
    effect.origin = freed.span;
    effects.push_back(std::move(effect));
  }
  return effects;
}

}  // namespace whittle::sts
