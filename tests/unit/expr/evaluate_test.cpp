// SPDX-License-Identifier: Apache-2.0
#include "expr/evaluate.h"

#include <gtest/gtest.h>

#include "expr/print.h"
#include "support/random_terms.h"

namespace whittle {
namespace {

class EvaluateTest : public ::testing::Test {
 protected:
  Expr variable(const std::string& name, Type type) {
    return pool.symbol(pool.declare(name, type));
  }
  Expr i(long n) { return pool.integer(Integer(n)); }
  void set(Expr variable, Value value) {
    values.insert_or_assign(pool.symbol_of(variable), std::move(value));
  }
  // The value as text, or why there is none.
  std::string run(Expr e) {
    Evaluator evaluate(pool);
    auto result = evaluate(e, test::lookup(values));
    if (!result) return to_string(pool, result.error().term) + ": " + result.error().reason;
    return to_string(pool, *result, pool.type(e));
  }
  Expr range(long from, long to) {
    std::vector<Expr> elements;
    for (long n = from; n <= to; ++n) elements.push_back(i(n));
    return pool.set_of(pool.set_type(Type::integer()), elements);
  }

  ExprPool pool;
  test::Assignment values;
  Expr x = variable("x", Type::integer());
  Expr y = variable("y", Type::integer());
  Type three = pool.array_type(Type::integer(), Type::integer(), 3);
  Expr a = variable("a", three);
};

TEST_F(EvaluateTest, SaysWhichTermIsUndefined) {
  set(x, 5);
  set(y, 0);
  set(a, pool.default_value(three));
  EXPECT_EQ(run(pool.add(i(1), pool.make(Op::IDiv, {x, y}))), "x / y: division by zero");
  EXPECT_EQ(run(pool.make(Op::Mod, {x, y})), "x % y: remainder of a division by zero");
  EXPECT_EQ(run(pool.select(a, x)), "a[x]: index 5 outside of 0..2");
  EXPECT_EQ(run(pool.store(a, pool.minus(x), y)), "a[-x := y]: index -5 outside of 0..2");
  EXPECT_EQ(run(variable("z", Type::integer())), "z: a symbol without a value");
  SymbolId f = pool.declare("balance", Type::integer(), {Type::integer()});
  Expr argument[] = {x};
  EXPECT_EQ(run(pool.apply(f, argument)), "balance(x): a reference to nothing");
}

TEST_F(EvaluateTest, LeftSidesGuardRightSides) {
  set(x, 5);
  set(y, 0);
  Expr fits = pool.eq(pool.make(Op::IDiv, {x, y}), i(2));
  Expr safe = pool.ne(y, i(0));
  EXPECT_EQ(run(pool.conj(safe, fits)), "false");
  EXPECT_EQ(run(pool.disj(pool.eq(y, i(0)), fits)), "true");
  EXPECT_EQ(run(pool.implies(safe, fits)), "true");
  EXPECT_EQ(run(pool.ite(safe, pool.make(Op::IDiv, {x, y}), i(7))), "7");
  EXPECT_EQ(run(pool.conj(fits, safe)), "x / y: division by zero");
}

TEST_F(EvaluateTest, SymbolsWithParameters) {
  SymbolId f = pool.declare("f", Type::integer(), {Type::integer(), Type::integer()});
  Expr inner[] = {x, i(1)};
  Expr outer[] = {pool.apply(f, inner), y};
  Evaluator evaluate(pool);
  auto result = evaluate(pool.apply(f, outer),
                         [&](SymbolId s, std::span<const Value> v) -> std::optional<Value> {
                           if (s == pool.symbol_of(x)) return Value(10);
                           if (s == pool.symbol_of(y)) return Value(3);
                           return Value(v[0].as_integer() - v[1].as_integer());
                         });
  ASSERT_TRUE(result);
  EXPECT_EQ(result->as_integer(), Integer(6));
}

TEST_F(EvaluateTest, NestedQuantifiers) {
  Expr k = variable("k", Type::integer());
  Expr m = variable("m", Type::integer());
  // For every k in 1..4 some m in 1..x is its successor: holds from x = 5.
  Expr some = pool.make(Op::Exists, {m, pool.make(Op::Filter, {m, range(1, 9), pool.le(m, x)}),
                                     pool.eq(m, pool.add(k, i(1)))});
  Expr all = pool.make(Op::Forall, {k, range(1, 4), some});
  set(x, 4);
  EXPECT_EQ(run(all), "false");
  set(x, 5);
  EXPECT_EQ(run(all), "true");
}

TEST_F(EvaluateTest, OneSymbolBoundTwice) {
  Expr k = variable("k", Type::integer());
  // The inner k hides the outer one, which has its value again behind the inner quantifier.
  Expr inner = pool.make(Op::Exists, {k, range(5, 6), pool.eq(k, i(6))});
  Expr body = pool.conj(pool.conj(pool.lt(k, i(4)), inner), pool.lt(pool.add(k, i(0)), i(4)));
  EXPECT_EQ(run(pool.make(Op::Forall, {k, range(1, 3), body})), "true");
  set(k, 6);
  EXPECT_EQ(run(pool.conj(pool.make(Op::Forall, {k, range(1, 3), body}), pool.eq(k, i(6)))),
            "true");
}

TEST_F(EvaluateTest, QuantifiersLookAtEveryElementWhenTheBodyCanBeUndefined) {
  Expr k = variable("k", Type::integer());
  Expr one = pool.eq(pool.make(Op::IDiv, {i(1), k}), i(1));
  EXPECT_EQ(run(pool.make(Op::Exists, {k, range(1, 3), one})), "true");
  EXPECT_EQ(run(pool.make(Op::Exists, {k, range(-1, 3), one})), "1 / k: division by zero");
  EXPECT_EQ(run(pool.make(Op::Forall, {k, range(0, 3), one})), "1 / k: division by zero");
}

TEST_F(EvaluateTest, ArraysAreEqualWhenTheirElementsAre) {
  Expr zeros = pool.const_array(three, i(0));
  Expr sevens = pool.const_array(three, i(7));
  Expr stored = zeros;
  for (long n = 0; n < 3; ++n) stored = pool.store(stored, pool.add(x, i(n)), i(7));
  set(x, 0);
  EXPECT_EQ(run(pool.eq(stored, sevens)), "true");
  EXPECT_EQ(run(stored), "[7, 7, 7]");
  // The same with an enumeration as index.
  Type color = pool.enum_type("Color", {"Red", "Green"});
  Type map = pool.array_type(color, Type::boolean());
  Expr c = variable("c", color);
  Expr trues = pool.const_array(map, pool.boolean(true));
  Expr one = pool.store(pool.const_array(map, pool.boolean(false)), c, pool.boolean(true));
  Expr both = pool.store(one, pool.constant(EnumValue{0}, color), pool.boolean(true));
  set(c, EnumValue{1});
  EXPECT_EQ(run(pool.eq(both, trues)), "true");
  set(c, EnumValue{0});
  EXPECT_EQ(run(pool.eq(both, trues)), "false");
}

TEST_F(EvaluateTest, ArraysFromTheLookupNeedNoNormalForm) {
  ArrayValue sevens{Value(7), {{Value(5), Value(1)}}};  // index 5 does not exist
  set(a, Value::array(sevens));
  EXPECT_EQ(run(pool.eq(a, pool.const_array(three, i(7)))), "true");
}

TEST_F(EvaluateTest, AnExceptionInTheLookupLeavesAUsableEvaluator) {
  Evaluator evaluate(pool);
  Expr sum = pool.add(x, y);
  auto failing = [](SymbolId, std::span<const Value>) -> std::optional<Value> {
    throw ResourceError("no more");
  };
  EXPECT_THROW((void)evaluate(sum, failing), ResourceError);
  set(x, 1);
  set(y, 2);
  auto result = evaluate(sum, test::lookup(values));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->as_integer(), Integer(3));
}

// ------------------------------------------------------------------------------- bit vectors

// All operators on all values of four bits, against the same on machine words.
class BitVectorTest : public EvaluateTest {
 protected:
  static int to_signed(unsigned v) {
    return v < 8 ? static_cast<int>(v) : static_cast<int>(v) - 16;
  }
  Expr bv(unsigned v, std::uint32_t width = 4) {
    return pool.constant(BitVectorValue{Integer(v), width}, pool.bit_vector_type(width));
  }
  unsigned number(Expr e) {
    EXPECT_TRUE(pool.is_const(e));
    return static_cast<unsigned>(*pool.value(e).as_bit_vector().bits.to_int64());
  }
};

unsigned four_bits(Op op, unsigned a, unsigned b) {
  auto s = [](unsigned v) { return v < 8 ? static_cast<int>(v) : static_cast<int>(v) - 16; };
  int x = s(a);
  int y = s(b);
  auto bits = [](int v) { return static_cast<unsigned>(v) & 15U; };
  switch (op) {
    case Op::BvAnd:
      return a & b;
    case Op::BvOr:
      return a | b;
    case Op::BvXor:
      return a ^ b;
    case Op::BvAdd:
      return (a + b) & 15U;
    case Op::BvSub:
      return (a - b) & 15U;
    case Op::BvMul:
      return (a * b) & 15U;
    case Op::BvUDiv:
      return b == 0 ? 15U : a / b;
    case Op::BvURem:
      return b == 0 ? a : a % b;
    case Op::BvSDiv:
      return b == 0 ? (x < 0 ? 1U : 15U) : bits(x / y);
    case Op::BvSRem:
      return b == 0 ? a : bits(x % y);
    case Op::BvSMod: {
      if (b == 0) return a;
      int m = x % y;
      return bits(m != 0 && (m < 0) != (y < 0) ? m + y : m);
    }
    case Op::BvShl:
      return b >= 4 ? 0U : (a << b) & 15U;
    case Op::BvLShr:
      return b >= 4 ? 0U : a >> b;
    case Op::BvAShr:
      return bits(x >> (b >= 4 ? 3U : b));
    default:
      return 0;
  }
}

TEST_F(BitVectorTest, AgreesWithMachineWords) {
  for (unsigned v = 0; v < 16; ++v) {
    for (unsigned w = 0; w < 16; ++w) {
      for (Op op :
           {Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvAdd, Op::BvSub, Op::BvMul, Op::BvUDiv, Op::BvURem,
            Op::BvSDiv, Op::BvSRem, Op::BvSMod, Op::BvShl, Op::BvLShr, Op::BvAShr}) {
        EXPECT_EQ(number(pool.make(op, {bv(v), bv(w)})), four_bits(op, v, w))
            << static_cast<int>(op) << " " << v << " " << w;
      }
      EXPECT_EQ(pool.is_true(pool.make(Op::BvULt, {bv(v), bv(w)})), v < w);
      EXPECT_EQ(pool.is_true(pool.make(Op::BvULe, {bv(v), bv(w)})), v <= w);
      EXPECT_EQ(pool.is_true(pool.make(Op::BvSLt, {bv(v), bv(w)})), to_signed(v) < to_signed(w));
      EXPECT_EQ(pool.is_true(pool.make(Op::BvSLe, {bv(v), bv(w)})), to_signed(v) <= to_signed(w));
      EXPECT_EQ(number(pool.make(Op::BvConcat, {bv(v), bv(w)})), v * 16 + w);
    }
    EXPECT_EQ(number(pool.make(Op::BvNot, {bv(v)})), 15 - v);
    EXPECT_EQ(number(pool.make(Op::BvNeg, {bv(v)})), (16 - v) % 16);
    EXPECT_EQ(number(pool.bv_extend(Op::BvZeroExtend, bv(v), 4)), v);
    EXPECT_EQ(number(pool.bv_extend(Op::BvSignExtend, bv(v), 4)), v < 8 ? v : v + 240);
    EXPECT_EQ(number(pool.bv_extract(bv(v), 2, 1)), (v >> 1U) & 3U);
    EXPECT_EQ(pool.make(Op::BvToNat, {bv(v)}), i(v));
    EXPECT_EQ(number(pool.int_to_bv(i(static_cast<long>(v) - 32), 4)), v);
  }
}

TEST_F(BitVectorTest, IndicesAndTypes) {
  Expr v = variable("v", pool.bit_vector_type(8));
  Expr middle = pool.bv_extract(v, 5, 2);
  EXPECT_EQ(pool.indices(middle), std::make_pair(5U, 2U));
  EXPECT_EQ(pool.info(pool.type(middle)).width, 4U);
  Expr wide = pool.bv_extend(Op::BvSignExtend, v, 24);
  EXPECT_EQ(pool.indices(wide).first, 24U);
  EXPECT_EQ(pool.info(pool.type(wide)).width, 32U);
  EXPECT_EQ(pool.bv_extract(v, 7, 0), v);
  EXPECT_EQ(pool.info(pool.type(pool.make(Op::BvConcat, {v, middle}))).width, 12U);
  EXPECT_EQ(to_string(pool, middle), "v[5:2]");
  EXPECT_EQ(to_string(pool, wide), "sign_extend(v, 24)");
  EXPECT_EQ(to_string(pool, bv(5, 6)), "#b000101");
  EXPECT_EQ(to_string(pool, bv(0x2a, 8)), "#x2a");
  EXPECT_THROW((void)pool.bv_extract(v, 8, 0), InternalError);
}

}  // namespace
}  // namespace whittle
