// SPDX-License-Identifier: Apache-2.0
#include "smt/elimination/quantifier_elimination.h"

#include <gtest/gtest.h>

#include "expr/print.h"
#include "expr/traverse.h"
#include "support/effort.h"
#include "support/random_terms.h"
#include "unit/smt/fixture.h"

namespace whittle::smt::test {
namespace {

using namespace std::chrono_literals;
using whittle::test::effort;
using whittle::test::RandomTermOptions;
using whittle::test::RandomTerms;

Limits three_seconds() {
  Limits limits;
  limits.time_per_check = 3s;
  return limits;
}

// Unsat of the difference, by the solver that did not make the formula.
Answer differ(ExprPool& pool, Expr a, Expr b) {
  auto solver = make_solver(SolverId::Cvc5, pool, three_seconds());
  solver->require(pool.ne(a, b));
  return solver->check().answer;
}

class SimplifyTest : public ::testing::Test, protected Symbols {};

TEST_F(SimplifyTest, EliminatesBetweenBounds) {
  SymbolId bound[] = {pool.symbol_of(y)};
  // exists y. x < y and y < z  over the integers
  auto result = eliminated(pool, pool.conj(pool.lt(x, y), pool.lt(y, z)), bound, three_seconds());
  ASSERT_TRUE(result);
  EXPECT_EQ(differ(pool, *result, pool.lt(pool.add(x, number(1)), z)), Answer::Unsat)
      << to_string(pool, *result);
  // and over the reals
  Expr t = variable("t", Type::real());
  SymbolId real[] = {pool.symbol_of(s)};
  result = eliminated(pool, pool.conj(pool.lt(r, s), pool.lt(s, t)), real, three_seconds());
  ASSERT_TRUE(result);
  EXPECT_EQ(differ(pool, *result, pool.lt(r, t)), Answer::Unsat) << to_string(pool, *result);
}

TEST_F(SimplifyTest, EliminatesEnumerationsAndBools) {
  Type color = pool.enum_type("Color", {"Red", "Green", "Blue"});
  Expr c = variable("c", color);
  Expr d = variable("d", color);
  Expr red = pool.constant(Value(EnumValue{0}), color);
  Expr blue = pool.constant(Value(EnumValue{2}), color);
  SymbolId bound[] = {pool.symbol_of(c), pool.symbol_of(p)};
  // Some colour besides Blue and d exists always; p must be false, so q true.
  Expr formula = pool.conj(std::vector{pool.ne(c, blue), pool.ne(c, d), pool.disj(p, q),
                                       pool.implies(p, pool.eq(c, blue))});
  auto result = eliminated(pool, formula, bound, three_seconds());
  ASSERT_TRUE(result);
  EXPECT_EQ(differ(pool, *result, q), Answer::Unsat) << to_string(pool, *result);
  // With Red excluded as well, d must not be Green.
  result = eliminated(pool, pool.conj(formula, pool.ne(c, red)), bound, three_seconds());
  ASSERT_TRUE(result);
  Expr green = pool.constant(Value(EnumValue{1}), color);
  EXPECT_EQ(differ(pool, *result, pool.conj(q, pool.ne(d, green))), Answer::Unsat)
      << to_string(pool, *result);
}

TEST_F(SimplifyTest, SimplifiesUnderContext) {
  Expr formula = pool.conj(pool.lt(x, number(3)), pool.disj(pool.lt(x, number(5)), p));
  for (Effort effort_level : {Effort::Context, Effort::Solver}) {
    auto result = simplified(pool, formula, effort_level, three_seconds());
    ASSERT_TRUE(result);
    EXPECT_EQ(differ(pool, *result, formula), Answer::Unsat) << to_string(pool, *result);
  }
  auto result = simplified(pool, formula, Effort::Solver, three_seconds());
  auto left = symbols(pool, *result);
  EXPECT_EQ(left, std::vector{pool.symbol_of(x)}) << to_string(pool, *result);
}

TEST_F(SimplifyTest, AFormulaIsTheDisjunctionOfItsCubes) {
  Expr formula = pool.conj(pool.disj(p, pool.lt(x, number(0))), pool.disj(q, pool.lt(y, x)));
  auto result = cubes(pool, formula, 10, three_seconds());
  ASSERT_TRUE(result);
  EXPECT_LE(result->size(), 4U);
  EXPECT_EQ(differ(pool, pool.disj(*result), formula), Answer::Unsat);
  EXPECT_FALSE(cubes(pool, formula, 1, three_seconds()));
  EXPECT_TRUE(cubes(pool, pool.boolean(false), 0, three_seconds()));
}

TEST_F(SimplifyTest, GivesUpWhenTheTimeIsOver) {
  Limits limits;
  limits.deadline = Deadline::after(0ms);
  EXPECT_FALSE(simplified(pool, pool.lt(x, y), Effort::Context, limits));
}

TEST_F(SimplifyTest, RandomFormulasStayEquivalent) {
  int compared = 0;
  int rounds = 20 * effort();
  for (int round = 0; round < rounds; ++round) {
    ExprPool own;
    RandomTermOptions options;
    options.partial = options.nonlinear = options.strings = options.sets = false;
    options.arrays = options.bit_vectors = options.big_numbers = false;
    RandomTerms random(own, static_cast<std::uint64_t>(round), options);
    Expr formula = random.term(Type::boolean(), 12);
    Effort level = static_cast<Effort>(round % 3);
    auto result = simplified(own, formula, level, three_seconds());
    if (!result) continue;
    Answer answer = differ(own, formula, *result);
    EXPECT_NE(answer, Answer::Sat) << to_string(own, formula) << "\nbecame\n"
                                   << to_string(own, *result);
    compared += answer == Answer::Unsat ? 1 : 0;
  }
  EXPECT_GE(compared * 2, rounds);
}

// What was eliminated holds exactly where values exist: checked by points.
TEST_F(SimplifyTest, RandomEliminationsAreProjections) {
  int compared = 0;
  int rounds = 20 * effort();
  for (int round = 0; round < rounds; ++round) {
    ExprPool own;
    RandomTermOptions options;
    options.partial = options.nonlinear = options.strings = options.sets = false;
    options.arrays = options.bit_vectors = options.big_numbers = false;
    RandomTerms random(own, 700 + static_cast<std::uint64_t>(round), options);
    Expr formula = random.term(Type::boolean(), 10);
    std::vector<SymbolId> bound;
    std::vector<SymbolId> kept;
    for (SymbolId v : random.variables()) (bound.size() <= kept.size() ? bound : kept).push_back(v);
    auto result = eliminated(own, formula, bound, three_seconds());
    if (!result) continue;
    for (int point = 0; point < 3; ++point) {
      auto values = random.assignment();
      auto solver = make_solver(SolverId::Cvc5, own, three_seconds());
      Substitution fix(own);
      for (SymbolId v : kept) {
        Expr constant = own.constant(values.at(v), own.info(v).type);
        solver->require(own.eq(own.symbol(v), constant));
        fix.set(v, constant);
      }
      solver->require(formula);
      CheckResult exists = solver->check();
      if (exists.answer == Answer::Unknown) continue;
      Expr projected = fix(*result);
      ASSERT_TRUE(own.is_const(projected)) << to_string(own, projected);
      EXPECT_EQ(own.is_true(projected), exists.answer == Answer::Sat)
          << to_string(own, formula) << "\nbecame\n"
          << to_string(own, *result);
      ++compared;
    }
  }
  EXPECT_GE(compared, rounds);
}

}  // namespace
}  // namespace whittle::smt::test
