// SPDX-License-Identifier: Apache-2.0
#include "expr/case_lifting.h"

#include <gtest/gtest.h>

namespace whittle {
namespace {

class CasesLifted : public ::testing::Test {
 protected:
  ExprPool pool;
  Expr p = pool.symbol(pool.declare("p", Type::boolean()));
  Expr q = pool.symbol(pool.declare("q", Type::boolean()));
  Expr x = pool.symbol(pool.declare("x", Type::integer()));
  CaseLifting lifted{pool};

  Expr number(int value) { return pool.integer(Integer(value)); }
};

TEST_F(CasesLifted, AComparisonWithAConstantIsAboutTheCondition) {
  EXPECT_EQ(lifted(pool.eq(pool.ite(p, number(1), number(0)), number(1))), p);
  EXPECT_EQ(lifted(pool.eq(pool.ite(p, number(1), number(0)), number(0))), pool.negate(p));
  EXPECT_EQ(lifted(pool.eq(pool.ite(p, number(1), number(0)), number(2))), pool.boolean(false));
}

TEST_F(CasesLifted, WhatIsOpenStaysAComparison) {
  const Expr cases = pool.ite(p, number(1), pool.ite(q, number(5), x));
  EXPECT_EQ(
      lifted(pool.lt(cases, number(3))),
      pool.ite(p, pool.boolean(true), pool.ite(q, pool.boolean(false), pool.lt(x, number(3)))));
}

TEST_F(CasesLifted, OthersStayAsTheyAre) {
  const Expr open = pool.lt(pool.ite(p, number(1), x), x);
  EXPECT_EQ(lifted(open), open);
  EXPECT_EQ(lifted(pool.conj(p, q)), pool.conj(p, q));
}

TEST_F(CasesLifted, SharedCasesAreLookedAtOnce) {
  Expr deep = x;
  for (int i = 0; i < 20'000; ++i)
    deep = pool.ite(i % 2 == 0 ? p : q, pool.add(deep, number(i)), x);
  const std::size_t before = pool.size();
  const Expr result = lifted(pool.eq(deep, number(7)));
  EXPECT_EQ(pool.type(result), Type::boolean());
  EXPECT_LT(pool.size() - before, 10U);
}

}  // namespace
}  // namespace whittle
