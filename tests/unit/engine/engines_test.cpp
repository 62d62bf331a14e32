// SPDX-License-Identifier: Apache-2.0
// Every engine of the list with every solver that it can use, on small systems: what it answers is
// true, and it can do what its capabilities say.
#include "engine/engines.h"

#include <gtest/gtest.h>

#include <string>

#include "support/flat_systems.h"

namespace whittle {
namespace {

struct Row {
  const EngineInfo* engine;
  smt::SolverId solver;
};

std::vector<Row> rows() {
  std::vector<Row> result;
  for (const EngineInfo* engine : engines()) {
    for (const smt::SolverInfo& solver : smt::solvers()) {
      if (!engine->solver || *engine->solver == solver.id) result.push_back({engine, solver.id});
    }
  }
  return result;
}

class Engines : public ::testing::TestWithParam<Row> {
 protected:
  EngineResult run(const TransitionSystem& system,
                   std::chrono::seconds time = std::chrono::seconds(20)) {
    OptionSet options;
    for (const EngineInfo* engine : engines())
      if (engine->declare != nullptr) engine->declare(options);
    smt::SolverFactory::Settings settings;
    settings.id = GetParam().solver;
    Statistics statistics;
    Logger log;
    IgnoreProgress progress;
    Env env{
        options, smt::SolverFactory(settings), Deadline::after(time), {}, statistics, log, progress,
        "test"};
    return run_engine(*GetParam().engine, system, env);
  }

  [[nodiscard]] static const Capabilities& can() { return GetParam().engine->can; }
  // Has something to say where one process counts.
  [[nodiscard]] static bool general() {
    return !can().concurrent_only && !can().counting_only && !can().live_only;
  }
};

TEST_P(Engines, FindRuns) {
  const TransitionSystem ring = test::ring(6, 4);
  const EngineResult result = run(ring);
  EXPECT_EQ(result.unreachable(), nullptr);
  if (!can().traces) {
    EXPECT_EQ(result.reached(), nullptr);
  }
  if (can().traces && general()) {
    ASSERT_NE(result.reached(), nullptr) << reason_text(result);
  }
  if (result.reached() == nullptr) return;
  const FlatTrace& trace = result.reached()->trace;
  EXPECT_EQ(flat_trace_problem(ring, trace), std::nullopt);
  std::uint64_t length = 0;
  for (const FlatStep& step : trace.steps) length += step.times;
  if (result.reached()->shortest) {
    EXPECT_EQ(length, 4U);
  }
  if (can().shortest) {
    EXPECT_TRUE(result.reached()->shortest);
  }
}

TEST_P(Engines, ProveForAnyNumberOfSteps) {
  const EngineResult result = run(test::ring(6, 9));
  EXPECT_EQ(result.reached(), nullptr);
  if (!can().unbounded || !general()) return;
  ASSERT_NE(result.unreachable(), nullptr) << reason_text(result);
  EXPECT_EQ(result.unreachable_by<UpToBound>(), nullptr);
}

TEST_P(Engines, RespectBounds) {
  TransitionSystem ring = test::ring(6, 4);
  ring.bound.max = 3;
  // Who cannot clear the bound searches until the time is over.
  const EngineResult none = run(ring, std::chrono::seconds(can().clears_bounds ? 20 : 1));
  EXPECT_EQ(none.reached(), nullptr);
  if (can().clears_bounds && general()) {
    EXPECT_NE(none.unreachable(), nullptr) << reason_text(none);
  }
  ring.bound.max = 4;
  const EngineResult some = run(ring);
  EXPECT_EQ(some.unreachable(), nullptr);
  if (can().bounded && general()) {
    EXPECT_NE(some.reached(), nullptr) << reason_text(some);
  }
}

TEST_P(Engines, SayWhoFoundIt) {
  const EngineResult result = run(test::ring(6, 4));
  EXPECT_FALSE(result.engine.empty());
  if (GetParam().engine->id != "auto") {
    EXPECT_EQ(result.engine, GetParam().engine->id);
  }
}

INSTANTIATE_TEST_SUITE_P(List, Engines, ::testing::ValuesIn(rows()), [](const auto& instance) {
  return std::string(instance.param.engine->id) + "_" +
         std::string(smt::info(instance.param.solver).name);
});

}  // namespace
}  // namespace whittle
