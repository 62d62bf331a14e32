// SPDX-License-Identifier: Apache-2.0
// What each operator means on values. Bit vectors are in apply_bits.cpp.
#include "base/error.h"
#include "expr/apply_bits.h"
#include "expr/evaluate.h"
#include "expr/operators.h"

namespace whittle {

namespace {

using Arguments = std::span<const Value* const>;

// Powers and products beyond this are refused: a user error, not something to compute.
constexpr std::size_t kMaxBits = std::size_t{1} << 28;

std::optional<Value> undefined(std::string* why, std::string reason) {
  if (why) *why = std::move(reason);
  return std::nullopt;
}

template <class Number, class Combine>
Number combined(Arguments a, const Number& (Value::*get)() const, Combine combine) {
  Number result = combine((a[0]->*get)(), (a[1]->*get)());
  for (std::size_t i = 2; i < a.size(); ++i) result = combine(result, (a[i]->*get)());
  return result;
}

template <class Combine>
Value arithmetic(Arguments a, Combine combine) {
  if (a[0]->is_integer()) return Value(combined<Integer>(a, &Value::as_integer, combine));
  return Value(combined<Rational>(a, &Value::as_real, combine));
}

bool less(const Value& a, const Value& b) {
  return a.is_integer() ? a.as_integer() < b.as_integer() : a.as_real() < b.as_real();
}

bool equal(const Value& a, const Value& b) {
  if (a.is_bool()) return a.as_bool() == b.as_bool();
  if (a.is_integer()) return a.as_integer() == b.as_integer();
  if (a.is_enum()) return a.as_enum() == b.as_enum();
  return a == b;
}

Value power(const Value& base, const Integer& exponent) {
  auto n = exponent.to_int64();
  WHITTLE_REQUIRE(n && *n >= 0 && *n <= UINT32_MAX, "an exponent is a natural number");
  auto guard = [&](const Integer& x) {
    std::size_t bits = x.bit_length();
    if (bits > 1 && bits * static_cast<std::size_t>(*n) > kMaxBits) {
      throw ResourceError("a power has more than 2^28 bits");
    }
  };
  auto k = static_cast<unsigned>(*n);
  if (base.is_integer()) {
    guard(base.as_integer());
    return Value(pow(base.as_integer(), k));
  }
  const Rational& x = base.as_real();
  guard(x.numerator());
  guard(x.denominator());
  return Value(Rational(pow(x.numerator(), k), pow(x.denominator(), k)));
}

std::optional<Value> division(Op op, const Value& a, const Value& b, std::string* why) {
  if (op == Op::Div) {
    if (b.as_real().sign() == 0) return undefined(why, "division by zero");
    return Value(a.as_real() / b.as_real());
  }
  if (b.as_integer().is_zero()) {
    return undefined(why, op == Op::Mod ? "remainder of a division by zero" : "division by zero");
  }
  if (op == Op::Mod) return Value(euclidean_mod(a.as_integer(), b.as_integer()));
  return Value(euclidean_div(a.as_integer(), b.as_integer()));
}

std::optional<Value> access(const ExprPool& pool, const Operation& operation, Arguments a,
                            std::string* why) {
  const auto& length = pool.info(operation.operand).length;
  if (length) {
    const Integer& i = a[1]->as_integer();
    if (i.sign() < 0 || i >= Integer(static_cast<unsigned long>(*length))) {
      return undefined(why, "index " + i.to_string() + " outside of 0.." +
                                (Integer(static_cast<unsigned long>(*length)) - 1).to_string());
    }
  }
  const ArrayValue& array = a[0]->as_array();
  if (operation.op == Op::Select) return array.at(*a[1]);
  ArrayValue changed = array;
  changed.put(*a[1], *a[2]);
  return pool.normalized(Value::array(std::move(changed)), operation.type);
}

Value combined_sets(Op op, const SetValue& a, const SetValue& b) {
  SetValue result;
  for (const Value& element : a.elements) {
    bool in_both = op != Op::Union && b.elements.contains(element);
    if (op == Op::Union || in_both == (op == Op::Intersection)) {
      result.elements.insert(result.elements.end(), element);
    }
  }
  if (op == Op::Union) result.elements.insert(b.elements.begin(), b.elements.end());
  return Value::set(std::move(result));
}

bool subset(const SetValue& a, const SetValue& b) {
  for (const Value& element : a.elements) {
    if (!b.elements.contains(element)) return false;
  }
  return true;
}

std::optional<Value> apply_set(const Operation& operation, Arguments a) {
  switch (operation.op) {
    case Op::SetOf: {
      SetValue set;
      for (const Value* element : a) set.elements.insert(*element);
      return Value::set(std::move(set));
    }
    case Op::Member:
      return Value(a[1]->as_set().elements.contains(*a[0]));
    case Op::Subset:
      return Value(subset(a[0]->as_set(), a[1]->as_set()));
    case Op::Card:
      return Value(Integer(a[0]->as_set().elements.size()));
    default:
      return combined_sets(operation.op, a[0]->as_set(), a[1]->as_set());
  }
}

bool all(Arguments a, bool value) {
  for (const Value* v : a) {
    if (v->as_bool() != value) return false;
  }
  return true;
}

}  // namespace

std::optional<Value> apply_operator(const ExprPool& pool, const Operation& operation, Arguments a,
                                    std::string* why) {
  switch (operation.op) {
    case Op::Not:
      return Value(!a[0]->as_bool());
    case Op::And:
      return Value(all(a, true));
    case Op::Or:
      return Value(!all(a, false));
    case Op::Implies:
      return Value(!a[0]->as_bool() || a[1]->as_bool());
    case Op::Ite:
      return a[0]->as_bool() ? *a[1] : *a[2];
    case Op::Eq:
      return Value(equal(*a[0], *a[1]));
    case Op::Lt:
      return Value(less(*a[0], *a[1]));
    case Op::Le:
      return Value(!less(*a[1], *a[0]));
    case Op::Neg:
      if (a[0]->is_integer()) return Value(-a[0]->as_integer());
      return Value(-a[0]->as_real());
    case Op::Add:
      return arithmetic(a, [](const auto& x, const auto& y) { return x + y; });
    case Op::Sub:
      return arithmetic(a, [](const auto& x, const auto& y) { return x - y; });
    case Op::Mul:
      return arithmetic(a, [](const auto& x, const auto& y) { return x * y; });
    case Op::Div:
    case Op::IDiv:
    case Op::Mod:
      return division(operation.op, *a[0], *a[1], why);
    case Op::Pow:
      return power(*a[0], a[1]->as_integer());
    case Op::ToReal:
      return Value(Rational(a[0]->as_integer()));
    case Op::ToInt:
      return Value(a[0]->as_real().floor());
    case Op::Concat: {
      std::string text;
      for (const Value* part : a) text += part->as_string();
      return Value::string(std::move(text));
    }
    case Op::Select:
    case Op::Store:
      return access(pool, operation, a, why);
    case Op::ConstArray:
      return pool.normalized(Value::array({*a[0], {}}), operation.type);
    case Op::SetOf:
    case Op::Member:
    case Op::Union:
    case Op::Intersection:
    case Op::Difference:
    case Op::Subset:
    case Op::Card:
      return apply_set(operation, a);
    case Op::Const:
    case Op::Apply:
    case Op::Forall:
    case Op::Exists:
    case Op::Filter:
      break;
    default:
      return apply_bits(pool, operation, a);
  }
  WHITTLE_REQUIRE(false, std::string("no operator on values: ") + facts(operation.op).name);
  return std::nullopt;
}

Operation operation(const ExprPool& pool, Expr e) {
  Operation result;
  result.op = pool.op(e);
  result.type = pool.type(e);
  auto children = pool.children(e);
  if (!children.empty()) result.operand = pool.type(children[0]);
  if (result.op == Op::BvExtract) result.low = pool.indices(e).second;
  return result;
}

std::optional<Value> apply_operator(const ExprPool& pool, Expr e, std::span<const Value> arguments,
                                    std::string* why) {
  std::vector<const Value*> pointers;
  pointers.reserve(arguments.size());
  for (const Value& v : arguments) pointers.push_back(&v);
  return apply_operator(pool, operation(pool, e), pointers, why);
}

}  // namespace whittle
