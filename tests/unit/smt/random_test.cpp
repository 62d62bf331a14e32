// SPDX-License-Identifier: Apache-2.0
// Solvers against our own evaluation, and against each other, on random terms.
#include <gtest/gtest.h>

#include "expr/evaluate.h"
#include "expr/print.h"
#include "support/effort.h"
#include "support/random_terms.h"
#include "unit/smt/fixture.h"

namespace whittle::smt::test {
namespace {

using namespace std::chrono_literals;
using whittle::test::Assignment;
using whittle::test::effort;
using whittle::test::RandomTermOptions;
using whittle::test::RandomTerms;

// Sets only now and then: a solver can say nothing of the elements of an unknown one.
RandomTermOptions linear(int round) {
  RandomTermOptions options;
  options.partial = false;
  options.nonlinear = false;
  options.sets = round % 4 == 2;
  return options;
}

Limits one_second() {
  Limits limits;
  limits.time_per_check = 1s;
  return limits;
}

class RandomTermTest : public ::testing::TestWithParam<SolverId> {};

INSTANTIATE_TEST_SUITE_P(All, RandomTermTest, ::testing::Values(SolverId::Z3, SolverId::Cvc5),
                         solver_name);

// With all variables fixed, every term has the value that we compute.
TEST_P(RandomTermTest, OperatorsMeanWhatWeCompute) {
  int unknown = 0;
  int rounds = 30 * effort();
  for (int round = 0; round < rounds; ++round) {
    ExprPool pool;
    RandomTerms random(pool, static_cast<std::uint64_t>(round), linear(round));
    Type type = random.types()[random.below(random.types().size())];
    Expr term = random.term(type, 25);
    Assignment values = random.assignment();
    Evaluator evaluator(pool);
    auto expected = evaluator(term, whittle::test::lookup(values));
    if (!expected) continue;
    auto solver = make_solver(GetParam(), pool, one_second());
    for (SymbolId symbol : random.variables())
      solver->require(
          pool.eq(pool.symbol(symbol), pool.constant(values.at(symbol), pool.info(symbol).type)));
    solver->push();
    solver->require(pool.ne(term, pool.constant(*expected, type)));
    CheckResult result = solver->check();
    EXPECT_NE(result.answer, Answer::Sat) << "round " << round << ": " << to_string(pool, term)
                                          << "\nours " << to_string(pool, *expected, type);
    solver->pop();
    solver->require(pool.eq(term, pool.constant(*expected, type)));
    CheckResult same = solver->check();
    EXPECT_NE(same.answer, Answer::Unsat) << "round " << round << ": " << to_string(pool, term);
    if (same.answer == Answer::Sat) {
      for (SymbolId symbol : random.variables())
        EXPECT_EQ(solver->value(pool.symbol(symbol)), values.at(symbol))
            << "round " << round << ", " << pool.info(symbol).name;
    }
    unknown += result.answer == Answer::Unknown || same.answer == Answer::Unknown ? 1 : 0;
  }
  EXPECT_LE(unknown * 5, rounds) << "too many terms undecided to call this a test";
}

// Models satisfy; where the solvers decide, they agree.
TEST(RandomFormulaTest, SolversAgreeAndModelsSatisfy) {
  int undecided = 0;
  int sat = 0;
  int unsat = 0;
  int rounds = 30 * effort();
  for (int round = 0; round < rounds; ++round) {
    ExprPool pool;
    RandomTermOptions options = linear(round);
    options.nonlinear = round % 4 == 3;
    options.variables = 1;
    RandomTerms random(pool, 1000 + static_cast<std::uint64_t>(round), options);
    std::vector<Expr> conditions;
    for (int i = 0; i < 4; ++i) conditions.push_back(random.term(Type::boolean(), 10));
    std::optional<Answer> decided;
    for (SolverId id : {SolverId::Z3, SolverId::Cvc5}) {
      auto solver = make_solver(id, pool, one_second());
      solver->require(conditions[0]);
      solver->check();
      solver->push();
      for (Expr condition : conditions) solver->require(condition);
      CheckResult result = solver->check();
      if (result.answer == Answer::Unknown) {
        ++undecided;
        continue;
      }
      if (decided) {
        EXPECT_EQ(*decided, result.answer) << "round " << round;
      }
      decided = result.answer;
      if (result.answer == Answer::Unsat) {
        ++unsat;
        continue;
      }
      ++sat;
      try {
        for (Expr condition : conditions)
          EXPECT_EQ(solver->value(condition), Value(true))
              << "round " << round << ", " << solver->name() << ": " << to_string(pool, condition);
      } catch (const NoValue& problem) {
        ++undecided;
        EXPECT_TRUE(options.nonlinear) << problem.what();
      }
    }
  }
  EXPECT_LE(undecided * 5, rounds * 2) << "too many formulas undecided to call this a test";
  EXPECT_GE(sat, rounds / 5);
  EXPECT_GE(unsat, 1);
}

// An unsatisfiable core is unsatisfiable, and assumptions mean the same as requirements.
TEST_P(RandomTermTest, CoresSuffice) {
  int cores = 0;
  for (int round = 0; round < 20 * effort(); ++round) {
    ExprPool pool;
    RandomTermOptions options = linear(round);
    options.variables = 1;
    options.sets = options.arrays = options.strings = options.bit_vectors = false;
    RandomTerms random(pool, 5000 + static_cast<std::uint64_t>(round), options);
    std::vector<Expr> conditions;
    for (int i = 0; i < 8; ++i) conditions.push_back(random.term(Type::boolean(), 8));
    auto solver = make_solver(GetParam(), pool, one_second());
    CheckResult result = solver->check_assuming(conditions);
    if (result.answer != Answer::Unsat) continue;
    ++cores;
    std::vector<Expr> core = solver->unsat_core();
    auto fresh = make_solver(GetParam(), pool, one_second());
    for (Expr condition : core) {
      EXPECT_NE(std::find(conditions.begin(), conditions.end(), condition), conditions.end());
      fresh->require(condition);
    }
    EXPECT_NE(fresh->check().answer, Answer::Sat) << "round " << round;
  }
  EXPECT_GT(cores, 3);
}

}  // namespace
}  // namespace whittle::smt::test
