// SPDX-License-Identifier: Apache-2.0
// The engine; what the search does is tested in backward_search_test.cpp.
#include <gtest/gtest.h>

#include "engine/engines.h"
#include "support/flat_systems.h"

namespace whittle {
namespace {

EngineResult run(const TransitionSystem& system, Deadline deadline = {}) {
  OptionSet options;
  Statistics statistics;
  Logger log;
  IgnoreProgress progress;
  Env env{options, smt::SolverFactory({}), deadline, {}, statistics, log, progress, "test"};
  return find_engine("backward")->run(system, env);
}

TEST(Backward, FindsShortestRuns) {
  const TransitionSystem system = test::countdown(3, 4);
  const EngineResult result = run(system);
  ASSERT_EQ(result.outcome, Outcome::Reached);
  EXPECT_TRUE(result.shortest);
  EXPECT_EQ(flat_trace_problem(system, *result.trace), std::nullopt);
  std::uint64_t length = 0;
  for (const FlatStep& step : result.trace->steps) length += step.times;
  EXPECT_EQ(length, 6);
  EXPECT_EQ(result.clear_to, 5);
}

TEST(Backward, AnswersBoundedQuestions) {
  TransitionSystem system = test::countdown(2, 4);
  system.bound = {0, 5};
  const EngineResult result = run(system);
  EXPECT_EQ(result.outcome, Outcome::Unreached);
  EXPECT_EQ(result.clear_to, 5);
  EXPECT_FALSE(result.invariant.valid());
  system.bound = {7, 8};  // a run of six steps is no answer
  EXPECT_EQ(run(system).outcome, Outcome::Unknown);
}

TEST(Backward, ProvesWithAnInvariant) {
  const EngineResult result = run(test::ring(5, 7));
  EXPECT_EQ(result.outcome, Outcome::Unreached);
  EXPECT_TRUE(result.invariant.valid());
}

TEST(Backward, SaysWhereItStopped) {
  EXPECT_EQ(run(test::jumper(23)).outcome, Outcome::Unknown);  // has a relation
  const EngineResult late =
      run(test::countdown(2, 1000), Deadline::after(std::chrono::milliseconds(0)));
  EXPECT_EQ(late.outcome, Outcome::Unknown);
  EXPECT_EQ(late.reason, "timeout");
  TransitionSystem none = test::ring(5, 3);
  none.init = none.pool->boolean(false);
  const EngineResult result = run(none);
  EXPECT_EQ(result.outcome, Outcome::Unreached);
  EXPECT_TRUE(none.pool->is_false(result.invariant));
}

}  // namespace
}  // namespace whittle
