// SPDX-License-Identifier: Apache-2.0
// Search by states on systems made by hand, and the code of terms against exact evaluation.
#include "engine/explicit.h"

#include <gtest/gtest.h>

#include <random>

#include "engine/concrete/state_store.h"
#include "engine/concrete/word_code.h"
#include "expr/evaluate.h"
#include "support/flat_systems.h"

namespace whittle {
namespace {

EngineResult searched(const TransitionSystem& system, std::uint64_t megabytes = 100) {
  OptionSet options;
  options.add<ExplicitOptions>().memory.set(megabytes);
  Statistics statistics;
  Logger log;
  IgnoreProgress progress;
  const smt::SolverFactory solvers{smt::SolverFactory::Settings{}};
  Env env{options, solvers, {}, {}, statistics, log, progress, "test"};
  return kExplicitInfo.run(system, env);
}

std::uint64_t length(const TransitionSystem& system, const EngineResult& result) {
  EXPECT_EQ(flat_trace_problem(system, result.reached()->trace), std::nullopt);
  std::uint64_t steps = 0;
  for (const FlatStep& step : result.reached()->trace.steps) steps += step.times;
  return steps;
}

TEST(Explicit, FindsShortestRuns) {
  const TransitionSystem odometer = test::odometer(2);
  const EngineResult result = searched(odometer);
  ASSERT_TRUE(result.reached()) << reason_text(result);
  EXPECT_TRUE(result.reached()->shortest);
  EXPECT_EQ(length(odometer, result), 8U);
  const TransitionSystem circle = test::ring(20, 13);
  EXPECT_EQ(length(circle, searched(circle)), 13U);
}

TEST(Explicit, SeesAllStates) {
  const EngineResult result = searched(test::ring(20, 21));
  ASSERT_TRUE(result.unreachable()) << reason_text(result);
  EXPECT_EQ(result.unreachable_by<AllStates>()->count, 21U);
}

TEST(Explicit, KeepsToTheBound) {
  TransitionSystem system = test::ring(20, 13);
  system.bound.max = 12;
  const EngineResult result = searched(system);
  EXPECT_TRUE(result.unreachable());
  EXPECT_TRUE(result.unreachable_by<UpToBound>());
  system.bound.max = 13;
  EXPECT_TRUE(searched(system).reached());
}

TEST(Explicit, GivesUpWhereThereIsNoEnd) {
  // Never back: counts until memory is full.
  TransitionSystem system = test::ring(2'000'000'000, -1);
  const EngineResult result = searched(system, 1);
  EXPECT_TRUE(result.unknown());
  EXPECT_NE(reason_text(result).find("memory"), std::string::npos) << reason_text(result);
  EXPECT_GT(result.unknown()->clear_to, 1'000U);
  // Reals are no words; `jumper` leaves a number open.
  EXPECT_TRUE(searched(test::savings(60)).unknown());
  EXPECT_TRUE(searched(test::jumper(3)).unknown());
}

// Also at the first state of all, after which the clock is looked at.
TEST(Explicit, GivesUpOnLargeNumbersAtOnce) {
  TransitionSystem system = test::ring(20, 13);
  ExprPool& pool = *system.pool;
  const Expr large = pool.integer(Integer(5'000'000'000L));
  for (Transition& transition : system.transitions) {
    for (Update& update : transition.updates) {
      if (system.variables[update.variable].type == Type::integer()) update.value = large;
    }
  }
  system.bound.max = 5;
  EXPECT_TRUE(searched(system).unknown());
}

TEST(Explicit, GivesUpOnLargeNumbers) {
  TransitionSystem system = test::ring(10, 5);
  ExprPool& pool = *system.pool;
  const Expr x = pool.symbol(system.variables[0].current);
  system.transitions[0].updates[0].value =
      pool.add(pool.mul(x, pool.integer(1'000'000'000)), pool.integer(9));
  const EngineResult result = searched(system);
  EXPECT_TRUE(result.unknown());
  EXPECT_NE(reason_text(result).find("large"), std::string::npos) << reason_text(result);
}

TEST(StateStore, KeepsEachStateOnce) {
  std::mt19937_64 random(7);
  StateStore store(40);
  std::vector<std::vector<std::int64_t>> states;
  for (int i = 0; i < 5'000; ++i) {
    std::vector<std::int64_t> state(40);
    for (auto& word : state) word = static_cast<std::int64_t>(random() % 2) - 1;
    const auto [number, fresh] = store.add(state);
    ASSERT_TRUE(fresh);
    ASSERT_EQ(number, states.size());
    states.push_back(state);
  }
  std::vector<std::int64_t> read(40);
  for (std::uint32_t i = 0; i < states.size(); ++i) {
    ASSERT_EQ(store.add(states[i]), std::pair(i, false));
    store.get(i, read.data());
    ASSERT_EQ(read, states[i]);
  }
}

// Random terms over two numbers, a flag and an array: the code gives what exact evaluation gives.
TEST(WordCode, MeansWhatTheTermMeans) {
  ExprPool pool;
  const Type array = pool.array_type(Type::integer(), Type::integer(), 3);
  const SymbolId x = pool.declare("x", Type::integer());
  const SymbolId y = pool.declare("y", Type::integer());
  const SymbolId b = pool.declare("b", Type::boolean());
  const SymbolId a = pool.declare("a", array);
  WordMachine machine(pool);
  machine.place(x, 0);
  machine.place(y, 1);
  machine.place(b, 2);
  machine.place(a, 3);
  std::mt19937_64 random(11);
  std::vector<Expr> numbers = {pool.symbol(x), pool.symbol(y), pool.integer(0), pool.integer(2),
                               pool.integer(-3)};
  std::vector<Expr> flags = {pool.symbol(b)};
  std::vector<Expr> arrays = {pool.symbol(a)};
  auto one = [&](const std::vector<Expr>& list) { return list[random() % list.size()]; };
  auto inside = [&] { return pool.make(Op::Mod, {one(numbers), pool.integer(3)}); };
  for (int i = 0; i < 400; ++i) {
    switch (random() % 14) {
      case 0:
        numbers.push_back(pool.add(one(numbers), one(numbers)));
        break;
      case 1:
        numbers.push_back(pool.sub(one(numbers), one(numbers)));
        break;
      case 2:
        numbers.push_back(pool.minus(one(numbers)));
        break;
      case 3:
        numbers.push_back(pool.make(Op::Mod, {one(numbers), pool.integer(-3)}));
        break;
      case 4:
        numbers.push_back(pool.make(Op::IDiv, {one(numbers), pool.integer(-2)}));
        break;
      case 5:
        numbers.push_back(pool.ite(one(flags), one(numbers), one(numbers)));
        break;
      case 6:
        numbers.push_back(pool.select(one(arrays), inside()));
        break;
      case 7:
        flags.push_back(pool.lt(one(numbers), one(numbers)));
        break;
      case 8:
        flags.push_back(pool.le(one(numbers), one(numbers)));
        break;
      case 9:
        flags.push_back(pool.eq(one(numbers), one(numbers)));
        break;
      case 10:
        flags.push_back(pool.conj(one(flags), pool.negate(one(flags))));
        break;
      case 11:
        flags.push_back(pool.implies(one(flags), pool.disj(one(flags), one(flags))));
        break;
      case 12:
        flags.push_back(pool.eq(one(arrays), one(arrays)));
        break;
      default:
        arrays.push_back(pool.store(one(arrays), inside(), one(numbers)));
        if (random() % 3 == 0) arrays.back() = pool.ite(one(flags), one(arrays), one(arrays));
        break;
    }
    if (numbers.size() > 30) numbers.resize(12);
    if (flags.size() > 20) flags.resize(8);
    if (arrays.size() > 6) arrays.resize(3);
    for (Expr term : {numbers.back(), flags.back()}) {
      WordCode code;
      if (!machine.compile(term, code)) {
        ASSERT_NE(machine.problem().find("too large"), std::string::npos) << machine.problem();
        continue;
      }
      std::int64_t words[6];
      for (std::int64_t& word : words) word = static_cast<std::int64_t>(random() % 9) - 4;
      words[2] = words[2] > 0 ? 1 : 0;
      ArrayValue cells{Value(0), {}};
      for (int c = 0; c < 3; ++c)
        cells.put(Value(c), Value(Integer(static_cast<long>(words[3 + c]))));
      const Value whole = pool.normalized(Value::array(cells), array);
      Evaluator evaluator(pool);
      const auto expected = evaluator(term, [&](SymbolId symbol, auto) -> std::optional<Value> {
        if (symbol == x) return Value(Integer(static_cast<long>(words[0])));
        if (symbol == y) return Value(Integer(static_cast<long>(words[1])));
        if (symbol == b) return Value(words[2] != 0);
        return whole;
      });
      ASSERT_TRUE(expected);
      const std::int64_t found = machine.run(code, words);
      if (machine.overflowed()) continue;
      if (expected->is_bool())
        ASSERT_EQ(found != 0, expected->as_bool()) << i;
      else
        ASSERT_EQ(Value(Integer(static_cast<long>(found))), *expected) << i;
    }
  }
}

}  // namespace
}  // namespace whittle
