// SPDX-License-Identifier: Apache-2.0
#include "absint/constraint_terms.h"

#include <gmpxx.h>

#include <vector>

#include "absint/abstract_state.h"

namespace whittle::absint {

Expr one_of(ExprPool& pool, const StateVariable& variable, std::uint64_t values) {
  const Expr symbol = pool.symbol(variable.current);
  if (pool.kind(variable.type) == TypeKind::Bool) {
    if (values == 0) return pool.boolean(false);
    return values == 2 ? symbol : pool.negate(symbol);
  }
  std::vector<Expr> alternatives;
  for (std::uint32_t i = 0; i < kMaxFinite; ++i) {
    if ((values >> i & 1U) == 0) continue;
    alternatives.push_back(pool.eq(symbol, pool.constant(Value(EnumValue{i}), variable.type)));
  }
  return pool.disj(alternatives);
}

namespace {

// A bound of one variable; invalid if it is about several.
Expr as_bound(const TransitionSystem& system, std::span<const std::uint32_t> numbers,
              const ppl::Constraint& constraint) {
  ExprPool& pool = *system.pool;
  std::size_t only = SIZE_MAX;
  for (std::size_t i = 0; i < numbers.size() && i < constraint.space_dimension(); ++i) {
    if (constraint.coefficient(ppl::Variable(i)) == 0) continue;
    if (only != SIZE_MAX) return {};
    only = i;
  }
  if (only == SIZE_MAX) return {};
  const StateVariable& variable = system.variables[numbers[only]];
  const Expr symbol = pool.symbol(variable.current);
  const Integer factor = from_mpz(mpz_class(constraint.coefficient(ppl::Variable(only))));
  const Rational limit(-from_mpz(mpz_class(constraint.inhomogeneous_term())), factor);
  const bool lower = factor.sign() > 0;
  if (variable.type == Type::integer()) {
    const Integer up = -(-limit).floor();
    if (constraint.is_equality()) {
      return limit.is_integer() ? pool.eq(symbol, pool.integer(up)) : pool.boolean(false);
    }
    if (constraint.is_strict_inequality()) {
      return lower ? pool.gt(symbol, pool.integer(limit.floor()))
                   : pool.lt(symbol, pool.integer(up));
    }
    return lower ? pool.ge(symbol, pool.integer(up)) : pool.le(symbol, pool.integer(limit.floor()));
  }
  const Expr number = pool.real(limit);
  if (constraint.is_equality()) return pool.eq(symbol, number);
  if (constraint.is_strict_inequality()) {
    return lower ? pool.gt(symbol, number) : pool.lt(symbol, number);
  }
  return lower ? pool.ge(symbol, number) : pool.le(symbol, number);
}

}  // namespace

Expr as_term(const TransitionSystem& system, std::span<const std::uint32_t> numbers,
             const ppl::Constraint& constraint) {
  if (const Expr bound = as_bound(system, numbers, constraint); bound.valid()) return bound;
  ExprPool& pool = *system.pool;
  bool real = false;
  for (std::size_t i = 0; i < numbers.size() && i < constraint.space_dimension(); ++i) {
    if (constraint.coefficient(ppl::Variable(i)) == 0) continue;
    real = real || system.variables[numbers[i]].type == Type::real();
  }
  std::vector<Expr> left, right;
  auto number = [&](const mpz_class& value) {
    const Integer integer = from_mpz(value);
    return real ? pool.real(Rational(integer)) : pool.integer(integer);
  };
  auto put = [&](const mpz_class& factor, Expr term) {
    if (factor == 0) return;
    const mpz_class size = abs(factor);
    Expr part = number(size);
    if (term.valid()) part = size == 1 ? term : pool.mul(part, term);
    (factor > 0 ? left : right).push_back(part);
  };
  for (std::size_t i = 0; i < numbers.size() && i < constraint.space_dimension(); ++i) {
    Expr symbol = pool.symbol(system.variables[numbers[i]].current);
    if (real) symbol = pool.to_real(symbol);
    put(mpz_class(constraint.coefficient(ppl::Variable(i))), symbol);
  }
  put(mpz_class(constraint.inhomogeneous_term()), Expr());
  auto sum = [&](const std::vector<Expr>& parts) {
    if (parts.empty()) return number(0);
    return parts.size() == 1 ? parts[0] : pool.make(Op::Add, parts);
  };
  const Expr a = sum(left);
  const Expr b = sum(right);
  if (constraint.is_equality()) return pool.eq(a, b);
  return constraint.is_strict_inequality() ? pool.gt(a, b) : pool.ge(a, b);
}

}  // namespace whittle::absint
