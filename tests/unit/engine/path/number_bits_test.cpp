// SPDX-License-Identifier: Apache-2.0
#include "engine/path/number_bits.h"

#include <gtest/gtest.h>

#include <random>

#include "engine/path/path_solver.h"
#include "expr/evaluate.h"

namespace whittle {
namespace {

smt::SolverFactory factory() { return smt::SolverFactory(smt::SolverFactory::Settings{}); }

Expr number(ExprPool& pool, const char* name) {
  return pool.symbol(pool.declare(name, Type::integer()));
}

TEST(NumberBits, NeedsARangeForEveryNumber) {
  ExprPool pool;
  const Expr x = number(pool, "x");
  const Expr y = number(pool, "y");
  NumberBits bits(pool);
  const Expr bounded[] = {pool.le(pool.integer(-3), x), pool.lt(x, pool.integer(9))};
  bits.learn(bounded);
  EXPECT_TRUE(bits.bounded());
  const Expr open[] = {pool.le(y, x)};
  bits.learn(open);
  EXPECT_FALSE(bits.bounded());
}

TEST(NumberBits, RefusesWhatIsTooWide) {
  ExprPool pool;
  const Expr x = number(pool, "x");
  NumberBits bits(pool);
  const Expr conditions[] = {pool.le(pool.integer(0), x), pool.le(x, pool.integer(300)),
                             pool.eq(pool.mul(x, x), pool.integer(49))};
  bits.learn(conditions);
  EXPECT_FALSE(bits.bounded());
}

TEST(NumberBits, RefusesRemaindersOfNegativeNumbers) {
  ExprPool pool;
  const Expr x = number(pool, "x");
  auto bounded = [&](int low) {
    NumberBits bits(pool);
    const Expr remainder = pool.make(Op::Mod, {x, pool.integer(3)});
    const Expr conditions[] = {pool.le(pool.integer(low), x), pool.le(x, pool.integer(9)),
                               pool.eq(remainder, pool.integer(2))};
    bits.learn(conditions);
    return bits.bounded();
  };
  EXPECT_TRUE(bounded(0));
  EXPECT_FALSE(bounded(-1));
}

TEST(PathSolver, BeginsAnewWhereNumbersGrow) {
  ExprPool pool;
  const smt::SolverFactory solvers = factory();
  PathSolver solver(pool, solvers, true);
  Expr last = pool.integer(1);
  for (int k = 0; k < 12; ++k) {  // doubled each time: 4096 at the end
    const Expr next = number(pool, "x");
    const int most = 2 << k;
    solver.require(pool.le(pool.integer(0), next));
    solver.require(pool.le(next, pool.integer(most)));
    solver.require(pool.eq(next, pool.add(last, last)));
    last = next;
    ASSERT_EQ(solver.check_assuming({}).answer, smt::Answer::Sat);
    EXPECT_EQ(solver.value(next), Value(most));
  }
  solver.require(pool.lt(last, pool.integer(4096)));
  EXPECT_EQ(solver.check_assuming({}).answer, smt::Answer::Unsat);
}

TEST(PathSolver, GoesOnWithNumbersWhereOneHasNoRange) {
  ExprPool pool;
  const smt::SolverFactory solvers = factory();
  PathSolver solver(pool, solvers, true);
  const Expr x = number(pool, "x");
  solver.require(pool.le(pool.integer(0), x));
  solver.require(pool.le(x, pool.integer(5)));
  ASSERT_EQ(solver.check_assuming({}).answer, smt::Answer::Sat);
  const Expr y = number(pool, "y");
  solver.require(pool.eq(y, pool.mul(x, pool.integer(1'000'000))));
  solver.require(pool.lt(pool.integer(4'500'000), y));
  ASSERT_EQ(solver.check_assuming({}).answer, smt::Answer::Sat);
  EXPECT_EQ(solver.value(y), Value(5'000'000));
  EXPECT_EQ(solver.value(x), Value(5));
}

TEST(PathSolver, KeepsEnumerationsToTheirValues) {
  ExprPool pool;
  const smt::SolverFactory solvers = factory();
  PathSolver solver(pool, solvers, true);
  const Type colour = pool.enum_type("Colour", {"red", "green", "blue"});
  const Expr c = pool.symbol(pool.declare("c", colour));
  for (std::uint32_t i = 0; i < 2; ++i)
    solver.require(pool.ne(c, pool.constant(Value(EnumValue{i}), colour)));
  ASSERT_EQ(solver.check_assuming({}).answer, smt::Answer::Sat);
  EXPECT_EQ(solver.value(c), Value(EnumValue{2}));
  solver.require(pool.ne(c, pool.constant(Value(EnumValue{2}), colour)));
  EXPECT_EQ(solver.check_assuming({}).answer, smt::Answer::Unsat);
}

// Random conditions on three small numbers: the bits have a model exactly where some values satisfy
// them, and the values read from it do.
TEST(PathSolver, AgreesWithAllValuesOfSmallRanges) {
  std::mt19937 random(11);
  auto below = [&](int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random); };
  int sat = 0;
  constexpr int kRounds = 300;
  for (int round = 0; round < kRounds; ++round) {
    ExprPool pool;
    const smt::SolverFactory solvers = factory();
    PathSolver solver(pool, solvers, true);
    std::vector<Expr> terms;
    std::vector<int> lows;
    for (const char* name : {"x", "y", "z"}) {
      terms.push_back(number(pool, name));
      lows.push_back(below(9) - 6);
      solver.require(pool.le(pool.integer(lows.back()), terms.back()));
      solver.require(pool.le(terms.back(), pool.integer(lows.back() + 3)));
    }
    const std::vector<Expr> variables = terms;
    std::vector<Expr> truths;
    auto some = [&](const std::vector<Expr>& list) {
      return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
    };
    for (int i = 0; i < 12; ++i) {
      const Expr a = some(terms);
      const Expr b = below(3) == 0 ? pool.integer(below(9) - 4) : some(terms);
      switch (below(8)) {
        case 0:
          terms.push_back(pool.add(a, b));
          break;
        case 1:
          terms.push_back(pool.sub(a, b));
          break;
        case 2:
          terms.push_back(pool.minus(a));
          break;
        case 3:
          terms.push_back(pool.mul(some(variables), b));
          break;
        case 4:
          if (!truths.empty()) terms.push_back(pool.ite(some(truths), a, b));
          break;
        case 5:
          truths.push_back(pool.lt(a, b));
          break;
        case 6:
          truths.push_back(pool.le(a, b));
          break;
        default:
          truths.push_back(pool.eq(a, b));
          break;
      }
    }
    for (Expr& truth : truths) {
      if (below(2) == 0) truth = pool.negate(truth);
      solver.require(truth);
    }
    const Expr all = pool.conj(truths);
    Evaluator evaluate(pool);
    auto holds = [&](const std::vector<Value>& values) {
      const auto result = evaluate(all, [&](SymbolId symbol, std::span<const Value>) {
        for (std::size_t i = 0; i < variables.size(); ++i) {
          if (pool.symbol_of(variables[i]) == symbol) return std::optional(values[i]);
        }
        return std::optional<Value>();
      });
      return result.value().as_bool();
    };
    bool possible = false;
    for (int i = 0; i < 64 && !possible; ++i)
      possible =
          holds({Value(lows[0] + i % 4), Value(lows[1] + i / 4 % 4), Value(lows[2] + i / 16)});
    const smt::CheckResult found = solver.check_assuming({});
    ASSERT_EQ(found.answer, possible ? smt::Answer::Sat : smt::Answer::Unsat) << "round " << round;
    if (!possible) continue;
    ++sat;
    std::vector<Value> values;
    for (Expr variable : variables) values.push_back(solver.value(variable));
    EXPECT_TRUE(holds(values)) << "round " << round;
  }
  EXPECT_GT(sat, kRounds / 5);
  EXPECT_LT(sat, kRounds * 4 / 5);
}

}  // namespace
}  // namespace whittle
