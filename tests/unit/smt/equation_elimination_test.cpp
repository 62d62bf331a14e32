// SPDX-License-Identifier: Apache-2.0
#include "smt/equation_elimination.h"

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
    const auto result = eliminated_by_equations(pool, formula, std::span(&x, 1));
    ASSERT_TRUE(result.has_value());
    for (SymbolId symbol : symbols(pool, *result)) EXPECT_NE(symbol, x);
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
        EXPECT_EQ(point(*result), pool.boolean(answer == Answer::Sat)) << i << " " << j;
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

TEST_F(EquationElimination, RefusesWhatItCannotDo) {
  auto refused = [&](Expr formula, SymbolId symbol) {
    return !eliminated_by_equations(pool, formula, std::span(&symbol, 1)).has_value();
  };
  EXPECT_TRUE(refused(pool.eq(pool.mul(of(x), of(x)), of(a)), x));
  EXPECT_TRUE(refused(pool.lt(pool.mul(of(a), of(x)), of(b)), x));
  EXPECT_TRUE(refused(pool.disj(pool.lt(of(x), of(a)), pool.lt(of(b), of(x))), x));
  const SymbolId n = pool.declare("n", Type::integer());
  EXPECT_TRUE(refused(pool.eq(pool.mul(pool.integer(2), of(n)), pool.integer(3)), n));
}

}  // namespace
}  // namespace whittle::smt
