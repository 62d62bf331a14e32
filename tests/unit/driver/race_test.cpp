// SPDX-License-Identifier: Apache-2.0
// Engines that are wrong, crash, are killed or use up the memory: none of that becomes a verdict,
// and the others answer.
#include "engine/portfolio/race.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "driver/decide.h"
#include "engine/engines.h"
#include "support/answer.h"
#include "support/load.h"
#include "support/systems.h"

namespace whittle {
namespace {

// "There is nothing to see, because everything is true": an invariant that excludes no goal.
EngineResult prove_anything(const TransitionSystem& system, Env&) {
  EngineResult result{Unreachable{Inductive{system.pool->boolean(true)}}};
  return result;
}

// A run that stays where it is.
EngineResult reach_anything(const TransitionSystem& system, Env&) {
  EngineResult result;
  FlatTrace trace;
  for (const StateVariable& v : system.variables)
    trace.initial.push_back(system.pool->default_value(v.type));
  result.outcome = Reached{trace};
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

Decided decided(const EngineInfo& engine, const std::shared_ptr<Network>& network,
                PropertyId property) {
  OptionSet options;
  options.add<DecideOptions>();
  Decided run;
  Logger log(LogLevel::Warning,
             [&](LogLevel, std::string_view text) { run.warnings += std::string(text) + "\n"; });
  IgnoreProgress progress;
  DecideContext context{options, Deadline::never(), CancelToken(), log, progress};
  context.engine = &engine;
  run.verdict = decide("test", network, property, context).verdict;
  return run;
}

Decided decided(const EngineInfo& engine, PropertyId test::CounterSystem::*property) {
  auto system = test::counter_system(5);
  return decided(engine, system.network, system.*property);
}

TEST(Race, RejectsWrongAnswersAndGoesOn) {
  const Decided violated = decided(kAll, &test::CounterSystem::below);
  EXPECT_EQ(violated.verdict.kind(), VerdictKind::Violated);
  EXPECT_TRUE(violated.verdict.witness.checked);
  EXPECT_EQ(violated.verdict.engine, "bmc");
  EXPECT_NE(violated.warnings.find("the answer of prover with z3 was rejected"), std::string::npos)
      << violated.warnings;
  const Decided holds = decided(kAll, &test::CounterSystem::below_or_at);
  EXPECT_EQ(holds.verdict.kind(), VerdictKind::Holds);
  EXPECT_TRUE(holds.verdict.witness.checked);
  EXPECT_NE(holds.warnings.find("the answer of reacher with z3 was rejected"), std::string::npos)
      << holds.warnings;
}

TEST(Race, IsUndecidedWhereAllAreWrong) {
  const Decided run = decided(kWrong, &test::CounterSystem::below_or_at);
  EXPECT_EQ(run.verdict.kind(), VerdictKind::Unknown);
  EXPECT_FALSE(run.verdict.invariant().valid());
  EXPECT_FALSE(run.verdict.trace());
  const std::string why = test::why_unknown(run.verdict);
  EXPECT_NE(why.find("rejected"), std::string::npos) << why;
}

#if !defined(__SANITIZE_ADDRESS__)  // would not survive a signal in the program itself
TEST(Race, SurvivesThatWorkersAreKilled) {
  const Decided run = decided(kKilled, &test::CounterSystem::below);
  EXPECT_EQ(run.verdict.kind(), VerdictKind::Violated);
}
#endif

// ----- the relation as parsed

EngineResult race_as_parsed(const TransitionSystem& system, Env& env) {
  if (env.as_parsed == nullptr) return {};
  Racer wrong[] = {{&kProver}, {&kReacher}, {find_engine("pdr")}};
  for (Racer& racer : wrong) racer.as_parsed = true;
  return race(system, env, wrong);
}
constexpr EngineInfo kAsParsed = {"as_parsed", "", "", nullptr, race_as_parsed};

// x counts up to 3 by one relation that is two events once it is taken apart.
Decided decided_as_parsed(std::size_t property) {
  const test::Loaded model = test::load("vmt", R"(
    (declare-fun x () Int) (declare-fun x.next () Int) (declare-fun b () Bool) (declare-fun b.next () Bool)
    (define-fun .x () Int (! x :next x.next)) (define-fun .b () Bool (! b :next b.next))
    (define-fun .i () Bool (! (and (= x 0) (not b)) :init true))
    (define-fun .t () Bool (! (and (= b.next (not b)) (or (and (< x 3) (= x.next (+ x 1))) (and (>= x 3) (= x.next 0))))
      :trans true))
    (define-fun low () Bool (! (<= x 3) :invar-property 0))
    (define-fun lower () Bool (! (<= x 2) :invar-property 1)))");
  return decided(kAsParsed, model.network, PropertyId(property));
}

// Its witnesses are not taken for those of the system that the others decide.
TEST(Race, WitnessesOfTheModelAsParsed) {
  const Decided holds = decided_as_parsed(0);
  EXPECT_EQ(holds.verdict.kind(), VerdictKind::Holds) << test::why_unknown(holds.verdict);
  EXPECT_TRUE(holds.verdict.witness.checked);
  EXPECT_EQ(holds.verdict.engine, "pdr");
  const Decided violated = decided_as_parsed(1);
  EXPECT_EQ(violated.verdict.kind(), VerdictKind::Violated) << test::why_unknown(violated.verdict);
  EXPECT_TRUE(violated.verdict.witness.checked);
  ASSERT_TRUE(violated.verdict.trace());
  EXPECT_EQ(violated.verdict.trace()->length(), 3U);
  EXPECT_NE(violated.warnings.find("prover with z3 on the model as parsed was rejected"),
            std::string::npos)
      << violated.warnings;
}

}  // namespace
}  // namespace whittle
