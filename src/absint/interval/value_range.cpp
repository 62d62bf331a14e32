// SPDX-License-Identifier: Apache-2.0
#include "absint/interval/value_range.h"

#include <algorithm>

namespace whittle {

namespace {

using Bound = std::optional<Rational>;

// A bound beyond machine words is no bound: repeated squaring would double its digits every step.
Bound kept(Rational value) {
  if (!value.numerator().to_int64() || !value.denominator().to_int64()) return std::nullopt;
  return value;
}

ValueRange numeric(bool integral, Bound low, Bound high) {
  ValueRange result;
  result.kind = ValueRange::Kind::Numeric;
  result.integral = integral;
  result.low = std::move(low);
  result.high = std::move(high);
  return result;
}

Bound sum(const Bound& a, const Bound& b) {
  if (!a || !b) return std::nullopt;
  return kept(*a + *b);
}

ValueRange negated(const ValueRange& a) {
  return numeric(a.integral, a.high ? Bound(-*a.high) : Bound(), a.low ? Bound(-*a.low) : Bound());
}

ValueRange added(const ValueRange& a, const ValueRange& b) {
  return numeric(a.integral, sum(a.low, b.low), sum(a.high, b.high));
}

ValueRange multiplied(const ValueRange& a, const ValueRange& b) {
  // Exact for finite intervals and for a constant factor; sign alone otherwise.
  if (a.low && a.high && b.low && b.high) {
    const Rational corners[] = {*a.low * *b.low, *a.low * *b.high, *a.high * *b.low,
                                *a.high * *b.high};
    return numeric(a.integral, kept(*std::min_element(std::begin(corners), std::end(corners))),
                   kept(*std::max_element(std::begin(corners), std::end(corners))));
  }
  const ValueRange* constant = a.low && a.high && *a.low == *a.high ? &a : nullptr;
  const ValueRange* other = &b;
  if (constant == nullptr && b.low && b.high && *b.low == *b.high) {
    constant = &b;
    other = &a;
  }
  if (constant != nullptr) {
    const Rational factor = *constant->low;
    if (factor.sign() == 0) return numeric(a.integral, Rational(Integer(0)), Rational(Integer(0)));
    Bound low = other->low ? kept(*other->low * factor) : Bound();
    Bound high = other->high ? kept(*other->high * factor) : Bound();
    if (factor.sign() < 0) std::swap(low, high);
    return numeric(a.integral, low, high);
  }
  const bool positive = a.low && a.low->sign() >= 0 && b.low && b.low->sign() >= 0;
  if (positive) return numeric(a.integral, kept(*a.low * *b.low), std::nullopt);
  return numeric(a.integral, std::nullopt, std::nullopt);
}

ValueRange divided(const ValueRange& a, const ValueRange& b) {
  const bool positive = b.low && b.low->sign() > 0;
  const bool negative = b.high && b.high->sign() < 0;
  if (!(positive || negative) || !b.low || !b.high) return numeric(false, {}, {});
  const Rational one(Integer(1));
  ValueRange inverse = numeric(false, kept(one / *b.high), kept(one / *b.low));
  return multiplied(a, inverse);
}

// Divisor a positive constant: SMT-LIB's div rounds down.
ValueRange integer_divided(const ValueRange& a, const ValueRange& b) {
  if (!b.low || !b.high || *b.low != *b.high || b.low->sign() <= 0) return numeric(true, {}, {});
  auto down = [&](const Bound& bound) {
    return bound ? Bound(Rational((*bound / *b.low).floor())) : Bound();
  };
  return numeric(true, down(a.low), down(a.high));
}

ValueRange remainder(const ValueRange& b) {
  ValueRange result = numeric(true, {}, {});
  const bool not_zero = (b.low && b.low->sign() > 0) || (b.high && b.high->sign() < 0);
  if (not_zero) result.low = Rational(Integer(0));
  if (b.low && b.high && *b.low == *b.high && b.low->sign() != 0) {
    const Rational size = b.low->sign() > 0 ? *b.low : -*b.low;
    result.high = size - Rational(Integer(1));
  }
  return result;
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

ValueRange floored(const ValueRange& a) {
  auto down = [](const Bound& bound) { return bound ? Bound(Rational(bound->floor())) : Bound(); };
  return numeric(true, down(a.low), down(a.high));
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
      return numeric(true, {}, {});
    case TypeKind::Real:
      return numeric(false, {}, {});
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
  if (value.is_integer()) {
    const Bound bound = kept(Rational(value.as_integer()));
    return numeric(true, bound, bound);
  }
  if (value.is_real()) {
    const Bound bound = kept(value.as_real());
    return numeric(false, bound, bound);
  }
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
      return low && high && *low > *high;
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
  ValueRange result = a;
  if (a.kind == ValueRange::Kind::Finite) {
    result.mask |= b.mask;
    return result;
  }
  if (result.low && (!b.low || *b.low < *result.low)) result.low = b.low;
  if (result.high && (!b.high || *b.high > *result.high)) result.high = b.high;
  return result;
}

ValueRange meet(const ValueRange& a, const ValueRange& b) {
  if (a.kind == ValueRange::Kind::Any) return b;
  if (b.kind == ValueRange::Kind::Any) return a;
  ValueRange result = a;
  if (a.kind == ValueRange::Kind::Finite) {
    result.mask &= b.mask;
    return result;
  }
  if (b.low && (!result.low || *b.low > *result.low)) result.low = b.low;
  if (b.high && (!result.high || *b.high < *result.high)) result.high = b.high;
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
  switch (op) {
    case Op::Neg:
      return negated(arguments[0]);
    case Op::Add:
    case Op::Mul: {
      ValueRange result = arguments[0];
      for (const ValueRange& argument : arguments.subspan(1)) {
        result = op == Op::Add ? added(result, argument) : multiplied(result, argument);
      }
      return result;
    }
    case Op::Sub:
      return added(arguments[0], negated(arguments[1]));
    case Op::Div:
      return divided(arguments[0], arguments[1]);
    case Op::IDiv:
      return integer_divided(arguments[0], arguments[1]);
    case Op::Mod:
      return remainder(arguments[1]);
    case Op::ToReal:
      return numeric(false, arguments[0].low, arguments[0].high);
    case Op::ToInt:
      return floored(arguments[0]);
    default:
      return ValueRange::all(pool, type);
  }
}

}  // namespace whittle
