// SPDX-License-Identifier: Apache-2.0
#include "ir/run/equations.h"

#include <optional>

#include "expr/traverse.h"

namespace whittle {

namespace {

// The variable whose next value the term is.
std::optional<VariableId> next_variable(const Network& network, Expr e) {
  const ExprPool& pool = network.pool();
  if (!pool.is_variable(e)) return std::nullopt;
  const Role role = network.role(pool.symbol_of(e));
  if (role.kind != RoleKind::Next) return std::nullopt;
  return VariableId(role.id);
}

void add(const Network& network, VariableId variable, Expr value,
         std::vector<Equation>& equations) {
  Equation equation{variable, value, {}, false};
  for (SymbolId symbol : symbols(network.pool(), value)) {
    const Role role = network.role(symbol);
    switch (role.kind) {
      case RoleKind::Next:
        equation.needs.emplace_back(role.id);
        break;
      case RoleKind::AtNext:
      case RoleKind::RemoteNext:
      case RoleKind::RemoteAtNext:
        equation.looks_elsewhere = true;
        break;
      default:
        break;
    }
  }
  equations.push_back(std::move(equation));
}

}  // namespace

std::vector<Equation> equations_of(const Network& network, EventId event) {
  ExprPool& pool = network.pool();
  std::vector<Equation> equations;
  for (const Effect& effect : network.event(event).effects) {
    if (effect.kind != EffectKind::Relation) continue;
    for (Expr e : conjuncts(pool, effect.expr)) {
      if (auto v = next_variable(network, e)) {
        add(network, *v, pool.boolean(true), equations);
      } else if (pool.op(e) == Op::Not) {
        if (auto b = next_variable(network, pool.child(e, 0))) {
          add(network, *b, pool.boolean(false), equations);
        }
      } else if (pool.op(e) == Op::Eq) {
        if (auto l = next_variable(network, pool.child(e, 0))) {
          add(network, *l, pool.child(e, 1), equations);
        }
        if (auto r = next_variable(network, pool.child(e, 1))) {
          add(network, *r, pool.child(e, 0), equations);
        }
      }
    }
  }
  return equations;
}

}  // namespace whittle
