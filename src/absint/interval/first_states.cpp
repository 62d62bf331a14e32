// SPDX-License-Identifier: Apache-2.0
#include "absint/interval/first_states.h"

#include <algorithm>

namespace whittle {

namespace {

struct Equation {
  Expr variable;
  std::optional<Value> value;  // empty: it is no equation with a constant
};

// `b`, `not b`, `v == constant`
Equation equation_of(const ExprPool& pool, Expr condition) {
  switch (pool.op(condition)) {
    case Op::Apply:
      return {condition, Value(true)};
    case Op::Not:
      return {pool.child(condition, 0), Value(false)};
    case Op::Eq:
      for (const std::size_t side : {0U, 1U}) {
        const Expr constant = pool.child(condition, side);
        if (pool.is_const(constant)) return {pool.child(condition, 1 - side), pool.value(constant)};
      }
      return {};
    default:
      return {};
  }
}

}  // namespace

FirstStates::FirstStates(const TransitionSystem& system, const SymbolVariables& variables)
    : values_(system.variables.size()), known_(*system.pool) {
  ExprPool& pool = *system.pool;
  for (Expr part : conjuncts(pool, system.init)) {
    Equation equation = equation_of(pool, part);
    if (!equation.value) continue;
    const std::uint32_t v = variables.of(pool, equation.variable);
    if (v == SymbolVariables::kNone || values_[v]) continue;
    values_[v] = std::move(equation.value);
    const StateVariable& variable = system.variables[v];
    known_.set(variable.current, pool.constant(*values_[v], variable.type));
  }
  one_ = std::all_of(values_.begin(), values_.end(), [](const auto& value) { return value; }) &&
         pool.is_true(in_all(system.init));
}

}  // namespace whittle
