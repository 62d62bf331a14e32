// SPDX-License-Identifier: Apache-2.0
#include "expr/fourier_motzkin.h"

#include <gtest/gtest.h>

#include <random>

#include "expr/print.h"
#include "support/effort.h"

namespace whittle {
namespace {

constexpr std::size_t kMost = 100;

class FourierMotzkinTest : public ::testing::Test {
 protected:
  ExprPool pool;
  Expr a = pool.symbol(pool.declare("a", Type::integer()));
  Expr b = pool.symbol(pool.declare("b", Type::integer()));

  Expr number(int value) { return pool.integer(value); }
  LinearBound bound(int factor, int value, bool strict) {
    return {number(factor), number(value), strict};
  }
  std::string integers(const LinearBounds& bounds, std::size_t most = kMost) {
    const auto result = within_bounds(pool, bounds, Type::integer(), most);
    return result ? to_string(pool, *result) : "none";
  }
};

TEST_F(FourierMotzkinTest, ComparesEachPair) {
  const Expr one = number(1);
  EXPECT_EQ(integers({{{one, a}}, {{one, b}}}), "a <= b");
  EXPECT_EQ(integers({{{one, a, true}}, {{one, b, true}}}), "a + 1 < b");
  EXPECT_EQ(integers({{{one, a}}, {{number(3), b}}}), "3 * a <= b");
  EXPECT_EQ(integers({{{one, a}}, {}}), "true");
  EXPECT_EQ(integers({{{one, a}, {one, b}}, {{one, a}}}, 1), "none");
}

TEST_F(FourierMotzkinTest, ExcludedValuesNeedAnOpenSide) {
  const Expr one = number(1);
  EXPECT_EQ(integers({{{one, a}}, {{one, b}}, true}), "none");
  EXPECT_EQ(integers({{}, {{one, b}}, true}), "true");
}

// 1 <= 2 x and 3 x <= 2 have a solution among the reals only.
TEST_F(FourierMotzkinTest, IntegersNeedACoefficientOfOne) {
  EXPECT_EQ(integers({{bound(2, 1, false)}, {bound(3, 2, false)}}), "none");
  const auto real = [&](int value) { return pool.real(Rational(Integer(value))); };
  const LinearBounds bounds{{{real(2), real(1)}}, {{real(3), real(2)}}};
  const auto result = within_bounds(pool, bounds, Type::real(), kMost);
  ASSERT_TRUE(result);
  EXPECT_TRUE(pool.is_true(*result));
}

// Beside trying all values.
TEST_F(FourierMotzkinTest, RandomBounds) {
  std::mt19937 random(3);
  unsigned decided = 0;
  for (int round = 0; round < 2000 * test::effort(); ++round) {
    LinearBounds bounds;
    bool found = false;
    const auto add = [&](std::vector<LinearBound>& to) {
      for (unsigned i = 0; i <= random() % 2; ++i)
        to.push_back(bound(1 + static_cast<int>(random() % 3), static_cast<int>(random() % 21) - 10,
                           random() % 2 == 0));
    };
    add(bounds.lower);
    add(bounds.upper);
    const auto result = within_bounds(pool, bounds, Type::integer(), kMost);
    if (!result) continue;
    ++decided;
    for (int x = -30; x <= 30 && !found; ++x) {
      found = true;
      const auto holds = [&](const LinearBound& at, bool lower) {
        const Expr product = pool.mul(at.factor, number(x));
        const Expr low = lower ? at.term : product;
        const Expr high = lower ? product : at.term;
        return pool.is_true(at.strict ? pool.lt(low, high) : pool.le(low, high));
      };
      for (const LinearBound& at : bounds.lower) found = found && holds(at, true);
      for (const LinearBound& at : bounds.upper) found = found && holds(at, false);
    }
    EXPECT_EQ(pool.is_true(*result), found);
  }
  EXPECT_GT(decided, 300U);
}

}  // namespace
}  // namespace whittle
