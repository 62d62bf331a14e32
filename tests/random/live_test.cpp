// SPDX-License-Identifier: Apache-2.0
// Answers about infinite runs: what engines find is proved by the other solver; what is changed
// afterwards is not.
#include <gtest/gtest.h>

#include <random>

#include "engine/kliveness.h"
#include "engine/portfolio/result_codec.h"
#include "engine/ranking.h"
#include "engine/region.h"
#include "support/effort.h"
#include "support/live_systems.h"
#include "witness/ranking_check.h"
#include "witness/region_check.h"

namespace whittle {
namespace {

using Checked = Expected<WitnessCheck, RejectedWitness>;

EngineResult answer(const EngineInfo& engine, const TransitionSystem& system,
                    std::chrono::seconds time = std::chrono::seconds(30)) {
  const OptionSet options;
  Statistics statistics;
  Logger log;
  IgnoreProgress progress;
  Env env{options, smt::SolverFactory({}), Deadline::after(time), {}, statistics, log, progress,
          "test"};
  return run_engine(engine, system, env);
}

smt::SolverFactory checker() {
  smt::SolverFactory::Settings settings;
  settings.id = smt::SolverId::Cvc5;
  settings.limits.deadline = Deadline::after(std::chrono::seconds(20));
  return smt::SolverFactory(settings);
}

void expect_proved(const Checked& checked) {
  ASSERT_TRUE(checked) << checked.error().reason << " " << checked.error().event;
  EXPECT_TRUE(checked->checked);
}
void expect_not_proved(const Checked& checked) { EXPECT_TRUE(!checked || !checked->checked); }

// Through the bytes in which workers hand over results.
EngineResult sent(const TransitionSystem& system, PoolMark before, const EngineResult& result) {
  Statistics statistics;
  return decoded(encoded(result, statistics, *system.pool, before), *system.pool, statistics);
}

TEST(Live, RankingsAreProved) {
  for (const TransitionSystem& system :
       {test::live_two_counters(), test::live_gcd(), test::live_nested_countdown(),
        test::live_phases(), test::live_towards_zero(), test::live_queue()}) {
    const PoolMark before = mark(*system.pool);
    const EngineResult result = sent(system, before, answer(kRankingInfo, system));
    const auto* ranking = result.unreachable_by<Ranking>();
    ASSERT_NE(ranking, nullptr) << reason_text(result);
    expect_proved(check_ranking(system, *ranking, checker()));
  }
}

TEST(Live, ChangedRankingsAreNotProved) {
  const TransitionSystem system = test::live_nested_countdown();
  ExprPool& pool = *system.pool;
  const EngineResult result = answer(kRankingInfo, system);
  const auto* found = result.unreachable_by<Ranking>();
  ASSERT_NE(found, nullptr);
  Ranking shorter = *found;
  shorter.levels.pop_back();
  expect_not_proved(check_ranking(system, shorter, checker()));
  Ranking shifted = *found;
  for (Expr& function : shifted.levels.back())
    if (function.valid()) function = pool.sub(function, pool.integer(Integer(5)));
  expect_not_proved(check_ranking(system, shifted, checker()));
  Ranking negated = *found;
  for (Expr& function : negated.levels.front())
    if (function.valid()) function = pool.minus(function);
  expect_not_proved(check_ranking(system, negated, checker()));
  Ranking elsewhere = *found;
  elsewhere.places.pop_back();
  for (auto& level : elsewhere.levels) level.pop_back();
  expect_not_proved(check_ranking(system, elsewhere, checker()));
  Ranking believed = *found;
  believed.invariant = pool.boolean(false);
  expect_not_proved(check_ranking(system, believed, checker()));
  // The proof of a system that lacks a transition.
  TransitionSystem more = system;
  Transition back = more.transitions[1];
  back.name = "up";
  back.updates[0].value = pool.add(back.updates[0].value, pool.integer(Integer(2)));
  more.transitions.push_back(back);
  more.acceptance->front().transitions.push_back(3);
  expect_not_proved(check_ranking(more, *found, checker()));
}

TEST(Live, RegionsAreProved) {
  for (const TransitionSystem& system :
       {test::live_increment(), test::live_doubling(), test::live_chosen()}) {
    const PoolMark before = mark(*system.pool);
    const EngineResult result = sent(system, before, answer(kRegionInfo, system));
    ASSERT_NE(result.reached(), nullptr) << reason_text(result);
    expect_proved(check_region(system, result.reached()->trace, checker()));
  }
}

TEST(Live, ChangedRegionsAreNotProved) {
  const TransitionSystem system = test::live_chosen();
  ExprPool& pool = *system.pool;
  const EngineResult result = answer(kRegionInfo, system);
  ASSERT_NE(result.reached(), nullptr);
  const FlatTrace& found = result.reached()->trace;
  FlatTrace wider = found;
  wider.region->condition = pool.boolean(true);
  expect_not_proved(check_region(system, wider, checker()));
  FlatTrace empty = found;
  empty.region->condition = pool.boolean(false);
  expect_not_proved(check_region(system, empty, checker()));
  FlatTrace chosen = found;
  chosen.region->steps[0].inputs[0] = pool.integer(Integer(-3));
  expect_not_proved(check_region(system, chosen, checker()));
  FlatTrace late = found;
  late.loop = late.steps.size();
  expect_not_proved(check_region(system, late, checker()));
  TransitionSystem demanding = system;
  demanding.acceptance->push_back({pool.boolean(false), {}, "never"});
  expect_not_proved(check_region(demanding, found, checker()));
}

TEST(Live, StagesAreProved) {
  const TransitionSystem system = test::live_toggle(3);
  const PoolMark before = mark(*system.pool);
  const EngineResult result = sent(system, before, answer(kKLivenessInfo, system));
  const auto* bound = result.unreachable_by<KLiveness>();
  ASSERT_NE(bound, nullptr) << reason_text(result);
  expect_proved(check_kliveness(system, *bound, checker()));
  KLiveness shorter = *bound;
  shorter.stages.resize(2);
  expect_not_proved(check_kliveness(system, shorter, checker()));
  KLiveness nothing = *bound;
  nothing.stages.front() = system.pool->boolean(false);
  expect_not_proved(check_kliveness(system, nothing, checker()));
}

// Loops over two numbers, at random: no two engines disagree, and all that is found is proved.
TransitionSystem random_loop(std::mt19937& random) {
  TransitionSystem system{std::make_shared<ExprPool>(), {}, {}, {}, {}, {}};
  ExprPool& pool = *system.pool;
  std::vector<Expr> numbers;
  for (const char* name : {"x", "y"}) {
    const SymbolId current = pool.declare(name, Type::integer());
    const SymbolId next = pool.declare(std::string(name) + "'", Type::integer());
    system.variables.push_back({name, Type::integer(), current, next, false});
    numbers.push_back(pool.symbol(current));
  }
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  const auto form = [&] {
    Expr sum = pool.integer(Integer(pick(-2, 2)));
    for (const Expr number : numbers)
      sum = pool.add(sum, pool.mul(pool.integer(Integer(pick(-1, 1))), number));
    return sum;
  };
  const int transitions = pick(1, 3);
  AcceptanceSet all{pool.boolean(false), {}, "steps"};
  for (int t = 0; t < transitions; ++t) {
    Transition transition;
    transition.name = "t" + std::to_string(t);
    transition.guard = pool.ge(form(), pool.integer(Integer(0)));
    if (pick(0, 1) == 0)
      transition.guard = pool.conj(transition.guard, pool.ge(numbers[0], pool.integer(Integer(0))));
    for (std::uint32_t v = 0; v < 2; ++v)
      if (pick(0, 3) != 0) transition.updates.push_back({v, form()});
    system.transitions.push_back(std::move(transition));
    all.transitions.push_back(static_cast<std::uint32_t>(t));
  }
  system.init = pool.boolean(true);
  system.goal.condition = pool.boolean(false);
  system.acceptance = std::vector<AcceptanceSet>{all};
  return system;
}

// What says nothing of the system any more, or something else.
Ranking changed(Ranking ranking, ExprPool& pool, std::mt19937& random) {
  auto& level = ranking.levels[random() % ranking.levels.size()];
  Expr& function = level[random() % level.size()];
  const bool ranked = function.valid() && !pool.is_const(function);
  switch (random() % 4) {
    case 0:
      if (ranked) function = pool.minus(function);
      break;
    case 1:
      if (ranked) function = pool.integer(Integer(1));
      break;
    case 2:
      ranking.levels.erase(ranking.levels.begin());
      break;
    default:
      ranking.places.pop_back();
      for (auto& functions : ranking.levels) functions.pop_back();
  }
  return ranking;
}

FlatTrace changed(FlatTrace trace, ExprPool& pool, std::mt19937& random) {
  Expr& condition = trace.region->condition;
  switch (random() % 4) {
    case 0:
      condition = pool.negate(condition);
      break;
    case 1:
      condition = pool.boolean(false);
      break;
    case 2:
      trace.loop = trace.steps.size();
      break;
    default:
      trace.steps.pop_back();
      trace.region->steps.pop_back();
  }
  return trace;
}

TEST(Live, RandomChangesAreNotProved) {
  std::mt19937 random(11 + test::seed_offset());
  unsigned rankings = 0, ranked = 0, regions = 0, looped = 0;
  const auto proved = [](const Checked& checked) { return checked && checked->checked; };
  for (int round = 0; round < 20 * test::effort(); ++round) {
    const TransitionSystem system = random_loop(random);
    ExprPool& pool = *system.pool;
    const EngineResult proof = answer(kRankingInfo, system, std::chrono::seconds(2));
    const auto* ranking = proof.unreachable_by<Ranking>();
    for (int i = 0; i < 3 && ranking != nullptr && !ranking->levels.empty(); ++i) {
      ++rankings;
      ranked += proved(check_ranking(system, changed(*ranking, pool, random), checker())) ? 1 : 0;
    }
    if (ranking != nullptr) continue;
    const EngineResult loop = answer(kRegionInfo, system, std::chrono::seconds(2));
    for (int i = 0; i < 3 && loop.reached() != nullptr; ++i) {
      ++regions;
      const FlatTrace other = changed(loop.reached()->trace, pool, random);
      looped += proved(check_region(system, other, checker())) ? 1 : 0;
    }
  }
  EXPECT_GE(rankings, 6U);
  EXPECT_LE(ranked, rankings / 2);  // some of them are as good: a place that nothing needs
  EXPECT_GE(regions, 10U);
  EXPECT_EQ(looped, 0U);
}

TEST(Live, NoTwoAnswersDiffer) {
  std::mt19937 random(20260);
  unsigned ends = 0, goes_on = 0;
  const auto rounds = static_cast<unsigned>(25 * test::effort());
  for (unsigned i = 0; i < rounds; ++i) {
    const TransitionSystem system = random_loop(random);
    const EngineResult proof = answer(kRankingInfo, system, std::chrono::seconds(3));
    const EngineResult loop = answer(kRegionInfo, system, std::chrono::seconds(3));
    const auto* ranking = proof.unreachable_by<Ranking>();
    ASSERT_FALSE(ranking != nullptr && loop.reached() != nullptr) << "round " << i;
    if (ranking != nullptr) {
      expect_proved(check_ranking(system, *ranking, checker()));
      ++ends;
    }
    if (loop.reached() != nullptr) {
      expect_proved(check_region(system, loop.reached()->trace, checker()));
      ++goes_on;
    }
  }
  EXPECT_GE(ends, rounds / 8);
  EXPECT_GE(goes_on, rounds / 4);
}

}  // namespace
}  // namespace whittle
