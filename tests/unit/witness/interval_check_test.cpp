// SPDX-License-Identifier: Apache-2.0
#include "witness/interval_check.h"

#include <gtest/gtest.h>

#include "smt/solvers.h"

namespace whittle {
namespace {

class IntervalCheck : public ::testing::Test {
 protected:
  ExprPool pool;
  Expr x = pool.symbol(pool.declare("x", Type::integer()));
  Expr y = pool.symbol(pool.declare("y", Type::integer()));
  Expr r = pool.symbol(pool.declare("r", Type::real()));
  Expr p = pool.symbol(pool.declare("p", Type::boolean()));

  Expr number(int value) { return pool.integer(value); }
  Expr between(int low, Expr term, int high) {
    return pool.conj(pool.le(number(low), term), pool.le(term, number(high)));
  }
};

TEST_F(IntervalCheck, AddsBounds) {
  const Expr given = pool.conj(between(1, x, 10), between(5, y, 50));
  const Expr sum = pool.add(x, y);
  EXPECT_TRUE(refuted_by_intervals(pool, pool.conj(given, pool.negate(between(6, sum, 60)))));
  EXPECT_FALSE(refuted_by_intervals(pool, pool.conj(given, pool.negate(between(6, sum, 59)))));
  EXPECT_FALSE(refuted_by_intervals(pool, pool.conj(given, pool.negate(between(7, sum, 60)))));
}

TEST_F(IntervalCheck, RoundsIntegersOnly) {
  auto strictly_between = [&](Expr term, Expr low, Expr high) {
    return pool.conj(pool.lt(low, term), pool.lt(term, high));
  };
  EXPECT_TRUE(refuted_by_intervals(pool, strictly_between(x, number(3), number(4))));
  EXPECT_FALSE(refuted_by_intervals(pool, strictly_between(x, number(3), number(5))));
  EXPECT_FALSE(refuted_by_intervals(
      pool, strictly_between(r, pool.real(Rational(Integer(3))), pool.real(Rational(Integer(4))))));
  EXPECT_TRUE(refuted_by_intervals(
      pool, strictly_between(r, pool.real(Rational(Integer(3))), pool.real(Rational(Integer(3))))));
}

TEST_F(IntervalCheck, PropositionsAndChoices) {
  EXPECT_TRUE(refuted_by_intervals(pool, pool.conj(between(0, x, 3), pool.gt(x, number(3)))));
  const Expr choice = pool.disj(pool.lt(x, number(0)), pool.conj(p, pool.lt(number(9), x)));
  EXPECT_TRUE(refuted_by_intervals(pool, pool.conj(between(0, x, 9), choice)));
  EXPECT_FALSE(refuted_by_intervals(pool, pool.conj(between(0, x, 10), choice)));
  EXPECT_FALSE(refuted_by_intervals(pool, choice));
}

// Never claims what a solver denies.
TEST_F(IntervalCheck, AgreesWithASolver) {
  std::uint64_t state = 7;
  auto pick = [&](int n) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<int>((state >> 33U) % static_cast<std::uint64_t>(n));
  };
  int refuted = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<Expr> parts;
    for (int k = 0; k < 4; ++k) {
      const Expr left =
          pool.add(pool.mul(number(pick(5) - 2), x), pool.mul(number(pick(5) - 2), y));
      Expr atom =
          pick(3) == 0 ? pool.eq(left, number(pick(9) - 4)) : pool.lt(left, number(pick(9) - 4));
      if (pick(2) == 0) atom = pool.negate(atom);
      if (pick(3) == 0) atom = pool.disj(atom, pool.lt(x, number(pick(9) - 4)));
      parts.push_back(atom);
    }
    const Expr condition = pool.conj(parts);
    if (!refuted_by_intervals(pool, condition)) continue;
    ++refuted;
    auto solver = smt::make_solver(smt::SolverId::Z3, pool);
    solver->require(condition);
    EXPECT_EQ(solver->check().answer, smt::Answer::Unsat) << i;
  }
  EXPECT_GT(refuted, 5);
}

}  // namespace
}  // namespace whittle
