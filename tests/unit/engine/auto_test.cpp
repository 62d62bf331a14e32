// SPDX-License-Identifier: Apache-2.0
// The schedules that `auto` makes of the list of engines, for each kind of question.
#include "engine/auto.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "engine/engines.h"

namespace whittle {
namespace {

QuestionProfile question(bool bounded, bool concurrent, bool counts_far, std::size_t transitions) {
  QuestionProfile result;
  result.bounded = bounded;
  result.concurrent = concurrent;
  result.counts_far = counts_far;
  result.transitions = transitions;
  return result;
}

std::string presolve(const QuestionProfile& question) {
  std::string result;
  for (const Presolver& slot : presolve_schedule(question))
    result += (result.empty() ? "" : " ") + std::string(slot.engine->id);
  return result;
}

std::string race_of(const QuestionProfile& question) {
  std::string result;
  for (const Racer& racer : race_schedule(question, smt::SolverId::Z3)) {
    result += (result.empty() ? "" : " ") + std::string(racer.engine->id);
    if (racer.as_parsed) result += "!";
    if (racer.pinned) result += "*";
    if (racer.solver != smt::SolverId::Z3) result += "'";
  }
  return result;
}

TEST(AutoSchedule, Presolving) {
  EXPECT_EQ(presolve(question(true, false, false, 10)), "bmc explicit");
  EXPECT_EQ(presolve(question(true, false, true, 10)), "bmc accelerate explicit");
  EXPECT_EQ(presolve(question(true, true, false, 500)), "bmc explicit");
  EXPECT_EQ(presolve(question(false, false, false, 10)), "bmc kinduction explicit");
  EXPECT_EQ(presolve(question(false, true, false, 10)), "bmc explicit swarm kinduction");
  EXPECT_EQ(presolve(question(false, false, true, 10)), "bmc accelerate kinduction");
  EXPECT_EQ(presolve(question(false, true, true, 10)), "bmc accelerate kinduction");
  EXPECT_EQ(presolve(question(false, false, false, 200)), "kinduction bmc");
  EXPECT_EQ(presolve(question(false, true, false, 200)), "kinduction bmc");
}

TEST(AutoSchedule, SharesGrowWithLargeSystems) {
  const auto small = presolve_schedule(question(false, false, false, 10));
  const auto large = presolve_schedule(question(false, false, false, 400));
  EXPECT_DOUBLE_EQ(small[0].share, 0.1);
  EXPECT_DOUBLE_EQ(small[1].share, 0.8);
  EXPECT_DOUBLE_EQ(large[0].share, 1.6);
  EXPECT_DOUBLE_EQ(large[1].share, 0.4);
}

TEST(AutoSchedule, Racing) {
  EXPECT_EQ(race_of(question(true, false, false, 10)), "bmc explicit swarm accelerate bmc'");
  EXPECT_EQ(race_of(question(true, true, true, 10)), "accelerate bmc explicit swarm bmc'");
  EXPECT_EQ(race_of(question(false, false, false, 10)),
            "pdr* rsc bmc kinduction lazy explicit swarm accelerate bmc'");
  EXPECT_EQ(race_of(question(false, true, false, 10)),
            "pdr* rsc explicit bmc kinduction lazy swarm accelerate bmc' backward");
  EXPECT_EQ(race_of(question(false, false, true, 10)),
            "accelerate pdr* rsc bmc kinduction lazy explicit swarm bmc'");
}

// Of a relation that was split into many parts, the whole has the place.
TEST(AutoSchedule, ModelAsParsed) {
  QuestionProfile whole = question(false, false, false, 10);
  whole.as_parsed = true;
  EXPECT_EQ(race_of(whole), "pdr!* pdr* rsc bmc kinduction lazy explicit swarm accelerate bmc'");
  whole.transitions = 300;
  EXPECT_EQ(race_of(whole), "pdr!* pdr rsc bmc kinduction lazy explicit swarm accelerate bmc'");
}

TEST(AutoSchedule, PdrHasItsOwnSolver) {
  for (const Racer& racer : race_schedule(question(false, false, false, 10), smt::SolverId::Cvc5)) {
    if (racer.engine->id == "pdr") {
      EXPECT_EQ(racer.solver, smt::SolverId::Z3);
    }
    if (racer.engine->id == "rsc") {
      EXPECT_EQ(racer.solver, smt::SolverId::Cvc5);
    }
  }
}

TEST(Capabilities, SuitQuestions) {
  Capabilities prover;
  prover.unbounded = true;
  EXPECT_TRUE(suits(prover, question(false, false, false, 1)));
  EXPECT_FALSE(suits(prover, question(true, false, false, 1)));
  prover.concurrent_only = true;
  EXPECT_FALSE(suits(prover, question(false, false, false, 1)));
  EXPECT_TRUE(suits(prover, question(false, true, false, 1)));
}

// Everything else in the list is asked at some time.
TEST(Capabilities, EveryEngineHasAPlace) {
  for (const EngineInfo* engine : engines()) {
    EXPECT_TRUE(engine->can.traces || engine->can.unbounded) << engine->id;
    if (engine->id != "auto") {
      EXPECT_NE(engine->schedule.race, nullptr) << engine->id;
    }
  }
}

}  // namespace
}  // namespace whittle
