// SPDX-License-Identifier: Apache-2.0
#include "smt/elimination/equation_elimination.h"

#include <gtest/gtest.h>

#include "expr/traverse.h"
#include "smt/solvers.h"

namespace whittle::smt {
namespace {

class EquationElimination : public ::testing::Test {
 protected:
  ExprPool pool;
  SymbolId x = pool.declare("x", Type::real());
  SymbolId a = pool.declare("a", Type::real());
  SymbolId b = pool.declare("b", Type::real());
  Expr zero = pool.real(Rational());

  Expr of(SymbolId symbol) { return pool.symbol(symbol); }

  // At every point of a grid, the result holds exactly if some x satisfies the formula.
  void expect_exact(Expr formula) {
    const PartlyEliminated result = eliminated_by_equations(pool, formula, std::span(&x, 1));
    ASSERT_TRUE(result.left.empty());
    for (SymbolId symbol : symbols(pool, result.formula)) EXPECT_NE(symbol, x);
    auto solver = make_solver(SolverId::Z3, pool);
    for (int i = -2; i <= 2; ++i) {
      for (int j = -2; j <= 2; ++j) {
        Substitution point(pool);
        point.set(a, pool.real(Rational(Integer(i))));
        point.set(b, pool.real(Rational(Integer(j))));
        Scope scope(*solver);
        solver->require(point(formula));
        const Answer answer = solver->check().answer;
        ASSERT_NE(answer, Answer::Unknown);
        EXPECT_EQ(point(result.formula), pool.boolean(answer == Answer::Sat)) << i << " " << j;
      }
    }
  }
};

TEST_F(EquationElimination, SolvesEquationsWithAnyCoefficient) {
  const Expr product = pool.mul(of(a), of(x));
  expect_exact(pool.eq(product, of(b)));
  const Expr bounds = pool.conj(pool.ge(of(x), zero), pool.lt(of(x), of(b)));
  expect_exact(pool.conj(pool.eq(product, of(b)), bounds));
  expect_exact(pool.conj(pool.eq(pool.sub(of(b), product), of(x)), pool.le(of(x), of(a))));
}

TEST_F(EquationElimination, JoinsBounds) {
  expect_exact(pool.conj(pool.lt(of(a), of(x)), pool.negate(pool.lt(of(b), of(x)))));
  expect_exact(pool.conj(pool.le(of(a), of(x)), pool.le(of(x), of(b))));
  expect_exact(pool.conj(pool.lt(of(a), pool.minus(of(x))), pool.eq(of(b), zero)));
}

TEST_F(EquationElimination, SplitsCases) {
  const Expr product = pool.mul(of(a), of(x));
  expect_exact(pool.lt(product, of(b)));
  expect_exact(pool.conj(pool.lt(product, of(b)), pool.le(of(a), of(x))));
  expect_exact(
      pool.disj(pool.conj(pool.lt(of(x), of(a)), pool.lt(of(b), of(x))), pool.eq(of(b), zero)));
  expect_exact(
      pool.conj(pool.conj(pool.le(of(a), of(x)), pool.le(of(x), of(b))), pool.ne(of(x), of(a))));
  expect_exact(pool.eq(pool.ite(pool.lt(of(x), zero), of(a), pool.add(of(x), of(b))), zero));
}

TEST_F(EquationElimination, Integers) {
  const SymbolId n = pool.declare("n", Type::integer());
  const SymbolId m = pool.declare("m", Type::integer());
  const Expr two_n = pool.mul(pool.integer(2), of(n));
  // m < n < m + 2 has a solution, m < n < m + 1 has none.
  for (const int wide : {1, 2}) {
    const Expr between =
        pool.conj(pool.lt(of(m), of(n)), pool.lt(of(n), pool.add(of(m), pool.integer(wide))));
    const PartlyEliminated result = eliminated_by_equations(pool, between, std::span(&n, 1));
    ASSERT_TRUE(result.left.empty());
    auto solver = make_solver(SolverId::Z3, pool);
    solver->require(wide == 2 ? pool.negate(result.formula) : result.formula);
    EXPECT_EQ(solver->check().answer, Answer::Unsat);
  }
  // The value is put in, also where the variable is squared.
  const Expr square =
      pool.conj(pool.eq(of(n), of(m)), pool.lt(pool.mul(of(n), of(n)), pool.integer(4)));
  EXPECT_EQ(eliminated_by_equations(pool, square, std::span(&n, 1)).formula,
            pool.lt(pool.mul(of(m), of(m)), pool.integer(4)));
  EXPECT_EQ(eliminated_by_equations(pool, pool.lt(two_n, of(m)), std::span(&n, 1)).formula,
            pool.boolean(true));
}

// At every point of a grid some integer n of a range satisfies the formula exactly if the result
// holds. requires: no other one does.
TEST_F(EquationElimination, IntegersByDivisionAndOneByOne) {
  const SymbolId n = pool.declare("n", Type::integer());
  const SymbolId m = pool.declare("m", Type::integer());
  const SymbolId k = pool.declare("k", Type::integer());
  auto number = [&](int value) { return pool.integer(value); };
  const Expr positive = pool.gt(of(n), number(0));
  const Expr few = pool.conj(pool.ge(of(n), number(-3)), pool.lt(of(n), number(5)));
  const Expr square = pool.mul(of(n), of(n));
  const std::vector<Expr> formulas = {
      pool.eq(pool.mul(number(3), of(n)), of(m)),
      pool.conj(positive, pool.eq(pool.mul(number(-2), of(n)), pool.add(of(m), of(k)))),
      pool.conj(few, pool.eq(pool.mul(of(k), of(n)), of(m))),
      pool.conj(few, pool.eq(square, of(m))),
      pool.conj(few, pool.conj(pool.le(square, of(m)), pool.ne(of(n), of(k)))),
      pool.conj(few, pool.eq(pool.mul(pool.sub(of(k), number(1)), of(n)), of(m)))};
  for (Expr formula : formulas) {
    const PartlyEliminated result = eliminated_by_equations(pool, formula, std::span(&n, 1));
    ASSERT_TRUE(result.left.empty());
    for (int i = -9; i <= 9; ++i) {
      for (int j = -4; j <= 4; ++j) {
        Substitution point(pool);
        point.set(m, number(i));
        point.set(k, number(j));
        bool some = false;
        for (int value = -20; value <= 20; ++value) {
          Substitution here(pool);
          here.set(n, number(value));
          some = some || pool.is_true(here(point(formula)));
        }
        EXPECT_EQ(point(result.formula), pool.boolean(some)) << i << " " << j;
      }
    }
  }
}

TEST_F(EquationElimination, FewValuesAndStrings) {
  const SymbolId flag = pool.declare("flag", Type::boolean());
  EXPECT_EQ(
      eliminated_by_equations(pool, pool.eq(of(flag), pool.lt(of(a), zero)), std::span(&flag, 1))
          .left.size(),
      0U);
  const SymbolId s = pool.declare("s", Type::string());
  const SymbolId t = pool.declare("t", Type::string());
  EXPECT_EQ(eliminated_by_equations(pool, pool.ne(of(s), of(t)), std::span(&s, 1)).formula,
            pool.boolean(true));
  const Expr both = pool.conj(pool.eq(of(s), of(t)), pool.ne(of(s), pool.string("no")));
  EXPECT_EQ(eliminated_by_equations(pool, both, std::span(&s, 1)).formula,
            pool.ne(of(t), pool.string("no")));
}

TEST_F(EquationElimination, LeavesWhatItCannotDo) {
  auto left = [&](Expr formula, SymbolId symbol) {
    return eliminated_by_equations(pool, formula, std::span(&symbol, 1)).left.size();
  };
  EXPECT_EQ(left(pool.eq(pool.mul(of(x), of(x)), of(a)), x), 1U);
  const SymbolId n = pool.declare("n", Type::integer());
  const SymbolId m = pool.declare("m", Type::integer());
  EXPECT_EQ(left(pool.eq(pool.mul(of(n), of(n)), of(m)), n), 1U);
  const Expr wide = pool.conj(pool.ge(of(n), pool.integer(0)), pool.lt(of(n), pool.integer(999)));
  EXPECT_EQ(left(pool.conj(wide, pool.eq(pool.mul(of(n), of(n)), of(m))), n), 1U);
}

}  // namespace
}  // namespace whittle::smt
