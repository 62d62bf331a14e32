// SPDX-License-Identifier: Apache-2.0
// The reduced search by states against the plain one, on random concurrent programs and random
// networks: the same answer, traces that are runs, fewer states or as many, and a claim that the
// check accepts. Reductions that are made wrong are refused, or change nothing that can be seen.
#include <gtest/gtest.h>

#include <random>

#include "engine/explicit.h"
#include "engine/reduction/find_reduction.h"
#include "ir/lowering/lower.h"
#include "support/effort.h"
#include "support/load.h"
#include "support/random_network.h"
#include "support/random_proc.h"
#include "witness/reduction_check.h"
#include "witness/states_check.h"

namespace whittle {
namespace {

EngineResult searched(const TransitionSystem& system, std::uint64_t plain) {
  OptionSet options;
  auto& own = options.add<ExplicitOptions>();
  own.memory.set(20);
  own.plain.set(plain);
  Statistics statistics;
  Logger log;
  IgnoreProgress progress;
  const smt::SolverFactory solvers{smt::SolverFactory::Settings{}};
  Env env{options,  solvers, Deadline::after(std::chrono::seconds(2)), {}, statistics, log,
          progress, "test"};
  return kExplicitInfo.run(system, env);
}

struct Counts {
  int compared = 0, reached = 0, smaller = 0, refused = 0;
};

// A location more where a value is dead, a location more that is ample, or an exception less.
std::optional<StateReduction> mutated(const TransitionSystem& system,
                                      const StateReduction& reduction, std::mt19937_64& dice) {
  StateReduction wrong = reduction;
  const auto locations = [&](std::uint32_t thread) {
    return system.pool->info(system.variables[thread].type).values.size();
  };
  if (!wrong.dead.empty() && dice() % 2 == 0) {
    ThreadLocations& at = wrong.dead[dice() % wrong.dead.size()].at;
    const auto more = static_cast<std::uint32_t>(dice() % locations(at.thread));
    if (std::find(at.locations.begin(), at.locations.end(), more) != at.locations.end())
      return std::nullopt;
    at.locations.push_back(more);
    return wrong;
  }
  if (wrong.ample.empty()) return std::nullopt;
  AmpleLocation& ample = wrong.ample[dice() % wrong.ample.size()];
  if (!ample.unless.empty() && dice() % 2 == 0) {
    auto& unless = ample.unless[dice() % ample.unless.size()].locations;
    unless.erase(unless.begin() + static_cast<std::ptrdiff_t>(dice() % unless.size()));
  } else {
    ample.location = static_cast<std::uint32_t>(dice() % locations(ample.thread));
    ample.unless.clear();
  }
  return wrong;
}

void compare(const TransitionSystem& original, const std::string& place, std::mt19937_64& dice,
             Counts& counts) {
  TransitionSystem system = original;
  system.bound = {};
  const EngineResult all = searched(system, 1'000'000'000);
  const EngineResult reduced = searched(system, 0);
  if (all.unknown() != nullptr || reduced.unknown() != nullptr) return;
  ASSERT_EQ(all.outcome.index(), reduced.outcome.index()) << place;
  ++counts.compared;
  if (reduced.reached() != nullptr) {
    ++counts.reached;
    ASSERT_EQ(flat_trace_problem(system, reduced.reached()->trace), std::nullopt) << place;
    return;
  }
  ASSERT_TRUE(all.unreachable_by<AllStates>() && reduced.unreachable_by<AllStates>()) << place;
  const std::uint64_t states = all.unreachable_by<AllStates>()->count;
  const auto& [fewer, reduction] = *reduced.unreachable_by<AllStates>();
  ASSERT_LE(fewer, states) << place;
  counts.smaller += fewer < states ? 1 : 0;
  const smt::SolverFactory solvers{smt::SolverFactory::Settings{}};
  const auto checked = check_states(system, fewer, solvers, reduction);
  ASSERT_TRUE(checked) << checked.error().reason << "\n" << place;
  if (fewer < states) {
    ASSERT_FALSE(check_states(system, fewer, solvers)) << place;
  }
  const auto wrong = mutated(system, reduction, dice);
  if (wrong && reduction_problem(system, *wrong)) ++counts.refused;
}

TEST(RandomReduction, ProgramsHaveTheSameAnswers) {
  Counts counts;
  std::mt19937_64 dice(test::seed_offset() + 7);
  const int programs = 60 * test::effort();
  const auto offset = static_cast<int>(test::seed_offset());
  for (int seed = offset; seed < offset + programs && !HasFatalFailure(); ++seed) {
    const std::string text = test::RandomProc(static_cast<std::uint64_t>(seed))();
    const test::Loaded loaded = test::load("proc", text, "random.proc");
    ASSERT_NE(loaded.network, nullptr) << text << loaded.messages();
    for (std::uint32_t p = 0; p < loaded.network->properties().size(); ++p) {
      compare(lower(*loaded.network, PropertyId(p)).system,
              "seed " + std::to_string(seed) + "\n" + text, dice, counts);
    }
  }
  EXPECT_GT(counts.compared, programs)
      << counts.reached << " " << counts.smaller << " " << counts.refused;
  EXPECT_GT(counts.reached, programs / 4);
  EXPECT_GT(counts.smaller, programs / 4);
  EXPECT_GT(counts.refused, programs / 10);
  RecordProperty("compared", counts.compared);
  RecordProperty("reached", counts.reached);
  RecordProperty("smaller", counts.smaller);
  RecordProperty("refused", counts.refused);
}

TEST(RandomReduction, NetworksHaveTheSameAnswers) {
  Counts counts;
  std::mt19937_64 dice(test::seed_offset() + 8);
  const int networks = 20 * test::effort();
  for (int seed = 1; seed <= networks && !HasFatalFailure(); ++seed) {
    const std::uint64_t number = static_cast<std::uint64_t>(seed) + test::seed_offset();
    const test::RandomNetwork random = test::random_network(number);
    for (PropertyId property : random.properties) {
      compare(lower(*random.network, property).system, "seed " + std::to_string(number), dice,
              counts);
    }
  }
  EXPECT_GT(counts.compared, networks / 4);
  RecordProperty("compared", counts.compared);
  RecordProperty("reached", counts.reached);
  RecordProperty("smaller", counts.smaller);
  RecordProperty("refused", counts.refused);
}

}  // namespace
}  // namespace whittle
