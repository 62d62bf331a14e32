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
  ASSERT_TRUE(result.reached());
  EXPECT_TRUE(result.reached()->shortest);
  EXPECT_EQ(flat_trace_problem(system, result.reached()->trace), std::nullopt);
  std::uint64_t length = 0;
  for (const FlatStep& step : result.reached()->trace.steps) length += step.times;
  EXPECT_EQ(length, 6);
}

TEST(Backward, AnswersBoundedQuestions) {
  TransitionSystem system = test::countdown(2, 4);
  system.bound = {0, 5};
  const EngineResult result = run(system);
  EXPECT_TRUE(result.unreachable());
  EXPECT_TRUE(result.unreachable_by<UpToBound>());
  system.bound = {7, 8};  // a run of six steps is no answer
  EXPECT_TRUE(run(system).unknown());
}

TEST(Backward, ProvesWithAnInvariant) {
  const EngineResult result = run(test::ring(5, 7));
  EXPECT_TRUE(result.unreachable());
  EXPECT_TRUE(result.unreachable_by<Inductive>());
}

TEST(Backward, SaysWhereItStopped) {
  EXPECT_TRUE(run(test::jumper(23)).unknown());  // has a relation
  const EngineResult late =
      run(test::countdown(2, 1000), Deadline::after(std::chrono::milliseconds(0)));
  EXPECT_TRUE(late.unknown());
  EXPECT_EQ(late.unknown()->reason.kind, Reason::Kind::Timeout);
  TransitionSystem none = test::ring(5, 3);
  none.init = none.pool->boolean(false);
  const EngineResult result = run(none);
  EXPECT_TRUE(result.unreachable());
  EXPECT_TRUE(none.pool->is_false(result.unreachable_by<Inductive>()->invariant));
}

}  // namespace
}  // namespace whittle
