// SPDX-License-Identifier: Apache-2.0
// The engines that only answer live questions, on systems whose answers are known. What they find
// is proved in tests/random/live_test.cpp.
#include "engine/ranking.h"

#include <gtest/gtest.h>

#include "engine/kliveness.h"
#include "engine/lasso.h"
#include "engine/region.h"
#include "support/live_systems.h"

namespace whittle {
namespace {

class LiveEngines : public ::testing::Test {
 protected:
  static EngineResult run(const EngineInfo& engine, const TransitionSystem& system) {
    const OptionSet options;
    Statistics statistics;
    Logger log;
    IgnoreProgress progress;
    Env env{options,
            smt::SolverFactory({}),
            Deadline::after(std::chrono::seconds(30)),
            {},
            statistics,
            log,
            progress,
            "test"};
    return run_engine(engine, system, env);
  }
  static std::size_t levels(const TransitionSystem& system) {
    const EngineResult result = run(kRankingInfo, system);
    const auto* ranking = result.unreachable_by<Ranking>();
    EXPECT_NE(ranking, nullptr) << reason_text(result);
    return ranking == nullptr ? 0 : ranking->levels.size();
  }
};

TEST_F(LiveEngines, OneFunction) {
  EXPECT_EQ(levels(test::live_two_counters()), 1U);
  EXPECT_EQ(levels(test::live_gcd()), 1U);
}

TEST_F(LiveEngines, LexicographicFunctions) {
  EXPECT_EQ(levels(test::live_nested_countdown()), 2U);
}

TEST_F(LiveEngines, PhasesAreSplit) {
  EXPECT_GE(levels(test::live_phases()), 1U);
  EXPECT_GE(levels(test::live_towards_zero()), 1U);
}

TEST_F(LiveEngines, SetsThatCannotAllBeMet) { EXPECT_GE(levels(test::live_queue()), 1U); }

TEST_F(LiveEngines, RankingDoesNotKnowWhereThereAreRuns) {
  for (const TransitionSystem& system :
       {test::live_increment(), test::live_doubling(), test::live_chosen()})
    EXPECT_NE(run(kRankingInfo, system).unknown(), nullptr);
}

TEST_F(LiveEngines, RegionsOfLoops) {
  for (const TransitionSystem& system :
       {test::live_increment(), test::live_doubling(), test::live_chosen()}) {
    const EngineResult result = run(kRegionInfo, system);
    ASSERT_NE(result.reached(), nullptr) << reason_text(result);
    ASSERT_TRUE(result.reached()->trace.region);
    EXPECT_TRUE(result.reached()->trace.loop);
  }
}

TEST_F(LiveEngines, RegionDoesNotKnowWhereThereAreNoRuns) {
  for (const TransitionSystem& system : {test::live_two_counters(), test::live_phases()})
    EXPECT_NE(run(kRegionInfo, system).unknown(), nullptr);
}

// x goes from 0 to 2 and from there back to 1; `back` is the only set.
TransitionSystem comes_back() {
  TransitionSystem system{std::make_shared<ExprPool>(), {}, {}, {}, {}, {}};
  ExprPool& pool = *system.pool;
  const SymbolId x = pool.declare("x", Type::integer());
  system.variables.push_back({"x", Type::integer(), x, pool.declare("x'", Type::integer()), false});
  const auto number = [&](int n) { return pool.integer(Integer(n)); };
  const Expr now = pool.symbol(x);
  system.init = pool.eq(now, number(0));
  Transition up;
  up.name = "up";
  up.guard = pool.lt(now, number(2));
  up.updates = {{0, pool.add(now, number(1))}};
  Transition back;
  back.name = "back";
  back.guard = pool.eq(now, number(2));
  back.updates = {{0, number(1)}};
  system.transitions = {up, back};
  system.goal.condition = pool.boolean(false);
  system.acceptance = std::vector<AcceptanceSet>{{pool.boolean(false), {1}, "back"}};
  return system;
}

TEST_F(LiveEngines, ShortestLassos) {
  const TransitionSystem system = comes_back();
  const EngineResult result = run(kLassoInfo, system);
  ASSERT_NE(result.reached(), nullptr) << reason_text(result);
  EXPECT_TRUE(result.reached()->shortest);
  EXPECT_EQ(result.reached()->trace.steps.size(), 3U);  // up, up, back
  EXPECT_EQ(result.reached()->trace.loop, 1U);
  TransitionSystem bounded = system;
  bounded.bound.max = 2;  // one state less than that has
  EXPECT_NE(run(kLassoInfo, bounded).unknown(), nullptr);
  bounded.bound.max = 3;
  EXPECT_NE(run(kLassoInfo, bounded).reached(), nullptr);
}

TEST_F(LiveEngines, LassoDoesNotKnowWhereThereAreNone) {
  for (const TransitionSystem& system : {test::live_nested_countdown(), test::live_increment()}) {
    TransitionSystem bounded = system;
    bounded.bound.max = 12;
    EXPECT_NE(run(kLassoInfo, bounded).unknown(), nullptr);
  }
}

TEST_F(LiveEngines, CountedRounds) {
  const EngineResult result = run(kKLivenessInfo, test::live_toggle(3));
  const auto* bound = result.unreachable_by<KLiveness>();
  ASSERT_NE(bound, nullptr) << reason_text(result);
  EXPECT_GE(bound->k, 3U);
  EXPECT_EQ(bound->stages.size(), bound->k + 1);
}

}  // namespace
}  // namespace whittle
