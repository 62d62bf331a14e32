// SPDX-License-Identifier: Apache-2.0
// The swarm of small searches, and the estimate of distance that directs it.
#include "engine/swarm.h"

#include <gtest/gtest.h>

#include "engine/concrete/goal_distance.h"
#include "engine/concrete/word_system.h"
#include "support/flat_systems.h"

namespace whittle {
namespace {

struct Environment {
  OptionSet options;
  Statistics statistics;
  Logger log;
  IgnoreProgress progress;
  smt::SolverFactory solvers{smt::SolverFactory::Settings{}};
  Env env{options,  solvers, Deadline::after(std::chrono::seconds(20)), {}, statistics, log,
          progress, "test"};
};

EngineResult searched(const TransitionSystem& system, std::uint64_t seed = 1) {
  Environment run;
  run.options.add<SwarmOptions>().seed.set(seed);
  return kSwarmInfo.run(system, run.env);
}

std::uint64_t length(const TransitionSystem& system, const EngineResult& result) {
  EXPECT_EQ(flat_trace_problem(system, result.reached()->trace), std::nullopt);
  std::uint64_t steps = 0;
  for (const FlatStep& step : result.reached()->trace.steps) steps += step.times;
  return steps;
}

TEST(Swarm, FindsRunsWithoutClaimingThatTheyAreShortest) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const TransitionSystem circle = test::ring(20, 13);
    const EngineResult result = searched(circle, seed);
    ASSERT_TRUE(result.reached()) << reason_text(result);
    EXPECT_FALSE(result.reached()->shortest);
    EXPECT_EQ(length(circle, result), 13U);
  }
}

TEST(Swarm, SeesThatThereAreNoMoreStates) {
  const EngineResult result = searched(test::ring(20, 21));
  ASSERT_TRUE(result.unreachable()) << reason_text(result);
  EXPECT_EQ(result.unreachable_by<AllStates>()->count, 21U);
}

// Nothing beyond the bound counts, and where few states are within it the bound is cleared.
TEST(Swarm, KeepsToTheBound) {
  TransitionSystem system = test::ring(20, 13);
  system.bound.max = 13;
  EXPECT_TRUE(searched(system).reached());
  for (const std::uint64_t bound : {0U, 1U, 12U}) {
    system.bound.max = bound;
    const EngineResult result = searched(system);
    ASSERT_TRUE(result.unreachable()) << bound << ": " << reason_text(result);
    EXPECT_TRUE(result.unreachable_by<UpToBound>());
  }
}

// Depth-first search comes to states by long ways, and the bound then cuts off what is behind
// them: that is no proof.
TEST(Swarm, ClearsNoBoundByLongWays) {
  TransitionSystem system = test::ring(20, 20);
  ExprPool& pool = *system.pool;
  const Expr x = pool.symbol(system.variables[0].current);
  Transition skip;
  skip.name = "skip";
  skip.guard = pool.lt(x, pool.integer(19));
  skip.updates.push_back({0, pool.add(x, pool.integer(2))});
  system.transitions.push_back(skip);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    system.bound.max = 10;
    const EngineResult ten = searched(system, seed);
    ASSERT_TRUE(ten.reached()) << seed << ": " << reason_text(ten);
    EXPECT_EQ(length(system, ten), 10U);
    system.bound.max = 9;
    const EngineResult nine = searched(system, seed);
    EXPECT_TRUE(nine.unreachable_by<UpToBound>()) << seed << ": " << reason_text(nine);
  }
}

// Not all successors of the first state are looked at.
TEST(Swarm, ClearsNoBoundWhereSuccessorsAreLeftOut) {
  TransitionSystem system = test::ring(400, 1'000);
  ExprPool& pool = *system.pool;
  const SymbolId input = pool.declare("chosen", Type::integer());
  const Expr chosen = pool.symbol(input);
  Transition choose;
  choose.name = "choose";
  choose.guard = pool.conj(pool.le(pool.integer(1), chosen), pool.le(chosen, pool.integer(300)));
  choose.inputs = {input};
  choose.updates.push_back({0, chosen});
  system.transitions.push_back(choose);
  system.bound.max = 2;
  Environment run;
  run.options.add<SwarmOptions>();
  run.env.deadline = Deadline::after(std::chrono::milliseconds(300));
  const EngineResult result = kSwarmInfo.run(system, run.env);
  ASSERT_TRUE(result.unknown());
  EXPECT_EQ(result.unknown()->reason.kind, Reason::Kind::Timeout);
}

TEST(Swarm, SaysWhatItCannotSearch) {
  EXPECT_TRUE(searched(test::savings(60)).unknown());
  EXPECT_NE(reason_text(searched(test::jumper(3))).find("cannot be listed"), std::string::npos);
}

TEST(GoalDistance, IsTheLogarithmOfWhatIsMissing) {
  const TransitionSystem system = test::ring(20, 13);
  Environment run;
  WordSystem words(system);
  ASSERT_FALSE(words.prepare(run.env));
  GoalDistance distance(system, words);
  ASSERT_TRUE(distance.known());
  std::uint32_t last = UINT32_MAX;
  words.load_next(words.first().front());
  for (int steps = 0; steps <= 13; ++steps) {
    const std::uint32_t now = distance();
    EXPECT_LE(now, last);
    EXPECT_EQ(now == 0, steps == 13);
    EXPECT_EQ(now == 0, words.goal_choice().has_value());
    last = now;
    std::copy(words.next().begin(), words.next().end(), words.now());
    words.each_step([](WordSystem::Step) { return false; });
  }
}

}  // namespace
}  // namespace whittle
