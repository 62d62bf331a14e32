// SPDX-License-Identifier: Apache-2.0
// Verdicts are data; what they are in words is decided here alone.
#include "report/verdict_text.h"

#include <gtest/gtest.h>

#include "support/systems.h"

namespace whittle {
namespace {

class VerdictText : public ::testing::Test {
 protected:
  VerdictText() {
    result_.network = system_.network;
    result_.property = system_.below;
    result_.verdict.asked = PropertyKind::Invariant;
  }
  std::string because(NoTrace::Why why) {
    result_.verdict.found = NoTrace{std::move(why)};
    return reason(result_);
  }
  Property& question() { return system_.network->property(system_.below); }

  test::CounterSystem system_ = test::counter_system(3);
  PropertyResult result_;
};

TEST_F(VerdictText, UnknownSaysWhyAndTheStrongestThingKnown) {
  result_.verdict.found = Undecided{{Reason::Kind::Timeout, "at depth 24"}};
  EXPECT_EQ(reason(result_), "timeout at depth 24");
  result_.verdict.found = Undecided{{Reason::Kind::Timeout}, 23};
  EXPECT_EQ(reason(result_), "timeout; no violation within 23 steps");
  question().bound.min = 1;
  EXPECT_EQ(reason(result_), "timeout; no violation in 1 to 23 steps");
  // About shorter runs nothing was asked.
  question().bound.min = 24;
  EXPECT_EQ(reason(result_), "timeout");
  EXPECT_EQ(verdict_word(result_), "unknown");
}

TEST_F(VerdictText, WithoutAnInvariantItSaysWhyItHolds) {
  EXPECT_EQ(because(UpToBound{}), "");
  EXPECT_EQ(because(AllStates{1, {}}), "there is one state");
  EXPECT_EQ(because(AllStates{12, {}}), "there are 12 states, and all were seen");
  EXPECT_EQ(because(AllRunsShort{4}), "no run has more than 4 steps");
  EXPECT_EQ(because(AllRunsShort{4, AllRunsShort::Of::ProjectedSteps}),
            "every projected run has at most 4 steps");
  EXPECT_EQ(because(AllRunsShort{4, AllRunsShort::Of::AcceleratedSteps}),
            "all runs have at most 4 accelerated steps");
  EXPECT_EQ(because(RangesSettled{7}),
            "value ranges reach a fixpoint at depth 7 that excludes the goal");
  EXPECT_EQ(because(Inductive{system_.network->pool().boolean(true)}), "");
  EXPECT_EQ(verdict_word(result_), "holds");
}

TEST_F(VerdictText, ABoundThatTheModelDoesNotAskForLeavesSomethingOpen) {
  result_.verdict.found = NoTrace{UpToBound{}, 5};
  EXPECT_EQ(reason(result_), "");
  result_.asked = StepBound{};
  EXPECT_EQ(verdict_word(result_), "bounded");
  EXPECT_EQ(reason(result_),
            "no violation within 5 steps, and the model asks about any number of steps");
  EXPECT_EQ(exit_code_of(std::span(&result_, 1)), ExitCode::Undecided);
}

TEST_F(VerdictText, AConstraintIsJudgedByItself) {
  question().kind = result_.verdict.asked = PropertyKind::Constraint;
  result_.verdict.found = NoTrace{Inductive{system_.network->pool().boolean(true)}};
  EXPECT_EQ(reason(result_), "");
  result_.verdict.alone = StandsAlone{true};
  EXPECT_EQ(reason(result_), "inductive by itself");
  result_.verdict.alone = StandsAlone{false};
  EXPECT_EQ(reason(result_), "right, but not inductive by itself");
  result_.verdict.alone = StandsAlone{false, "inc"};
  EXPECT_EQ(reason(result_), "right, but not inductive by itself: inc may break it elsewhere");
  Trace trace;
  result_.verdict.found = TraceFound{trace};
  EXPECT_EQ(reason(result_), "broken by a start");
  trace.steps.push_back({system_.instance, system_.inc, {Value(3)}, {}, {}, 1});
  result_.verdict.found = TraceFound{trace};
  EXPECT_EQ(reason(result_), "broken by inc");
}

TEST_F(VerdictText, ALeftOutTraceIsStillAViolation) {
  result_.verdict.found = TraceFound{};
  EXPECT_EQ(result_.verdict.kind(), VerdictKind::Violated);
  EXPECT_EQ(met(result_), false);
  EXPECT_EQ(exit_code_of(std::span(&result_, 1)), ExitCode::NotMet);
  result_.excused = true;
  EXPECT_EQ(met(result_), std::nullopt);
}

TEST(CheckedBy, NamesAllWhoAgree) {
  WitnessCheck check = WitnessCheck::by_whom("replay");
  EXPECT_EQ(status(check), "checked");
  EXPECT_EQ(checked_by(check), "replay");
  check.by.emplace_back("z3");
  EXPECT_EQ(checked_by(check), "replay and z3");
  check.text_gap = "because";
  EXPECT_EQ(checked_by(check), "replay and z3 (not all of the text was evaluated: because)");
  check.on = WitnessCheck::On::Slice;
  EXPECT_EQ(status(check), "checked on the slice");
}

TEST(CheckedBy, SaysWhatIsLacking) {
  WitnessCheck check;
  EXPECT_TRUE(check.missing());
  EXPECT_EQ(checked_by(check), "");
  check.by_option = true;
  EXPECT_EQ(checked_by(check), "unchecked, as --check-bounded=off asks");
  const Reason timeout{Reason::Kind::Timeout};
  EXPECT_EQ(checked_by(WitnessCheck::unchecked({"", "", timeout})), "unchecked: timeout");
  check = WitnessCheck::unchecked({"z3", "initiation", timeout});
  EXPECT_EQ(checked_by(check), "unchecked by the second solver (z3 on initiation: timeout)");
  check.by = {"replay"};
  EXPECT_EQ(checked_by(check),
            "replayed; unchecked by the second solver (z3 on initiation: timeout)");
  EXPECT_EQ(status(check), "unchecked");
}

}  // namespace
}  // namespace whittle
