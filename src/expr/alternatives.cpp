// SPDX-License-Identifier: Apache-2.0
#include "expr/alternatives.h"

#include "expr/traverse.h"

namespace whittle {

std::optional<std::vector<Expr>> conjunction(ExprPool& pool, Expr condition) {
  if (pool.op(condition) == Op::And) return conjuncts(pool, condition);
  if (pool.op(condition) != Op::Not) return std::nullopt;
  const Expr inner = pool.child(condition, 0);
  const auto found = pool.children(inner);
  std::vector<Expr> parts(found.begin(), found.end());  // the pool may grow
  switch (pool.op(inner)) {
    case Op::Or:
      for (Expr& part : parts) part = pool.negate(part);
      return parts;
    case Op::Implies:
      return std::vector<Expr>{parts[0], pool.negate(parts[1])};
    default:
      return std::nullopt;
  }
}

std::vector<std::vector<Expr>> alternatives(ExprPool& pool, Expr condition) {
  const bool negated = pool.op(condition) == Op::Not;
  const Expr inner = negated ? pool.child(condition, 0) : condition;
  const auto found = pool.children(inner);
  const std::vector<Expr> parts(found.begin(), found.end());  // the pool may grow
  const auto sign = [&](Expr part) { return negated ? pool.negate(part) : part; };
  std::vector<std::vector<Expr>> ways;
  switch (pool.op(inner)) {
    case Op::Ite:
      return {{parts[0], sign(parts[1])}, {pool.negate(parts[0]), sign(parts[2])}};
    case Op::Implies:
      if (negated) return {};
      return {{pool.negate(parts[0])}, {parts[0], parts[1]}};
    case Op::Or:
    case Op::And:
      if ((pool.op(inner) == Op::And) != negated) return {};
      for (Expr part : parts) ways.push_back({sign(part)});
      return ways;
    case Op::Eq:  // of Bools: both or neither
      if (pool.type(parts[0]) != Type::boolean()) return {};
      return {{parts[0], sign(parts[1])}, {pool.negate(parts[0]), sign(pool.negate(parts[1]))}};
    default:
      return {};
  }
}

}  // namespace whittle
