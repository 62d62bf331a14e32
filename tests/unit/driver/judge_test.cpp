// SPDX-License-Identifier: Apache-2.0
// Who found an answer, who checked it, and what becomes of answers that are wrong.
#include "driver/judge.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "driver/confirm.h"
#include "driver/decide.h"
#include "engine/engines.h"
#include "report/verdict_text.h"
#include "support/answer.h"
#include "support/load.h"

namespace whittle {
namespace {

// `idle` has nothing to do with x, so it is sliced away.
constexpr const char* kCounter = R"(
system Counter
var x, y, z: Int
node P
start P: x == 0 && y == 0 && z == 0
transition up: P -> P when x < 5 then x' == x + 1 && z' == z + 2
transition idle: P -> P then y' == y + 1
reach far: x == 5 within 4
reach near: x == 5 within 5
safety small: x <= 5
safety twice: z == 2 * x
)";

PropertyId named(const Network& network, std::string_view name) {
  for (std::size_t p = 0; p < network.properties().size(); ++p) {
    if (network.properties()[p].name == name) return PropertyId(p);
  }
  ADD_FAILURE() << "no property " << name;
  return PropertyId(0);
}

Verdict decided(const std::string& property, const std::string& engine, smt::SolverId solver,
                CheckBounded check = CheckBounded::On) {
  const test::Loaded loaded = test::load("sts", kCounter);
  EXPECT_TRUE(loaded.network) << loaded.messages();
  OptionSet options;
  auto& deciding = options.add<DecideOptions>();
  deciding.engine.set(engine);
  deciding.solver.set(solver);
  deciding.check_bounded.set(check);
  Logger log;
  IgnoreProgress progress;
  DecideContext context{options, Deadline::never(), {}, log, progress};
  return decide("test", loaded.network, named(*loaded.network, property), context).verdict;
}

TEST(Provenance, TheSolverThatFoundAnAnswerDoesNotCheckIt) {
  for (const smt::SolverId solver : {smt::SolverId::Z3, smt::SolverId::Cvc5}) {
    const Verdict far = decided("far", "bmc", solver);
    ASSERT_EQ(far.kind(), VerdictKind::Unreachable) << test::why_unknown(far);
    EXPECT_TRUE(far.witness.checked);
    EXPECT_NE(checked_by(far.witness), far.solver);
    EXPECT_EQ(far.witness.on, WitnessCheck::On::Model);
    // Spacer is a part of Z3, whatever solver was asked for.
    const Verdict twice = decided("twice", "pdr", solver);
    ASSERT_EQ(twice.kind(), VerdictKind::Holds) << test::why_unknown(twice);
    EXPECT_EQ(twice.solver, "z3");
    EXPECT_EQ(checked_by(twice.witness), "cvc5");
    EXPECT_TRUE(twice.witness.checked);
  }
}

TEST(Provenance, BoundedAnswersAreUncheckedOnRequestAndSaySo) {
  const Verdict far = decided("far", "bmc", smt::SolverId::Z3, CheckBounded::Off);
  ASSERT_EQ(far.kind(), VerdictKind::Unreachable) << test::why_unknown(far);
  EXPECT_FALSE(far.witness.checked);
  EXPECT_EQ(status(far.witness), "unchecked");
  EXPECT_TRUE(far.witness.by_option);
}

// A prepared question about the counter, and what is needed to judge answers to it.
class Answers : public ::testing::Test {
 protected:
  void prepare(const std::string& property) {
    prepared_.emplace(loaded_.network, named(*loaded_.network, property), Pipeline::All,
                      PrepareContext{options_, log_, solvers_, statistics_});
  }
  Env env() {
    Env result{options_, solvers_.with(smt::SolverId::Cvc5), {}, {}, statistics_, log_, progress_,
               "test"};
    result.confirms = true;
    return result;
  }
  [[nodiscard]] EngineResult found(std::string_view engine) {
    Env environment = env();
    return run_engine(*find_engine(engine), prepared_->system(), environment);
  }
  [[nodiscard]] Judgement judgement(const EngineResult& found) {
    return judge(found, *prepared_, solvers_.with(smt::SolverId::Z3));
  }

  test::Loaded loaded_ = test::load("sts", kCounter);
  OptionSet options_;
  Logger log_;
  IgnoreProgress progress_;
  Statistics statistics_;
  smt::SolverFactory solvers_{{}};
  std::optional<Prepared> prepared_;
};

TEST_F(Answers, RightOnesAreAccepted) {
  prepare("near");
  EXPECT_TRUE(prepared_->changed());
  const EngineResult trace = found("bmc");
  ASSERT_TRUE(trace.reached());
  EXPECT_TRUE(std::holds_alternative<Accepted>(judgement(trace)));
  prepare("small");
  const EngineResult invariant = found("kinduction");
  ASSERT_TRUE(invariant.unreachable_by<Inductive>());
  EXPECT_TRUE(std::holds_alternative<Accepted>(judgement(invariant)));
}

TEST_F(Answers, ATraceWithoutItsLastStepIsRejected) {
  prepare("near");
  EngineResult wrong = found("bmc");
  ASSERT_TRUE(wrong.reached());
  FlatStep& last = wrong.reached()->trace.steps.back();
  if (last.times > 1) {
    --last.times;
  } else {
    wrong.reached()->trace.steps.pop_back();
  }
  EXPECT_TRUE(std::holds_alternative<Rejected>(judgement(wrong)));
}

// A second reading of the text that has made up its mind.
class Reading final : public AsWritten {
 public:
  explicit Reading(TextReplay::Outcome outcome) : outcome_(outcome) {}
  TextReplay replay(const Network& network, PropertyId property, const Trace& trace,
                    const Sources& sources) const override {
    EXPECT_EQ(network.property(property).name, "near");
    EXPECT_EQ(trace.length(), 5);  // of the network as parsed
    EXPECT_EQ(sources.size(), 1);
    return {outcome_, "because"};
  }

 private:
  TextReplay::Outcome outcome_;
};

TEST_F(Answers, ATraceThatTheTextDoesNotAllowIsRejectedAlthoughTheNetworkAllowsIt) {
  loaded_.network->as_written = std::make_shared<Reading>(TextReplay::Outcome::Differs);
  prepare("near");
  const EngineResult trace = found("bmc");
  ASSERT_TRUE(trace.reached());
  const Judgement judged =
      judge(trace, *prepared_, solvers_.with(smt::SolverId::Z3), loaded_.sources.get());
  ASSERT_TRUE(std::holds_alternative<Rejected>(judged));
  EXPECT_EQ(std::get<Rejected>(judged).reason, "the text does not allow the trace: because");
}

TEST_F(Answers, WhoEvaluatedTheTextIsSaidOfATrace) {
  const auto by = [&](TextReplay::Outcome outcome, const Sources* sources) {
    loaded_.network->as_written = std::make_shared<Reading>(outcome);
    prepare("near");
    const Judgement judged =
        judge(found("bmc"), *prepared_, solvers_.with(smt::SolverId::Z3), sources);
    const Accepted* accepted = std::get_if<Accepted>(&judged);
    return accepted != nullptr ? checked_by(accepted->verdict.witness) : "rejected";
  };
  const Sources* sources = loaded_.sources.get();
  EXPECT_EQ(by(TextReplay::Outcome::Agrees, sources), "replay and evaluation of the text");
  EXPECT_EQ(by(TextReplay::Outcome::NotCovered, sources),
            "replay (not all of the text was evaluated: because)");
  // Without the text nobody can be asked about it.
  EXPECT_EQ(by(TextReplay::Outcome::Differs, nullptr), "replay");
}

TEST_F(Answers, AnInvariantThatProvesNothingIsRejected) {
  prepare("small");
  EngineResult wrong = found("kinduction");
  wrong.outcome = Unreachable{Inductive{prepared_->system().pool->boolean(true)}};
  EXPECT_TRUE(std::holds_alternative<Rejected>(judgement(wrong)));
}

TEST_F(Answers, AWrongNumberOfStatesIsRejected) {
  prepare("small");
  EngineResult wrong;
  wrong.engine = "explicit";
  wrong.outcome = Unreachable{AllStates{6}};
  EXPECT_TRUE(std::holds_alternative<Accepted>(judgement(wrong)));
  wrong.outcome = Unreachable{AllStates{5}};
  EXPECT_TRUE(std::holds_alternative<Rejected>(judgement(wrong)));
}

TEST_F(Answers, ASecondOpinionDoesNotShareAMistake) {
  EngineResult claim;
  claim.outcome = Unreachable{UpToBound{}};
  claim.engine = "bmc";
  claim.solver = smt::SolverId::Z3;
  prepare("far");
  Env environment = env();
  EXPECT_TRUE(second_opinion(claim, *prepared_, environment).checked);
  prepare("near");
  EXPECT_THROW((void)second_opinion(claim, *prepared_, environment), InternalError);
}

TEST_F(Answers, WithoutTimeASecondOpinionIsUnchecked) {
  EngineResult claim;
  claim.outcome = Unreachable{UpToBound{}};
  claim.engine = "bmc";
  prepare("far");
  Env environment = env();
  environment.deadline = Deadline::after(std::chrono::milliseconds(0));
  const WitnessCheck check = second_opinion(claim, *prepared_, environment);
  EXPECT_FALSE(check.checked);
  EXPECT_EQ(status(check), "unchecked");
}

}  // namespace
}  // namespace whittle
