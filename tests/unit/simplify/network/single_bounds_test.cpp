// SPDX-License-Identifier: Apache-2.0
#include "simplify/network/single_bounds.h"

#include <gtest/gtest.h>

namespace whittle::simplify {
namespace {

class Bounds : public ::testing::Test {
 protected:
  [[nodiscard]] std::optional<bool> decided(std::vector<Expr> conditions) const {
    return bounds_satisfiable(pool, conditions);
  }
  Expr integer(long n) { return pool.integer(n); }
  Expr half() { return pool.real(Rational(Integer(1), Integer(2))); }

  ExprPool pool;
  Expr k = pool.symbol(pool.declare("k", Type::integer()));
  Expr r = pool.symbol(pool.declare("r", Type::real()));
  Expr b = pool.symbol(pool.declare("b", Type::boolean()));
};

TEST_F(Bounds, OfWholeNumbers) {
  EXPECT_EQ(decided({pool.ge(k, integer(1)), pool.le(k, integer(10))}), true);
  EXPECT_EQ(decided({pool.gt(k, integer(1)), pool.lt(k, integer(2))}), false);
  EXPECT_EQ(decided({pool.gt(k, integer(1)), pool.lt(k, integer(3))}), true);
  EXPECT_EQ(decided({pool.eq(k, integer(4)), pool.negate(pool.le(k, integer(4)))}), false);
  EXPECT_EQ(decided({pool.conj(pool.ge(k, integer(1)), pool.negate(pool.ge(k, integer(1))))}),
            false);
  EXPECT_EQ(decided({pool.eq(integer(4), k), pool.negate(pool.lt(k, integer(4)))}), true);
}

TEST_F(Bounds, OfReals) {
  EXPECT_EQ(decided({pool.gt(r, half()), pool.lt(r, half())}), false);
  EXPECT_EQ(decided({pool.ge(r, half()), pool.le(r, half())}), true);
  EXPECT_EQ(decided({pool.ge(r, half()), pool.lt(r, half())}), false);
  EXPECT_EQ(decided({pool.gt(r, pool.real(Rational())), pool.lt(r, half())}), true);
}

TEST_F(Bounds, OnlyThose) {
  EXPECT_EQ(decided({}), true);
  EXPECT_EQ(decided({pool.boolean(false)}), false);
  EXPECT_EQ(decided({b}), std::nullopt);
  EXPECT_EQ(decided({pool.negate(pool.eq(k, integer(4)))}), std::nullopt);
  EXPECT_EQ(decided({pool.le(pool.add(k, k), integer(4))}), std::nullopt);
}

}  // namespace
}  // namespace whittle::simplify
