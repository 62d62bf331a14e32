// SPDX-License-Identifier: Apache-2.0
// Every encoding, with and without ranges, with every solver, on the same systems; each trace is
// checked by exact evaluation.
#include "engine/bmc.h"

#include <gtest/gtest.h>

#include "support/flat_systems.h"

namespace whittle {
namespace {

struct Configuration {
  BmcEncoding encoding;
  BmcRanges ranges;
  smt::SolverId solver;
};

class BmcTest : public ::testing::TestWithParam<Configuration> {
 protected:
  EngineResult run(const TransitionSystem& system,
                   BmcProjection projection = BmcProjection::Liveness) {
    OptionSet options;
    auto& bmc = options.add<BmcOptions>();
    bmc.projection.set(projection);
    bmc.encoding.set(GetParam().encoding);
    bmc.ranges.set(GetParam().ranges);
    bmc.max_depth.set(20);
    smt::SolverFactory::Settings settings;
    settings.id = GetParam().solver;
    Statistics statistics;
    Logger log;
    IgnoreProgress progress;
    Env env{options, smt::SolverFactory(settings), {}, {}, statistics, log, progress, "test"};
    return run_engine(kBmcInfo, system, env);
  }

  // The length of the trace, which must be a run; -1: Unreached, -2: Unknown.
  int depth(const TransitionSystem& system) {
    const EngineResult result = run(system);
    if (result.unreachable() != nullptr) return -1;
    if (result.unknown() != nullptr) return -2;
    EXPECT_EQ(flat_trace_problem(system, result.reached()->trace), std::nullopt);
    int length = 0;
    for (const FlatStep& step : result.reached()->trace.steps)
      length += static_cast<int>(step.times);
    return length;
  }
  static bool shortest() { return GetParam().encoding != BmcEncoding::Monolithic; }
};

TEST_P(BmcTest, FindsTheLeastDepth) {
  TransitionSystem near = test::countdown(3, 4);
  if (!shortest()) near.bound.max = 6;
  EXPECT_EQ(depth(near), 6);
  EXPECT_EQ(depth(test::odometer(2)), 8);
  TransitionSystem far = test::jumper(23);
  far.bound.max = 12;
  const int found = depth(far);
  if (shortest()) {
    EXPECT_EQ(found, 4);  // 3, 5, 7, more, halt
  } else {
    EXPECT_GE(found, 4);
  }
}

TEST_P(BmcTest, RespectsBounds) {
  TransitionSystem system = test::countdown(2, 4);
  system.bound = {0, 5};
  EXPECT_EQ(depth(system), -1);
  system.bound = {0, 6};
  EXPECT_EQ(depth(system), 6);
  system.bound = {8, 9};
  const int found = depth(system);
  EXPECT_TRUE(found == 8 || (!shortest() && found == 9)) << found;
  system.bound = {8, 8};
  EXPECT_EQ(depth(system), 8);
}

TEST_P(BmcTest, NeedsNoSolverWhereRangesExcludeTheGoal) {
  TransitionSystem system = test::countdown(2, 100);
  system.bound = {0, 15};
  const EngineResult result = run(system);
  EXPECT_TRUE(result.unreachable());
  const bool ranges =
      GetParam().ranges == BmcRanges::On && GetParam().encoding != BmcEncoding::Monolithic;
  EXPECT_EQ(result.calls.checks == 0, ranges);
}

TEST_P(BmcTest, ClearsBoundedQuestionsWithoutAFirstState) {
  TransitionSystem system = test::countdown(2, 4);
  system.init = system.pool->boolean(false);
  system.bound = {0, 15};
  const EngineResult result = run(system);
  EXPECT_TRUE(result.unreachable());
  const auto* runs = result.unreachable_by<AllRunsShort>();
  EXPECT_TRUE(runs == nullptr || runs->longest == 0);
}

TEST_P(BmcTest, SaysHowFarItLooked) {
  TransitionSystem system = test::countdown(2, 100);
  const EngineResult result = run(system);
  EXPECT_TRUE(result.unknown());
  EXPECT_EQ(result.unknown()->reason.kind, Reason::Kind::Bound);
  EXPECT_EQ(reason_text(result), "bound reached: 20 steps");
  EXPECT_EQ(result.unknown()->clear_to, 20);
}

TEST_P(BmcTest, NoticesThatRunsEnd) {
  if (GetParam().encoding == BmcEncoding::Monolithic) GTEST_SKIP();
  TransitionSystem system = test::jumper(-1);
  const EngineResult result = run(system);
  EXPECT_TRUE(result.unknown());  // it can jump for ever
  system.transitions.erase(system.transitions.begin() + 1);
  const EngineResult finite = run(system, BmcProjection::Off);
  EXPECT_TRUE(finite.unreachable());
  ASSERT_TRUE(finite.unreachable_by<AllRunsShort>());
  EXPECT_GE(finite.unreachable_by<AllRunsShort>()->longest, 11);  // 0, 1, ..., 10, halt
  // A projection says nothing about runs with steps that do not matter.
  const EngineResult projected = run(system);
  EXPECT_TRUE(projected.unreachable());
  EXPECT_TRUE(projected.unreachable_by<AllRunsShort>());
}

TEST_P(BmcTest, FindsRealAmounts) {
  EXPECT_EQ(depth(test::savings(230)), shortest() ? 4 : depth(test::savings(230)));
}

TEST_P(BmcTest, RepeatsEqualSteps) {
  if (!shortest()) GTEST_SKIP();
  const EngineResult result = run(test::countdown(2, 9));
  ASSERT_TRUE(result.reached());
  ASSERT_EQ(result.reached()->trace.steps.size(), 2);
  EXPECT_EQ(result.reached()->trace.steps[1].times, 10);
}

std::vector<Configuration> configurations() {
  std::vector<Configuration> result;
  for (BmcEncoding encoding : {BmcEncoding::Deltas, BmcEncoding::Updates, BmcEncoding::Disjuncts,
                               BmcEncoding::Monolithic}) {
    for (BmcRanges ranges : {BmcRanges::On, BmcRanges::Off}) {
      for (const smt::SolverInfo& solver : smt::solvers()) {
        result.push_back({encoding, ranges, solver.id});
      }
    }
  }
  return result;
}

std::string name(const ::testing::TestParamInfo<Configuration>& info) {
  const char* encodings[] = {"deltas", "updates", "disjuncts", "monolithic"};
  return std::string(encodings[static_cast<int>(info.param.encoding)]) +
         (info.param.ranges == BmcRanges::On ? "_ranges_" : "_plain_") +
         std::string(smt::info(info.param.solver).name);
}

INSTANTIATE_TEST_SUITE_P(All, BmcTest, ::testing::ValuesIn(configurations()), name);

}  // namespace
}  // namespace whittle
