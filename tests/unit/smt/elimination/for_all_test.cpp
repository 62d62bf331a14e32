// SPDX-License-Identifier: Apache-2.0
#include "smt/elimination/for_all.h"

#include <gtest/gtest.h>

#include "expr/traverse.h"
#include "smt/solvers.h"

namespace whittle::smt {
namespace {

class HoldsForAll : public ::testing::Test {
 protected:
  ExprPool pool;
  SymbolId i = pool.declare("i", Type::integer());
  SymbolId j = pool.declare("j", Type::integer());
  SymbolId p = pool.declare("p", Type::boolean());
  SymbolId a = pool.declare("a", Type::integer());
  SymbolId b = pool.declare("b", Type::integer());

  Expr of(SymbolId symbol) { return pool.symbol(symbol); }
  Expr number(int value) { return pool.integer(Integer(value)); }

  // At every point of a grid, the result holds exactly where no i, j, p make the formula false.
  void expect_exact(Expr formula) {
    const std::vector<SymbolId> bound{i, j, p};
    const auto result = holds_for_all(pool, formula, bound, {});
    ASSERT_TRUE(result.has_value());
    for (const SymbolId symbol : symbols(pool, *result)) EXPECT_TRUE(symbol == a || symbol == b);
    auto solver = make_solver(SolverId::Z3, pool);
    for (int x = -2; x <= 2; ++x) {
      for (int y = -2; y <= 2; ++y) {
        Substitution point(pool);
        point.set(a, number(x));
        point.set(b, number(y));
        const Expr wrong = pool.negate(point(formula));
        const Answer answer = solver->check_assuming({&wrong, 1}).answer;
        ASSERT_NE(answer, Answer::Unknown);
        EXPECT_EQ(point(*result), pool.boolean(answer == Answer::Unsat)) << x << " " << y;
      }
    }
  }
};

TEST_F(HoldsForAll, WithoutTheSymbolsNothingChanges) {
  const Expr formula = pool.lt(of(a), of(b));
  EXPECT_EQ(holds_for_all(pool, formula, std::span(&i, 1), {}), formula);
}

TEST_F(HoldsForAll, OneComparisonHoldsForNoNumberOfAll) {
  EXPECT_EQ(holds_for_all(pool, pool.lt(of(a), of(i)), std::span(&i, 1), {}), pool.boolean(false));
  expect_exact(pool.disj(pool.lt(of(a), of(i)), pool.eq(of(a), of(b))));
  expect_exact(pool.ne(pool.add(of(i), of(a)), of(b)));
}

TEST_F(HoldsForAll, EquationsAreSubstituted) {
  expect_exact(pool.disj(pool.ne(of(i), of(a)), pool.lt(of(i), of(b))));
  expect_exact(pool.implies(
      pool.conj(pool.eq(of(i), pool.add(of(a), number(1))), pool.eq(of(j), pool.add(of(i), of(i)))),
      pool.le(of(j), of(b))));
}

TEST_F(HoldsForAll, CasesAreApart) {
  expect_exact(pool.ite(pool.lt(of(a), of(b)), pool.le(of(i), of(i)), pool.le(of(i), of(b))));
  expect_exact(pool.ite(of(p), pool.lt(of(a), of(b)), pool.le(of(b), of(a))));
  expect_exact(pool.eq(of(p), pool.lt(of(a), number(0))));
  expect_exact(pool.disj(pool.conj(of(p), pool.lt(of(a), number(1))),
                         pool.conj(pool.negate(of(p)), pool.lt(of(b), number(1)))));
}

TEST_F(HoldsForAll, WhatIsLeftGoesToASolver) {
  expect_exact(pool.disj(pool.lt(of(i), of(a)), pool.lt(of(b), of(i))));
  expect_exact(pool.disj(
      std::vector<Expr>{pool.lt(of(i), of(j)), pool.lt(of(j), of(a)), pool.lt(of(b), of(i))}));
}

}  // namespace
}  // namespace whittle::smt
