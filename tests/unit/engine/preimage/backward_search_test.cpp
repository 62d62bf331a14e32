// SPDX-License-Identifier: Apache-2.0
#include "engine/preimage/backward_search.h"

#include <gtest/gtest.h>

#include "expr/traverse.h"
#include "support/flat_systems.h"

namespace whittle {
namespace {

using State = BackwardSearch::State;
constexpr std::uint64_t kAll = 2'000'000;

class BackwardSearchTest : public ::testing::Test {
 protected:
  OptionSet options;
  Statistics statistics;
  Logger log;
  IgnoreProgress progress;
  Env env{options, smt::SolverFactory({}), {}, {}, statistics, log, progress, "test"};

  // The length of the run that is found, which must be one; -1: none, -2: something else.
  // Ranges make no difference to that.
  int depth(const TransitionSystem& system, std::optional<std::uint64_t> most) {
    const int with = depth(system, DistanceSettings{most, true});
    EXPECT_EQ(depth(system, DistanceSettings{most, false}), with);
    return with;
  }
  int depth(const TransitionSystem& system, const DistanceSettings& settings) {
    BackwardSearch search(system, env, settings);
    const State state = search.run(kAll);
    if (state == State::Nothing) return -1;
    if (state != State::Found) return -2;
    EXPECT_EQ(flat_trace_problem(system, search.trace()), std::nullopt);
    int length = 0;
    for (const FlatStep& step : search.trace().steps) length += static_cast<int>(step.times);
    return length;
  }
};

// Three machines of two locations each. The first two have to meet: `a` raises x once, `b` raises y
// by x, and `c` is busy for ever with a number of its own. Goal: y is `wanted`.
TransitionSystem relay(int wanted) {
  TransitionSystem system;
  system.pool = std::make_shared<ExprPool>();
  ExprPool& pool = *system.pool;
  const Type place = pool.enum_type("Place", {"first", "second"});
  auto variable = [&](const std::string& name, Type type, bool location) {
    system.variables.push_back(
        {name, type, pool.declare(name, type), pool.declare(name + "'", type), location});
    return pool.symbol(system.variables.back().current);
  };
  auto at = [&](std::uint32_t index) { return pool.constant(Value(EnumValue{index}), place); };
  const Expr a = variable("a@", place, true);
  const Expr b = variable("b@", place, true);
  const Expr c = variable("c@", place, true);
  const Expr x = variable("x", Type::integer(), false);
  const Expr y = variable("y", Type::integer(), false);
  const Expr z = variable("z", Type::integer(), false);
  const Expr zero = pool.integer(0);
  const Expr starts[] = {pool.eq(a, at(0)), pool.eq(b, at(0)), pool.eq(c, at(0)),
                         pool.eq(x, zero),  pool.eq(y, zero),  pool.eq(z, zero)};
  system.init = pool.conj(starts);
  auto add = [&](const std::string& name, Expr guard, std::vector<Update> updates) {
    Transition transition;
    transition.name = name;
    transition.guard = guard;
    transition.updates = std::move(updates);
    system.transitions.push_back(std::move(transition));
  };
  add("raise", pool.eq(a, at(0)), {{0, at(1)}, {3, pool.add(x, pool.integer(2))}});
  add("pass", pool.eq(b, at(0)), {{1, at(1)}, {4, pool.add(y, x)}});
  add("again", pool.eq(b, at(1)), {{1, at(0)}});
  add("busy", pool.eq(c, at(0)), {{2, at(1)}, {5, pool.add(z, pool.integer(1))}});
  add("rest", pool.eq(c, at(1)), {{2, at(0)}});
  system.goal.condition = pool.eq(y, pool.integer(wanted));
  return system;
}

TEST_F(BackwardSearchTest, FindsShortestProjectedRuns) {
  EXPECT_EQ(depth(relay(0), std::nullopt), 0);
  EXPECT_EQ(depth(relay(2), std::nullopt), 2);  // raise, pass
  EXPECT_EQ(depth(relay(6), std::nullopt), 6);  // raise, pass, again, pass, again, pass
  const TransitionSystem system = relay(6);
  BackwardSearch search(system, env, {});
  ASSERT_EQ(search.run(kAll), State::Found);
  for (const FlatStep& step : search.trace().steps) EXPECT_LT(step.transition, 3);
  EXPECT_EQ(search.clear(), 6);
  EXPECT_EQ(env.solvers.counts().checks, 0);
}

TEST_F(BackwardSearchTest, RespectsTheBound) {
  EXPECT_EQ(depth(relay(6), 5), -1);
  EXPECT_EQ(depth(relay(6), 6), 6);
  EXPECT_EQ(depth(relay(7), 12), -1);
}

TEST_F(BackwardSearchTest, GoesOnWhereItStopped) {
  const TransitionSystem system = relay(12);
  BackwardSearch search(system, env, {});
  EXPECT_EQ(search.run(1), State::Searching);
  const std::uint64_t first = search.looked_at();
  std::uint64_t clear = 0;
  while (search.run(1) == State::Searching) {
    EXPECT_GE(search.clear(), clear);
    clear = search.clear();
    ASSERT_LT(search.looked_at(), 10'000);
  }
  EXPECT_GT(search.looked_at(), first);
  EXPECT_EQ(search.run(1), State::Found);
}

TEST_F(BackwardSearchTest, ChoosesInputsAndFirstStates) {
  // 0..3 at first, 1 or 2 at a time: 3, 5, 7, 9, 11 and a halt; without the jump, which has a
  // relation.
  TransitionSystem system = test::jumper(10);
  EXPECT_EQ(depth(system, 12), -2);
  system.transitions.erase(system.transitions.begin() + 1);
  EXPECT_EQ(depth(system, 12), 5);
  EXPECT_EQ(depth(system, 4), -1);
  system.goal.condition = system.pool->conj(
      system.goal.condition,
      system.pool->lt(system.pool->symbol(system.variables[1].current), system.pool->integer(0)));
  // Only ranges know that no smaller number leads to one below zero.
  EXPECT_EQ(depth(system, DistanceSettings{std::nullopt, true}), -1);
}

// y never gets odd, but no bounds say so: there are always more cubes. Without `again` there are
// few.
TEST_F(BackwardSearchTest, ProvesWithAnInvariant) {
  TransitionSystem system = relay(3);
  system.transitions.erase(system.transitions.begin() + 2);
  BackwardSearch search(system, env, {});
  ASSERT_EQ(search.run(kAll), State::Nothing);
  const Expr invariant = search.invariant();
  ASSERT_TRUE(invariant.valid());
  ExprPool& pool = *system.pool;
  auto solver = env.solvers.make(pool, "test");
  const Expr broken = pool.negate(invariant);
  const Expr start[] = {system.init, broken};
  EXPECT_EQ(solver->check_assuming(start).answer, smt::Answer::Unsat);
  const Expr goal[] = {system.goal.condition, invariant};
  EXPECT_EQ(solver->check_assuming(goal).answer, smt::Answer::Unsat);
  for (const Transition& transition : system.transitions) {
    Substitution after(pool);
    for (const Update& update : transition.updates)
      after.set(system.variables[update.variable].current, update.value);
    const Expr step[] = {invariant, transition.guard, after(broken)};
    EXPECT_EQ(solver->check_assuming(step).answer, smt::Answer::Unsat) << transition.name;
  }
}

}  // namespace
}  // namespace whittle
