// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/arithmetic.h"

#include <algorithm>

#include "expr/value.h"

namespace whittle::c {

namespace {

Integer power_of_two(unsigned exponent) { return pow(Integer(2), exponent); }

// k with value = 2^k; none: there is no such k.
std::optional<unsigned> exponent_of(const Integer& value) {
  if (value.sign() <= 0) return std::nullopt;
  const auto k = static_cast<unsigned>(value.bit_length() - 1);
  if (power_of_two(k) != value) return std::nullopt;
  return k;
}

bool is_comparison(Operator op) { return op >= Operator::Eq; }

}  // namespace

// ----- values

Expr Arithmetic::bit_constant(const Integer& value, unsigned width) const {
  return pool_.int_to_bv(number(value), width);
}

Number Arithmetic::constant(const Integer& value, TypeId type) const {
  Integer v = value;
  if (type == kBool) {
    v = value.is_zero() ? Integer(0) : Integer(1);
  } else {
    const Integer all = power_of_two(types_.width(type));
    v = euclidean_mod(value, all);
    if (v > types_.greatest(type)) v = v - all;
  }
  Number result{number(v), type, v, v};
  if (v == Integer(0) || v == Integer(1)) result.truth = pool_.boolean(v == Integer(1));
  return result;
}

Number Arithmetic::value(Expr term, TypeId type) const {
  Number result{term, type, types_.least(type), types_.greatest(type)};
  result.bits = pool_.kind(pool_.type(term)) == ::whittle::TypeKind::BitVector;
  if (!result.bits && pool_.is_const(term)) return constant(pool_.value(term).as_integer(), type);
  if (type == kBool && !result.bits) result.truth = pool_.eq(term, number(1));
  return result;
}

Number Arithmetic::truth(Expr condition, TypeId type) const {
  Number result{pool_.ite(condition, number(1), number(0)), type, 0, 1};
  result.truth = condition;
  if (pool_.is_true(condition)) result.low = 1;
  if (pool_.is_false(condition)) result.high = 0;
  return result;
}

Expr Arithmetic::condition(const Number& n) const {
  if (n.truth.valid()) return n.truth;
  if (n.bits) return pool_.ne(n.term, bit_constant(0, types_.width(n.type)));
  return pool_.ne(settled(n).term, number(0));
}

std::optional<Integer> Arithmetic::constant_value(const Number& n) const {
  const Expr term = as_int(n);
  if (!pool_.is_const(term)) return std::nullopt;
  return pool_.value(term).as_integer();
}

Number Arithmetic::convert(const Number& n, TypeId type) const {
  if (type == n.type) return n;
  if (type == kBool) return truth(condition(n), kBool);
  const unsigned from = types_.width(n.type);
  const unsigned to = types_.width(type);
  if (n.bits) {
    Number result = n;
    result.type = type;
    result.low = types_.least(type);
    result.high = types_.greatest(type);
    if (to > from)
      result.term = pool_.bv_extend(types_.is_signed(n.type) ? Op::BvSignExtend : Op::BvZeroExtend,
                                    n.term, to - from);
    else if (to < from)
      result.term = pool_.bv_extract(n.term, to - 1, 0);
    return result;
  }
  Number result = to > from ? settled(n) : n;
  result.type = type;
  if (pool_.is_const(result.term)) return constant(pool_.value(result.term).as_integer(), type);
  return result;
}

// ----- wrapping

bool Arithmetic::few_wraps(const Integer& low, const Integer& high, TypeId type) const {
  const Integer twice = power_of_two(types_.width(type) + 1);
  return types_.least(type) - twice <= low && high <= types_.greatest(type) + twice;
}

Number Arithmetic::settled(const Number& n) const {
  if (n.bits || n.type == kBool) return n;
  const Integer& least = types_.least(n.type);
  const Integer& greatest = types_.greatest(n.type);
  if (least <= n.low && n.high <= greatest) return n;
  if (pool_.is_const(n.term)) return constant(pool_.value(n.term).as_integer(), n.type);
  const Integer all = power_of_two(types_.width(n.type));
  Expr term = n.term;
  if (few_wraps(n.low, n.high, n.type)) {
    for (const int k : {1, 2}) {
      const Integer border = least - Integer(k - 1) * all;
      if (n.low < border)
        term = pool_.ite(pool_.lt(n.term, number(border)),
                         pool_.add(n.term, number(Integer(k) * all)), term);
    }
    for (const int k : {1, 2}) {
      const Integer border = greatest + Integer(k - 1) * all;
      if (n.high > border)
        term = pool_.ite(pool_.lt(number(border), n.term),
                         pool_.sub(n.term, number(Integer(k) * all)), term);
    }
  } else if (!types_.is_signed(n.type)) {
    term = pool_.make(Op::Mod, {n.term, number(all)});
  } else {
    const Expr moved = pool_.sub(n.term, number(least));
    term = pool_.add(pool_.make(Op::Mod, {moved, number(all)}), number(least));
  }
  return {term, n.type, least, greatest};
}

Expr Arithmetic::as_int(const Number& n) const {
  if (!n.bits) return settled(n).term;
  const Expr natural = pool_.make(Op::BvToNat, {n.term});
  if (!types_.is_signed(n.type)) return natural;
  return pool_.ite(pool_.lt(number(types_.greatest(n.type)), natural),
                   pool_.sub(natural, number(power_of_two(types_.width(n.type)))), natural);
}

Expr Arithmetic::as_bits(const Number& n) const {
  if (n.bits) return n.term;
  const unsigned width = types_.width(n.type);
  if (n.truth.valid() && !pool_.is_const(n.term))
    return pool_.ite(n.truth, bit_constant(1, width), bit_constant(0, width));
  return pool_.int_to_bv(n.term, width);
}

void Arithmetic::report(Fault fault, Expr condition) const {
  if (report_ && !pool_.is_false(condition)) report_(fault, condition);
}

// The result of signed arithmetic, which overflows where it is not in range.
Number Arithmetic::overflowing(Expr term, TypeId type, const Integer& low,
                               const Integer& high) const {
  const Integer& least = types_.least(type);
  const Integer& greatest = types_.greatest(type);
  Number result{term, type, low, high};
  if (!exact(type)) return result;
  std::vector<Expr> wrong;
  if (high > greatest) wrong.push_back(pool_.lt(number(greatest), term));
  if (low < least) wrong.push_back(pool_.lt(term, number(least)));
  report(Fault::Overflow, pool_.disj(wrong));
  if (trap_) {
    result.low = std::max(low, least);
    result.high = std::min(high, greatest);
    return result;
  }
  return settled(result);
}

// ----- operators

Number Arithmetic::sum(Operator op, const Number& x, const Number& y, TypeId type) const {
  const bool add = op == Operator::Add;
  const auto bounds = [&](const Number& a, const Number& b) {
    return add ? std::pair(a.low + b.low, a.high + b.high)
               : std::pair(a.low - b.high, a.high - b.low);
  };
  Number a = x;
  Number b = y;
  auto [low, high] = bounds(a, b);
  if (exact(type) || !few_wraps(low, high, type)) {
    a = settled(a);
    b = settled(b);
    std::tie(low, high) = bounds(a, b);
  }
  return overflowing(add ? pool_.add(a.term, b.term) : pool_.sub(a.term, b.term), type, low, high);
}

Number Arithmetic::product(const Number& x, const Number& y, TypeId type) const {
  const Number a = settled(x);
  const Number b = settled(y);
  const Integer corners[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  const Integer low = *std::min_element(std::begin(corners), std::end(corners));
  const Integer high = *std::max_element(std::begin(corners), std::end(corners));
  const Number result = overflowing(pool_.mul(a.term, b.term), type, low, high);
  return few_wraps(result.low, result.high, type) ? result : settled(result);
}

// C rounds towards zero, `div` down for positive divisors; of numbers from 0 on they are the same.
Number Arithmetic::quotient(Operator op, const Number& x, const Number& y, TypeId type) const {
  const Number a = settled(x);
  const Number b = settled(y);
  report(Fault::Division, pool_.eq(b.term, number(0)));
  if (types_.is_signed(type) && a.low == types_.least(type) && b.low <= Integer(-1) &&
      b.high >= Integer(-1))
    report(Fault::Quotient,
           pool_.conj(pool_.eq(a.term, number(types_.least(type))), pool_.eq(b.term, number(-1))));
  const Op exact = op == Operator::Div ? Op::IDiv : Op::Mod;
  if (pool_.is_const(b.term) && pool_.value(b.term).as_integer().is_zero())
    return constant(0, type);  // behind the fault nobody looks
  Expr term = pool_.make(exact, {a.term, b.term});
  if (a.low.sign() < 0) {
    const Expr mirrored = pool_.minus(pool_.make(exact, {pool_.minus(a.term), b.term}));
    term = a.high.sign() < 0 ? mirrored : pool_.ite(pool_.le(number(0), a.term), term, mirrored);
  }
  Integer most = std::max(a.high, -a.low);  // of the absolute value
  if (op == Operator::Rem) {
    most = std::min(most, std::max(b.high, -b.low) - 1);
    return {term, type, a.low.sign() < 0 ? -most : Integer(0),
            a.high.sign() > 0 ? most : Integer(0)};
  }
  const bool positive = a.low.sign() >= 0 && b.low.sign() >= 0;
  return in_range(term, type, positive ? Integer(0) : -most, most);
}

Number Arithmetic::in_range(Expr term, TypeId type, const Integer& low, const Integer& high) const {
  return {term, type, std::max(low, types_.least(type)), std::min(high, types_.greatest(type))};
}

Number Arithmetic::compared(Operator op, const Number& x, const Number& y) const {
  if (x.bits || y.bits)
    return truth(compare_bits(op, as_bits(x), as_bits(y), types_.is_signed(x.type)));
  const auto is = [&](const Number& n, int value) {
    return n.low == Integer(value) && n.high == Integer(value);
  };
  if (x.truth.valid() && (is(y, 0) || is(y, 1)) && (op == Operator::Eq || op == Operator::Ne))
    return truth(is(y, 1) == (op == Operator::Eq) ? x.truth : pool_.negate(x.truth));
  if (y.truth.valid() && (is(x, 0) || is(x, 1)) && (op == Operator::Eq || op == Operator::Ne))
    return truth(is(x, 1) == (op == Operator::Eq) ? y.truth : pool_.negate(y.truth));
  const Number a = settled(x);
  const Number b = settled(y);
  switch (op) {
    case Operator::Eq:
    case Operator::Ne: {
      const bool apart = a.high < b.low || b.high < a.low;
      const Expr equal = apart ? pool_.boolean(false) : pool_.eq(a.term, b.term);
      return truth(op == Operator::Eq ? equal : pool_.negate(equal));
    }
    case Operator::Gt:
      return compared(Operator::Lt, b, a);
    case Operator::Ge:
      return compared(Operator::Le, b, a);
    case Operator::Lt:
      if (a.high < b.low) return truth(pool_.boolean(true));
      if (b.high <= a.low) return truth(pool_.boolean(false));
      return truth(pool_.lt(a.term, b.term));
    default:
      if (a.high <= b.low) return truth(pool_.boolean(true));
      if (b.high < a.low) return truth(pool_.boolean(false));
      return truth(pool_.le(a.term, b.term));
  }
}

bool Arithmetic::is_arithmetic(Operator op, const std::optional<Integer>& right, unsigned width) {
  if (!right) return false;
  if (op == Operator::Shl || op == Operator::Shr) return true;
  if (op != Operator::BitAnd) return false;
  const Integer all = power_of_two(width);
  const Integer mask = euclidean_mod(*right, all);
  return exponent_of(mask + 1).has_value() || mask.is_zero() || exponent_of(all - mask).has_value();
}

Number Arithmetic::shifted(Operator op, const Number& a, const Number& amount, TypeId type) const {
  const unsigned width = types_.width(type);
  if (amount.bits) {
    report(Fault::Shift,
           pool_.negate(compare_bits(Operator::Lt, amount.term,
                                     bit_constant(width, types_.width(amount.type)), false)));
  } else {
    const Number by = settled(amount);
    if (by.low.sign() < 0 || by.high >= Integer(width))
      report(Fault::Shift,
             pool_.disj(pool_.lt(by.term, number(0)), pool_.le(number(width), by.term)));
  }
  const std::optional<Integer> by = constant_value(amount);
  if (by && (by->sign() < 0 || *by >= Integer(width))) return constant(0, type);
  if (by && !a.bits) {
    const Integer factor = power_of_two(static_cast<unsigned>(*by->to_int64()));
    const Number left = settled(a);
    if (op == Operator::Shl) {
      if (exact(type)) report(Fault::Overflow, pool_.lt(left.term, number(0)));
      return product(left, {number(factor), type, factor, factor}, type);
    }
    return in_range(pool_.make(Op::IDiv, {left.term, number(factor)}), type,
                    euclidean_div(left.low, factor), euclidean_div(left.high, factor));
  }
  return of_bits(op, a, convert(amount, type), type);
}

Number Arithmetic::masked(Operator op, const Number& a, const Number& b, TypeId type) const {
  if (a.truth.valid() && b.truth.valid() && !a.bits && !b.bits) {
    if (op == Operator::BitAnd) return truth(pool_.conj(a.truth, b.truth), type);
    if (op == Operator::BitOr) return truth(pool_.disj(a.truth, b.truth), type);
    return truth(pool_.ne(a.truth, b.truth), type);
  }
  if (a.bits || b.bits) return of_bits(op, a, b, type);
  const std::optional<Integer> left = constant_value(a);
  const std::optional<Integer> right = left ? left : constant_value(b);
  const unsigned width = types_.width(type);
  if (!is_arithmetic(op, right, width)) return of_bits(op, a, b, type);
  const Number& x = left ? b : a;
  const Integer all = power_of_two(width);
  const Integer mask = euclidean_mod(*right, all);
  if (mask.is_zero()) return constant(0, type);
  if (mask == all - 1) return x;
  if (exponent_of(mask + 1))
    return {pool_.make(Op::Mod, {x.term, number(mask + 1)}), type, 0, mask};
  const Number s = settled(x);
  const Expr low_bits = pool_.make(Op::Mod, {s.term, number(all - mask)});
  return in_range(pool_.sub(s.term, low_bits), type, s.low - (all - mask), s.high);
}

// ----- bits

Expr Arithmetic::compare_bits(Operator op, Expr a, Expr b, bool is_signed) const {
  const Op less = is_signed ? Op::BvSLt : Op::BvULt;
  const Op at_most = is_signed ? Op::BvSLe : Op::BvULe;
  switch (op) {
    case Operator::Eq:
      return pool_.eq(a, b);
    case Operator::Ne:
      return pool_.ne(a, b);
    case Operator::Lt:
      return pool_.make(less, {a, b});
    case Operator::Le:
      return pool_.make(at_most, {a, b});
    case Operator::Gt:
      return pool_.make(less, {b, a});
    default:
      return pool_.make(at_most, {b, a});
  }
}

// Computed with more bits, the result is not what those of the type say.
void Arithmetic::check_bits(Operator op, Expr a, Expr b, TypeId type) const {
  const unsigned width = types_.width(type);
  if (op == Operator::Shl) {
    const Expr back = pool_.make(Op::BvAShr, {pool_.make(Op::BvShl, {a, b}), b});
    report(Fault::Overflow, pool_.disj(compare_bits(Operator::Lt, a, bit_constant(0, width), true),
                                       pool_.ne(back, a)));
    return;
  }
  const unsigned more = op == Operator::Mul ? width : 1;
  const Expr x = pool_.bv_extend(Op::BvSignExtend, a, more);
  const Expr y = pool_.bv_extend(Op::BvSignExtend, b, more);
  const Op wide = op == Operator::Add ? Op::BvAdd : op == Operator::Sub ? Op::BvSub : Op::BvMul;
  const Expr exact = pool_.make(wide, {x, y});
  const Expr kept = pool_.bv_extend(Op::BvSignExtend, pool_.bv_extract(exact, width - 1, 0), more);
  report(Fault::Overflow, pool_.ne(exact, kept));
}

Number Arithmetic::of_bits(Operator op, const Number& x, const Number& y, TypeId type) const {
  const bool is_signed = types_.is_signed(type);
  const unsigned width = types_.width(type);
  const Expr a = as_bits(x);
  const Expr b = as_bits(y);
  const bool may_overflow =
      op == Operator::Add || op == Operator::Sub || op == Operator::Mul || op == Operator::Shl;
  if (exact(type) && may_overflow) check_bits(op, a, b, type);
  Op meaning = Op::BvAnd;
  switch (op) {
    case Operator::Add:
      meaning = Op::BvAdd;
      break;
    case Operator::Sub:
      meaning = Op::BvSub;
      break;
    case Operator::Mul:
      meaning = Op::BvMul;
      break;
    case Operator::Div:
    case Operator::Rem:
      report(Fault::Division, pool_.eq(b, bit_constant(0, width)));
      if (is_signed)
        report(Fault::Quotient, pool_.conj(pool_.eq(a, bit_constant(types_.least(type), width)),
                                           pool_.eq(b, bit_constant(-1, width))));
      if (op == Operator::Div)
        meaning = is_signed ? Op::BvSDiv : Op::BvUDiv;
      else
        meaning = is_signed ? Op::BvSRem : Op::BvURem;
      break;
    case Operator::Shl:
      meaning = Op::BvShl;
      break;
    case Operator::Shr:
      meaning = is_signed ? Op::BvAShr : Op::BvLShr;
      break;
    case Operator::BitOr:
      meaning = Op::BvOr;
      break;
    case Operator::BitXor:
      meaning = Op::BvXor;
      break;
    default:
      break;
  }
  return value(pool_.make(meaning, {a, b}), type);
}

// ----- all together

Number Arithmetic::binary(Operator op, const Number& a, const Number& b, TypeId type) const {
  if (is_comparison(op)) return compared(op, a, b);
  if (op == Operator::Shl || op == Operator::Shr) return shifted(op, a, b, type);
  if (op == Operator::BitAnd || op == Operator::BitOr || op == Operator::BitXor)
    return masked(op, a, b, type);
  if (a.bits || b.bits) return of_bits(op, a, b, type);
  switch (op) {
    case Operator::Add:
    case Operator::Sub:
      return sum(op, a, b, type);
    case Operator::Mul:
      return product(a, b, type);
    default:
      return quotient(op, a, b, type);
  }
}

Number Arithmetic::unary(Operator op, const Number& a, TypeId type) const {
  switch (op) {
    case Operator::Minus:
      return binary(Operator::Sub, constant(0, type), a, type);
    case Operator::BitNot: {
      if (a.bits) return value(pool_.make(Op::BvNot, {a.term}), type);
      const Number x = settled(a);
      if (types_.is_signed(type))
        return {pool_.sub(number(-1), x.term), type, Integer(-1) - x.high, Integer(-1) - x.low};
      const Integer& all = types_.greatest(type);
      return {pool_.sub(number(all), x.term), type, all - x.high, all - x.low};
    }
    case Operator::Not:
      return truth(pool_.negate(condition(a)));
    default:
      return a;
  }
}

Number Arithmetic::choose(Expr condition, const Number& a, const Number& b) const {
  if (pool_.is_true(condition)) return a;
  if (pool_.is_false(condition)) return b;
  if (a.truth.valid() && b.truth.valid() && !a.bits && !b.bits)
    return truth(pool_.ite(condition, a.truth, b.truth), a.type);
  if (a.bits || b.bits) return value(pool_.ite(condition, as_bits(a), as_bits(b)), a.type);
  return {pool_.ite(condition, a.term, b.term), a.type, std::min(a.low, b.low),
          std::max(a.high, b.high)};
}

}  // namespace whittle::c
