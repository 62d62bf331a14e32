// SPDX-License-Identifier: Apache-2.0
// The engines that only answer live questions, on systems whose answers are known. What they find
// is proved in tests/random/live_test.cpp.
#include "engine/ranking.h"

#include <gtest/gtest.h>

#include "engine/kliveness.h"
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

TEST_F(LiveEngines, CountedRounds) {
  const EngineResult result = run(kKLivenessInfo, test::live_toggle(3));
  const auto* bound = result.unreachable_by<KLiveness>();
  ASSERT_NE(bound, nullptr) << reason_text(result);
  EXPECT_GE(bound->k, 3U);
  EXPECT_EQ(bound->stages.size(), bound->k + 1);
}

}  // namespace
}  // namespace whittle
