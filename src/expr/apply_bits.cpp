// SPDX-License-Identifier: Apache-2.0
// Bit vectors as numbers 0..2^width-1, after the definitions of SMT-LIB's FixedSizeBitVectors.
#include "expr/apply_bits.h"

#include "base/error.h"
#include "expr/gmp_number.h"
#include "expr/operators.h"

namespace whittle {

namespace {

Integer power_of_two(std::uint32_t n) { return pow(Integer(2), n); }

Value bits(const Integer& value, std::uint32_t width) {
  return Value(BitVectorValue{euclidean_mod(value, power_of_two(width)), width});
}

Integer to_signed(const BitVectorValue& v) {
  return v.bits < power_of_two(v.width - 1) ? v.bits : v.bits - power_of_two(v.width);
}

Integer absolute(const Integer& x) { return x.sign() < 0 ? -x : x; }

// Rounds towards zero, as machines do; SMT-LIB's bvsdiv.
Integer truncated_div(const Integer& a, const Integer& b) {
  Integer q = euclidean_div(absolute(a), absolute(b));
  return a.sign() * b.sign() < 0 ? -q : q;
}

Value divided(Op op, const BitVectorValue& a, const BitVectorValue& b) {
  std::uint32_t w = a.width;
  bool is_signed = op != Op::BvUDiv && op != Op::BvURem;
  Integer x = is_signed ? to_signed(a) : a.bits;
  Integer y = is_signed ? to_signed(b) : b.bits;
  if (y.is_zero()) {
    if (op == Op::BvUDiv) return bits(Integer(-1), w);
    if (op == Op::BvSDiv) return bits(x.sign() < 0 ? Integer(1) : Integer(-1), w);
    return bits(x, w);
  }
  switch (op) {
    case Op::BvUDiv:
      return bits(euclidean_div(x, y), w);
    case Op::BvURem:
      return bits(euclidean_mod(x, y), w);
    case Op::BvSDiv:
      return bits(truncated_div(x, y), w);
    case Op::BvSRem:
      return bits(x - y * truncated_div(x, y), w);
    default: {  // BvSMod: the sign of the divisor
      Integer m = euclidean_mod(x, y);
      return bits(m.is_zero() || y.sign() > 0 ? m : m + y, w);
    }
  }
}

Value shifted(Op op, const BitVectorValue& a, const BitVectorValue& b) {
  std::uint32_t w = a.width;
  auto by = b.bits.to_int64();
  bool all_out = !by || *by >= w;
  std::uint32_t n = all_out ? w : static_cast<std::uint32_t>(*by);
  if (op == Op::BvShl) return bits(all_out ? Integer(0) : a.bits * power_of_two(n), w);
  Integer x = op == Op::BvAShr ? to_signed(a) : a.bits;
  return bits(euclidean_div(x, power_of_two(n)), w);
}

Value bitwise(Op op, const BitVectorValue& a, const BitVectorValue& b) {
  mpz_class x = to_mpz(a.bits);
  mpz_class y = to_mpz(b.bits);
  mpz_class z;
  if (op == Op::BvAnd) {
    z = x & y;
  } else if (op == Op::BvOr) {
    z = x | y;
  } else {
    z = x ^ y;
  }
  return bits(from_mpz(z), a.width);
}

}  // namespace

Value apply_bits(const ExprPool& pool, const Operation& operation,
                 std::span<const Value* const> arguments) {
  std::uint32_t width = pool.info(operation.type).width;
  if (operation.op == Op::IntToBv) return bits(arguments[0]->as_integer(), width);
  const BitVectorValue& a = arguments[0]->as_bit_vector();
  const BitVectorValue& b = arguments[arguments.size() > 1 ? 1 : 0]->as_bit_vector();
  switch (operation.op) {
    case Op::BvNot:
      return bits(-a.bits - 1, width);
    case Op::BvNeg:
      return bits(-a.bits, width);
    case Op::BvAnd:
    case Op::BvOr:
    case Op::BvXor:
      return bitwise(operation.op, a, b);
    case Op::BvAdd:
      return bits(a.bits + b.bits, width);
    case Op::BvSub:
      return bits(a.bits - b.bits, width);
    case Op::BvMul:
      return bits(a.bits * b.bits, width);
    case Op::BvUDiv:
    case Op::BvURem:
    case Op::BvSDiv:
    case Op::BvSRem:
    case Op::BvSMod:
      return divided(operation.op, a, b);
    case Op::BvShl:
    case Op::BvLShr:
    case Op::BvAShr:
      return shifted(operation.op, a, b);
    case Op::BvULt:
      return Value(a.bits < b.bits);
    case Op::BvULe:
      return Value(a.bits <= b.bits);
    case Op::BvSLt:
      return Value(to_signed(a) < to_signed(b));
    case Op::BvSLe:
      return Value(to_signed(a) <= to_signed(b));
    case Op::BvConcat:
      return bits(a.bits * power_of_two(b.width) + b.bits, width);
    case Op::BvExtract:
      return bits(euclidean_div(a.bits, power_of_two(operation.low)), width);
    case Op::BvZeroExtend:
      return bits(a.bits, width);
    case Op::BvSignExtend:
      return bits(to_signed(a), width);
    case Op::BvToNat:
      return Value(a.bits);
    default:
      break;
  }
  WHITTLE_REQUIRE(false, std::string("no bit-vector operator: ") + facts(operation.op).name);
  return Value();
}

}  // namespace whittle
