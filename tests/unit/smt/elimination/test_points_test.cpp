// SPDX-License-Identifier: Apache-2.0
#include "smt/elimination/test_points.h"

#include <gtest/gtest.h>

#include <random>

#include "expr/traverse.h"

namespace whittle::smt {
namespace {

class TestPointsTest : public ::testing::Test {
 protected:
  ExprPool pool;
  SymbolId i = pool.declare("i", Type::integer());
  SymbolId a = pool.declare("a", Type::integer());
  SymbolId b = pool.declare("b", Type::integer());
  std::mt19937 random{20};

  Expr of(SymbolId symbol) { return pool.symbol(symbol); }
  int any(int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); }

  Expr atom() {
    const Expr others[] = {of(a), of(b), pool.integer(any(5) - 2),
                           pool.add(of(a), pool.integer(any(3)))};
    const Expr left = any(4) == 0 ? pool.minus(of(i)) : of(i);
    const Expr right = others[any(4)];
    const bool swapped = any(2) == 0;
    const Expr x = swapped ? right : left;
    const Expr y = swapped ? left : right;
    switch (any(3)) {
      case 0:
        return pool.eq(x, y);
      case 1:
        return pool.lt(x, y);
      default:
        return pool.le(x, y);
    }
  }
  Expr formula(int depth) {
    if (depth == 0) return atom();
    const Expr x = formula(depth - 1);
    const Expr y = formula(depth - 1);
    switch (any(4)) {
      case 0:
        return pool.conj(x, y);
      case 1:
        return pool.disj(x, y);
      case 2:
        return pool.negate(x);
      default:
        return pool.ite(atom(), x, y);
    }
  }
  Expr at(Expr e, SymbolId symbol, int value) {
    Substitution put(pool);
    put.set(symbol, pool.integer(value));
    return put(e);
  }
};

TEST_F(TestPointsTest, AgreesWithAllValues) {
  int both[2] = {0, 0};
  for (int n = 0; n < 400; ++n) {
    const Expr whole = formula(1 + any(3));
    const auto result = holds_at_test_points(pool, whole, i);
    ASSERT_TRUE(result.has_value());
    for (const SymbolId symbol : symbols(pool, *result)) ASSERT_NE(symbol, i);
    for (int x = -2; x <= 2; ++x) {
      for (int y = -2; y <= 2; ++y) {
        const Expr here = at(at(whole, a, x), b, y);
        bool all = true;
        for (int value = -12; value <= 12; ++value) all = all && pool.is_true(at(here, i, value));
        ASSERT_EQ(at(at(*result, a, x), b, y), pool.boolean(all));
        ++both[all ? 1 : 0];
      }
    }
  }
  EXPECT_GT(both[0], 100);
  EXPECT_GT(both[1], 100);
}

TEST_F(TestPointsTest, OfBitVectorsInBothOrders) {
  const Type type = pool.bit_vector_type(4);
  const SymbolId v = pool.declare("v", type);
  const SymbolId t = pool.declare("t", type);
  const auto bits = [&](int value) { return pool.int_to_bv(pool.integer(value), 4); };
  const Expr all =
      pool.disj(pool.make(Op::BvULe, {of(v), of(t)}), pool.make(Op::BvSLt, {of(v), of(t)}));
  const auto result = holds_at_test_points(pool, all, v);
  ASSERT_TRUE(result.has_value());
  for (int x = 0; x < 16; ++x) {
    bool expected = true;
    for (int value = 0; value < 16; ++value) {
      const int signed_value = value > 7 ? value - 16 : value;
      const int signed_x = x > 7 ? x - 16 : x;
      expected = expected && (value <= x || signed_value < signed_x);
    }
    Substitution put(pool);
    put.set(t, bits(x));
    EXPECT_EQ(put(*result), pool.boolean(expected)) << x;
  }
}

TEST_F(TestPointsTest, GivesUpWhereTheSymbolIsNotJustCompared) {
  EXPECT_FALSE(holds_at_test_points(pool, pool.lt(pool.mul(of(i), of(a)), of(b)), i));
  EXPECT_FALSE(holds_at_test_points(pool, pool.eq(pool.mul(pool.integer(2), of(i)), of(a)), i));
}

}  // namespace
}  // namespace whittle::smt
