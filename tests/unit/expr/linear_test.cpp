// SPDX-License-Identifier: Apache-2.0
#include "expr/linear.h"

#include <gtest/gtest.h>

#include <random>

#include "expr/evaluate.h"
#include "expr/print.h"
#include "expr/traverse.h"
#include "support/effort.h"

namespace whittle {
namespace {

class LinearTest : public ::testing::Test {
 protected:
  ExprPool pool;
  SymbolId x_symbol = pool.declare("x", Type::integer());
  SymbolId y_symbol = pool.declare("y", Type::integer());
  Expr x = pool.symbol(x_symbol);
  Expr y = pool.symbol(y_symbol);

  Expr number(int value) { return pool.integer(value); }
  static Rational ratio(int numerator, int denominator = 1) {
    return {Integer(numerator), Integer(denominator)};
  }
  LinearForm<Expr> form(Expr term) {
    const Summand whole{ratio(1), term};
    const auto result = linear_form(pool, {&whole, 1}, 100);
    EXPECT_TRUE(result.has_value());
    return result.value_or(LinearForm<Expr>());
  }
};

TEST_F(LinearTest, SumsEqualTerms) {
  const auto sum = form(pool.add(pool.mul(number(2), pool.sub(x, y)), pool.add(x, number(1))));
  EXPECT_EQ(sum.of(x), ratio(3));
  EXPECT_EQ(sum.of(y), ratio(-2));
  EXPECT_EQ(sum.constant, ratio(1));
}

TEST_F(LinearTest, TermsThatCancelAreGone) {
  const auto sum = form(pool.sub(pool.add(x, y), pool.add(y, x)));
  EXPECT_TRUE(sum.factors.empty());
  EXPECT_EQ(sum.constant.sign(), 0);
}

TEST_F(LinearTest, ProductsOfVariablesAreKeys) {
  const Expr product = pool.mul(x, y);
  EXPECT_EQ(form(pool.minus(product)).of(product), ratio(-1));
  EXPECT_FALSE(variables_form(pool, product, 100));
  const auto known = variables_form(pool, pool.add(x, number(3)), 100);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->of(x_symbol), ratio(1));
  EXPECT_EQ(known->of(y_symbol), ratio(0));
}

TEST_F(LinearTest, CastsAreSeenThroughOrKept) {
  const Expr cast = pool.to_real(x);
  const Summand whole{ratio(1, 2), cast};
  const auto kept = summands(pool, {&whole, 1}, 100, Casts::Keep);
  ASSERT_TRUE(kept && kept->size() == 1);
  EXPECT_EQ(kept->front().term, cast);
  const auto through = summands(pool, {&whole, 1}, 100, Casts::Through);
  ASSERT_TRUE(through && through->size() == 1);
  EXPECT_EQ(through->front().term, x);
  EXPECT_EQ(through->front().factor, ratio(1, 2));
}

// x doubled 60 times over shared subterms has 2^60 summands.
TEST_F(LinearTest, SharedSumsEndAtTheLimit) {
  Expr sum = pool.ite(pool.lt(x, y), x, y);
  for (int i = 0; i < 60; ++i) sum = pool.sub(sum, pool.minus(sum));
  const Summand whole{ratio(1), sum};
  EXPECT_FALSE(linear_form(pool, {&whole, 1}, 1000));
}

TEST_F(LinearTest, PrimitiveFormsBeginPositive) {
  LinearForm<Expr> sum;
  sum.add(x, ratio(-2, 3));
  sum.add(y, ratio(4, 9));
  EXPECT_EQ(sum.make_primitive(), ratio(-2, 9));
  EXPECT_EQ(sum.of(x), ratio(3));
  EXPECT_EQ(sum.of(y), ratio(-2));
  EXPECT_EQ(to_string(pool, homogeneous_part(pool, sum)), "3 * x - 2 * y");
}

TEST_F(LinearTest, ScalingByNothingLeavesNothing) {
  LinearForm<Expr> sum = form(pool.add(x, number(2)));
  sum.scale(ratio(0));
  EXPECT_TRUE(sum.factors.empty());
  EXPECT_EQ(sum.constant, ratio(0));
}

TEST_F(LinearTest, OneSymbolWithTermsAsFactor) {
  LinearIn linear(pool, x_symbol);
  EXPECT_FALSE(linear.mentions(y));
  const auto found = linear.form(pool.add(pool.mul(y, x), pool.sub(y, x)));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->factor, pool.sub(y, number(1)));
  EXPECT_EQ(found->rest, y);
  EXPECT_FALSE(linear.form(pool.mul(x, x)));
  EXPECT_FALSE(linear.form(pool.ite(pool.lt(x, y), x, y)));
}

// On random terms: what is split has the value of the whole.
TEST_F(LinearTest, FormsKeepTheValue) {
  std::mt19937 random(11);
  for (int round = 0; round < 300 * test::effort(); ++round) {
    std::vector<Expr> terms = {x, y, number(static_cast<int>(random() % 7) - 3)};
    for (int i = 0; i < 8; ++i) {
      const Expr a = terms[random() % terms.size()];
      const Expr b = terms[random() % terms.size()];
      switch (random() % 4) {
        case 0:
          terms.push_back(pool.add(a, b));
          break;
        case 1:
          terms.push_back(pool.sub(a, b));
          break;
        case 2:
          terms.push_back(pool.minus(a));
          break;
        default:
          terms.push_back(pool.mul(number(static_cast<int>(random() % 5) - 2), b));
      }
    }
    Substitution at(pool);
    at.set(x_symbol, number(static_cast<int>(random() % 19) - 9));
    at.set(y_symbol, number(static_cast<int>(random() % 19) - 9));
    const Expr term = terms.back();
    const LinearForm<Expr> sum = form(term);
    Rational value = sum.constant;
    for (const auto& [key, factor] : sum.factors)
      value = value + factor * rational(pool.value(at(key)));
    EXPECT_EQ(value, rational(pool.value(at(term)))) << to_string(pool, term);
    LinearIn linear(pool, x_symbol);
    const auto split = linear.form(term);
    ASSERT_TRUE(split);
    EXPECT_FALSE(linear.mentions(split->factor) || linear.mentions(split->rest));
    EXPECT_EQ(at(pool.add(pool.mul(split->factor, x), split->rest)), at(term));
  }
}

}  // namespace
}  // namespace whittle
