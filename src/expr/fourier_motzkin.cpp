// SPDX-License-Identifier: Apache-2.0
#include "expr/fourier_motzkin.h"

namespace whittle {

namespace {

// c x >= l and d x <= u:  d l <= c u
Expr real_pair(ExprPool& pool, const LinearBound& l, const LinearBound& u) {
  const Expr low = pool.mul(u.factor, l.term);
  const Expr high = pool.mul(l.factor, u.term);
  return l.strict || u.strict ? pool.lt(low, high) : pool.le(low, high);
}

// The same of integers, c or d being 1; strict bounds move by one.
std::optional<Expr> integer_pair(ExprPool& pool, const LinearBound& l, const LinearBound& u) {
  const Expr one = pool.integer(1);
  const Expr least = l.strict ? pool.add(l.term, one) : l.term;
  if (l.factor == one) {  // x = least
    const Expr low = pool.mul(u.factor, least);
    return u.strict ? pool.lt(low, u.term) : pool.le(low, u.term);
  }
  if (u.factor != one) return std::nullopt;
  const Expr most = u.strict ? pool.sub(u.term, one) : u.term;  // x = most
  return pool.le(least, pool.mul(l.factor, most));
}

}  // namespace

std::optional<Expr> within_bounds(ExprPool& pool, const LinearBounds& bounds, Type type,
                                  std::size_t most) {
  // Without end on one side, single values can be avoided.
  if (bounds.lower.empty() || bounds.upper.empty()) return pool.boolean(true);
  if (bounds.excludes_values || bounds.lower.size() * bounds.upper.size() > most)
    return std::nullopt;
  std::vector<Expr> pairs;
  for (const LinearBound& low : bounds.lower) {
    for (const LinearBound& high : bounds.upper) {
      const std::optional<Expr> pair =
          type == Type::integer() ? integer_pair(pool, low, high) : real_pair(pool, low, high);
      if (!pair) return std::nullopt;
      pairs.push_back(*pair);
    }
  }
  return pool.conj(pairs);
}

}  // namespace whittle
