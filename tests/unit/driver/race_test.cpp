// SPDX-License-Identifier: Apache-2.0
// Engines that are wrong, crash, are killed or use up the memory: none of that becomes a verdict,
// and the others answer.
#include "engine/race.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "driver/decide.h"
#include "engine/engines.h"
#include "support/systems.h"

namespace whittle {
namespace {

// "There is nothing to see, because everything is true": an invariant that excludes no goal.
EngineResult prove_anything(const TransitionSystem& system, Env&) {
  EngineResult result;
  result.outcome = Outcome::Unreached;
  result.invariant = system.pool->boolean(true);
  return result;
}

// A run that stays where it is.
EngineResult reach_anything(const TransitionSystem& system, Env&) {
  EngineResult result;
  result.outcome = Outcome::Reached;
  FlatTrace trace;
  for (const StateVariable& v : system.variables)
    trace.initial.push_back(system.pool->default_value(v.type));
  result.trace = trace;
  return result;
}

EngineResult die(const TransitionSystem&, Env&) {
  std::raise(SIGKILL);
  return {};
}

EngineResult crash(const TransitionSystem&, Env&) {
  std::abort();
  return {};
}

constexpr EngineInfo kProver = {"prover", "", "", nullptr, prove_anything};
constexpr EngineInfo kReacher = {"reacher", "", "", nullptr, reach_anything};
constexpr EngineInfo kDying = {"dying", "", "", nullptr, die};
constexpr EngineInfo kCrashing = {"crashing", "", "", nullptr, crash};

EngineResult race_of_all(const TransitionSystem& system, Env& env) {
  const Racer racers[] = {
      {&kProver}, {&kReacher}, {&kCrashing}, {find_engine("bmc")}, {find_engine("kinduction")}};
  return race(system, env, racers);
}
EngineResult race_of_the_wrong(const TransitionSystem& system, Env& env) {
  const Racer racers[] = {{&kProver}, {&kReacher}, {&kCrashing}};
  return race(system, env, racers);
}
EngineResult race_of_the_killed(const TransitionSystem& system, Env& env) {
  const Racer racers[] = {{&kDying}, {find_engine("bmc")}};
  return race(system, env, racers);
}

constexpr EngineInfo kAll = {"all", "", "", nullptr, race_of_all};
constexpr EngineInfo kWrong = {"wrong", "", "", nullptr, race_of_the_wrong};
constexpr EngineInfo kKilled = {"killed", "", "", nullptr, race_of_the_killed};

struct Decided {
  Verdict verdict;
  std::string warnings;
};

Decided decided(const EngineInfo& engine, PropertyId test::CounterSystem::*property) {
  auto system = test::counter_system(5);
  OptionSet options;
  options.add<DecideOptions>();
  Decided run;
  Logger log(LogLevel::Warning,
             [&](LogLevel, std::string_view text) { run.warnings += std::string(text) + "\n"; });
  IgnoreProgress progress;
  DecideContext context{options, Deadline::never(), CancelToken(), log, progress};
  context.engine = &engine;
  run.verdict = decide("test", system.network, system.*property, context).verdict;
  return run;
}

TEST(Race, RejectsWrongAnswersAndGoesOn) {
  const Decided violated = decided(kAll, &test::CounterSystem::below);
  EXPECT_EQ(violated.verdict.kind, VerdictKind::Violated);
  EXPECT_TRUE(violated.verdict.witness.checked);
  EXPECT_EQ(violated.verdict.engine, "bmc");
  EXPECT_NE(violated.warnings.find("the answer of prover with z3 was rejected"), std::string::npos)
      << violated.warnings;
  const Decided holds = decided(kAll, &test::CounterSystem::below_or_at);
  EXPECT_EQ(holds.verdict.kind, VerdictKind::Holds);
  EXPECT_TRUE(holds.verdict.witness.checked);
  EXPECT_NE(holds.warnings.find("the answer of reacher with z3 was rejected"), std::string::npos)
      << holds.warnings;
}

TEST(Race, IsUndecidedWhereAllAreWrong) {
  const Decided run = decided(kWrong, &test::CounterSystem::below_or_at);
  EXPECT_EQ(run.verdict.kind, VerdictKind::Unknown);
  EXPECT_FALSE(run.verdict.invariant.valid());
  EXPECT_FALSE(run.verdict.trace);
  EXPECT_NE(run.verdict.reason.find("rejected"), std::string::npos) << run.verdict.reason;
}

#if !defined(__SANITIZE_ADDRESS__)  // would not survive a signal in the program itself
TEST(Race, SurvivesThatWorkersAreKilled) {
  const Decided run = decided(kKilled, &test::CounterSystem::below);
  EXPECT_EQ(run.verdict.kind, VerdictKind::Violated);
}
#endif

}  // namespace
}  // namespace whittle
