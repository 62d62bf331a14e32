// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/constants.h"

namespace whittle::c {

Integer value_of(const Types& types, const Expression& constant) {
  if (types.is_signed(constant.type)) return Integer(static_cast<std::int64_t>(constant.value));
  if (types.width(constant.type) >= 64) return Integer(static_cast<unsigned long>(constant.value));
  return Integer(
      static_cast<std::int64_t>(constant.value & ((1ULL << types.width(constant.type)) - 1)));
}

std::optional<Integer> Constants::value(ExpressionId id) const {
  const auto result = number(id);
  if (!result) return std::nullopt;
  return arithmetic_.constant_value(*result);
}

std::optional<Number> Constants::choice(const Expression& e) const {
  auto first = number(e.a);
  if (!first) return std::nullopt;
  const Expr condition = arithmetic_.condition(*first);
  if (!pool_.is_const(condition)) return std::nullopt;
  const bool holds = pool_.is_true(condition);
  if (e.kind == ExpressionKind::Conditional) {
    if (holds && e.b == kNone) return first;
    return number(holds ? e.b : e.c);
  }
  const bool decided = holds == (e.kind == ExpressionKind::Or);
  if (decided) return arithmetic_.truth(pool_.boolean(holds));
  const auto second = number(e.b);
  if (!second) return std::nullopt;
  return arithmetic_.truth(arithmetic_.condition(*second));
}

std::optional<Number> Constants::number(ExpressionId id) const {
  const Expression& e = unit_.expressions[id];
  if (!unit_.types.is_integer(e.type)) return std::nullopt;
  switch (e.kind) {
    case ExpressionKind::Constant:
      return arithmetic_.constant(value_of(unit_.types, e), e.type);
    case ExpressionKind::Cast: {
      if (!unit_.types.is_integer(unit_.expressions[e.a].type)) return std::nullopt;
      const auto a = number(e.a);
      if (!a) return std::nullopt;
      return arithmetic_.convert(*a, e.type);
    }
    case ExpressionKind::Unary: {
      const auto a = number(e.a);
      if (!a) return std::nullopt;
      return arithmetic_.unary(e.op, *a, e.type);
    }
    case ExpressionKind::Binary: {
      const auto a = number(e.a);
      const auto b = a ? number(e.b) : std::nullopt;
      if (!b) return std::nullopt;
      const bool divides = e.op == Operator::Div || e.op == Operator::Rem;
      if (divides && arithmetic_.constant_value(*b) == Integer(0)) return std::nullopt;
      return arithmetic_.settled(arithmetic_.binary(e.op, *a, *b, e.type));
    }
    case ExpressionKind::And:
    case ExpressionKind::Or:
    case ExpressionKind::Conditional:
      return choice(e);
    default:
      return std::nullopt;
  }
}

}  // namespace whittle::c
