// SPDX-License-Identifier: Apache-2.0
#include "absint/interval/value_range.h"

#include <algorithm>

namespace whittle {

namespace {

ValueRange numeric(const Interval& interval) {
  ValueRange result;
  static_cast<Interval&>(result) = interval;
  result.kind = ValueRange::Kind::Numeric;
  return result;
}

ValueRange unbounded(bool integral) { return numeric({integral, {}, {}, false, false}); }

ValueRange point(bool integral, const Rational& value) {
  const std::optional<Rational> bound = machine_sized(value);
  return numeric({integral, bound, bound, false, false});
}

ValueRange equal(const ValueRange& a, const ValueRange& b) {
  if (a.kind == ValueRange::Kind::Any || b.kind == ValueRange::Kind::Any)
    return ValueRange::truth(true, true);
  if (meet(a, b).empty()) return ValueRange::truth(true, false);
  if (a.kind == ValueRange::Kind::Finite) {
    const bool one = a.mask == b.mask && (a.mask & (a.mask - 1)) == 0;
    return ValueRange::truth(!one, true);
  }
  const bool one = a.low && a.high && *a.low == *a.high && a == b;
  return ValueRange::truth(!one, true);
}

// a < b, or a <= b
ValueRange less(const ValueRange& a, const ValueRange& b, bool or_equal) {
  bool may_be_true = true;
  bool may_be_false = true;
  if (a.high && b.low) may_be_false = or_equal ? *a.high > *b.low : *a.high >= *b.low;
  if (a.low && b.high) may_be_true = or_equal ? *a.low <= *b.high : *a.low < *b.high;
  return ValueRange::truth(may_be_false, may_be_true);
}

ValueRange truth_of(Op op, std::span<const ValueRange> arguments) {
  switch (op) {
    case Op::Not:
      return ValueRange::truth(arguments[0].may_be(true), arguments[0].may_be(false));
    case Op::Implies:
      return ValueRange::truth(arguments[0].may_be(true) && arguments[1].may_be(false),
                               arguments[0].may_be(false) || arguments[1].may_be(true));
    case Op::And: {
      bool all_may_hold = true;
      bool one_may_fail = false;
      for (const ValueRange& argument : arguments) {
        all_may_hold = all_may_hold && argument.may_be(true);
        one_may_fail = one_may_fail || argument.may_be(false);
      }
      return ValueRange::truth(one_may_fail, all_may_hold);
    }
    case Op::Or: {
      bool all_may_fail = true;
      bool one_may_hold = false;
      for (const ValueRange& argument : arguments) {
        all_may_fail = all_may_fail && argument.may_be(false);
        one_may_hold = one_may_hold || argument.may_be(true);
      }
      return ValueRange::truth(all_may_fail, one_may_hold);
    }
    default:
      return ValueRange::truth(true, true);
  }
}

}  // namespace

ValueRange ValueRange::all(const ExprPool& pool, Type type) {
  ValueRange result;
  const TypeInfo& info = pool.info(type);
  switch (info.kind) {
    case TypeKind::Bool:
      return truth(true, true);
    case TypeKind::Int:
      return unbounded(true);
    case TypeKind::Real:
      return unbounded(false);
    case TypeKind::Enum:
      if (info.values.empty() || info.values.size() > 64) return result;
      result.kind = Kind::Finite;
      result.mask = info.values.size() == 64 ? ~0ULL : (1ULL << info.values.size()) - 1;
      return result;
    case TypeKind::Array:
      return all(pool, info.element);
    case TypeKind::String:
    case TypeKind::Set:
    case TypeKind::BitVector:
      return result;
  }
  return result;
}

ValueRange ValueRange::only(const ExprPool& pool, const Value& value, Type type) {
  ValueRange result = all(pool, type);
  if (value.is_bool()) return truth(!value.as_bool(), value.as_bool());
  if (value.is_integer()) return point(true, Rational(value.as_integer()));
  if (value.is_real()) return point(false, value.as_real());
  if (value.is_array()) {
    const ArrayValue& array = value.as_array();
    const Type element = pool.info(type).element;
    result = only(pool, array.otherwise, element);
    for (const auto& entry : array.entries)
      result = join(result, only(pool, entry.second, element));
    return result;
  }
  if (value.is_enum() && result.kind == Kind::Finite) result.mask = 1ULL << value.as_enum().index;
  return result;
}

ValueRange ValueRange::truth(bool may_be_false, bool may_be_true) {
  ValueRange result;
  result.kind = Kind::Finite;
  result.mask = (may_be_false ? 1U : 0U) | (may_be_true ? 2U : 0U);
  return result;
}

bool ValueRange::empty() const {
  switch (kind) {
    case Kind::Any:
      return false;
    case Kind::Finite:
      return mask == 0;
    case Kind::Numeric:
      return Interval::empty();
  }
  return false;
}

std::optional<Value> ValueRange::single(const ExprPool& pool, Type type) const {
  if (pool.kind(type) == TypeKind::Array) return std::nullopt;
  if (kind == Kind::Numeric && low && high && *low == *high) {
    if (pool.kind(type) == TypeKind::Real) return Value(*low);
    if (low->is_integer()) return Value(low->numerator());
    return std::nullopt;
  }
  if (kind == Kind::Finite && mask != 0 && (mask & (mask - 1)) == 0) {
    std::uint32_t index = 0;
    while ((mask >> index & 1U) == 0) ++index;
    if (pool.kind(type) == TypeKind::Bool) return Value(index == 1);
    return Value(EnumValue{index});
  }
  return std::nullopt;
}

ValueRange join(const ValueRange& a, const ValueRange& b) {
  if (a.kind == ValueRange::Kind::Any || b.kind == ValueRange::Kind::Any) return {};
  if (a.kind == ValueRange::Kind::Numeric) return numeric(hull(a, b));
  ValueRange result = a;
  result.mask |= b.mask;
  return result;
}

ValueRange meet(const ValueRange& a, const ValueRange& b) {
  if (a.kind == ValueRange::Kind::Any) return b;
  if (b.kind == ValueRange::Kind::Any) return a;
  if (a.kind == ValueRange::Kind::Numeric) return numeric(intersection(a, b));
  ValueRange result = a;
  result.mask &= b.mask;
  return result;
}

Expr in_range(ExprPool& pool, Expr term, const ValueRange& range) {
  const Type type = pool.type(term);
  std::vector<Expr> parts;
  if (range.kind == ValueRange::Kind::Finite) {
    ValueRange one = range;
    for (std::uint64_t rest = range.mask; rest != 0; rest &= rest - 1) {
      one.mask = rest & (~rest + 1);
      parts.push_back(pool.eq(term, pool.constant(*one.single(pool, type), type)));
    }
    return range == ValueRange::all(pool, type) ? pool.boolean(true) : pool.disj(parts);
  }
  auto number = [&](const Rational& value) {
    return pool.kind(type) == TypeKind::Real ? pool.real(value) : pool.integer(value.floor());
  };
  if (range.low) parts.push_back(pool.le(number(*range.low), term));
  if (range.high) parts.push_back(pool.le(term, number(*range.high)));
  return pool.conj(parts);
}

ValueRange applied(const ExprPool& pool, Op op, Type type, std::span<const ValueRange> arguments) {
  switch (op) {
    case Op::Not:
    case Op::And:
    case Op::Or:
    case Op::Implies:
      return truth_of(op, arguments);
    case Op::Ite: {
      const bool then = arguments[0].may_be(true);
      const bool otherwise = arguments[0].may_be(false);
      if (then && otherwise) return join(arguments[1], arguments[2]);
      return then ? arguments[1] : arguments[2];
    }
    case Op::Eq:
      return equal(arguments[0], arguments[1]);
    case Op::Select:
    case Op::ConstArray:
      return arguments[0];
    case Op::Store:
      return join(arguments[0], arguments[2]);
    case Op::Lt:
    case Op::Le:
      if (arguments[0].kind != ValueRange::Kind::Numeric ||
          arguments[1].kind != ValueRange::Kind::Numeric) {
        return ValueRange::truth(true, true);
      }
      return less(arguments[0], arguments[1], op == Op::Le);
    default:
      break;
  }
  const bool numbers = std::all_of(
      arguments.begin(), arguments.end(),
      [](const ValueRange& argument) { return argument.kind == ValueRange::Kind::Numeric; });
  const bool number = pool.kind(type) == TypeKind::Int || pool.kind(type) == TypeKind::Real;
  if (!numbers || !number || arguments.empty()) return ValueRange::all(pool, type);
  const Interval& first = arguments[0];
  switch (op) {
    case Op::Neg:
      return numeric(-first);
    case Op::Add:
    case Op::Mul: {
      Interval result = first;
      for (const ValueRange& argument : arguments.subspan(1))
        result = op == Op::Add ? result + argument : result * argument;
      return numeric(result);
    }
    case Op::Sub:
      return numeric(first + -arguments[1]);
    case Op::Div:
      return numeric(first / arguments[1]);
    case Op::IDiv:
      return numeric(euclidean_div(first, arguments[1]));
    case Op::Mod:
      return numeric(euclidean_mod(first, arguments[1]));
    case Op::ToReal:
      return numeric({false, first.low, first.high, false, false});
    case Op::ToInt:
      return numeric(floor(first));
    default:
      return ValueRange::all(pool, type);
  }
}

}  // namespace whittle
