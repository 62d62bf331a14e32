// SPDX-License-Identifier: Apache-2.0
#include "ir/expectation.h"

#include <gtest/gtest.h>

#include "ir/property_kinds.h"
#include "ir/property_result.h"
#include "support/systems.h"

namespace whittle {
namespace {

TEST(Expectation, WordsAndBack) {
  for (const std::string words :
       {"holds", "violated", "reachable in 5", "unreachable", "unknown"}) {
    const auto read = expectation_of_words(words);
    ASSERT_TRUE(read) << words;
    EXPECT_EQ(to_string(*read), words);
  }
  EXPECT_EQ(to_string(*expectation_of_words("  violated\n in   3 ")), "violated in 3");
  for (const std::string words : {"", "violate", "violated in", "violated in -1", "violated in 3 4",
                                  "in 3", "violated by 3", "reachable in 99999999999999999999"})
    EXPECT_FALSE(expectation_of_words(words)) << words;
  EXPECT_EQ(expectation_hint("violatd"), "did you mean `expect violated`?");
}

TEST(Expectation, FitsTheKindOfProperty) {
  EXPECT_EQ(misfit(PropertyKind::Reach, {VerdictKind::Unreachable}), "");
  EXPECT_EQ(misfit(PropertyKind::Reach, {VerdictKind::Unknown}), "");
  EXPECT_NE(misfit(PropertyKind::Reach, {VerdictKind::Violated}), "");
  EXPECT_EQ(misfit(PropertyKind::Invariant, {VerdictKind::Violated, 3}), "");
  EXPECT_NE(misfit(PropertyKind::Invariant, {VerdictKind::Holds, 3}), "");
}

class AsExpected : public ::testing::Test {
 protected:
  AsExpected() {
    result_.network = system_.network;
    result_.property = system_.below;
    result_.verdict.asked = PropertyKind::Invariant;
  }
  void expect(VerdictKind verdict, std::optional<std::uint64_t> steps = {}) {
    system_.network->property(system_.below).expected = Expectation{verdict, steps};
  }
  void found_trace(std::uint64_t steps, bool shortest) {
    Trace trace;
    trace.steps.resize(1);
    trace.steps[0].times = steps;
    result_.verdict.found = TraceFound{trace, shortest};
  }

  test::CounterSystem system_ = test::counter_system(3);
  PropertyResult result_;
};

TEST_F(AsExpected, AnExpectationTakesThePlaceOfTheDemand) {
  found_trace(4, true);
  EXPECT_EQ(as_expected(result_), std::nullopt);
  EXPECT_EQ(as_wanted(result_), false);
  expect(VerdictKind::Violated);
  EXPECT_EQ(met(result_), false);
  EXPECT_EQ(as_wanted(result_), true);
  EXPECT_EQ(exit_code_of({&result_, 1}), ExitCode::Success);
  expect(VerdictKind::Holds);
  EXPECT_EQ(exit_code_of({&result_, 1}), ExitCode::NotMet);
}

TEST_F(AsExpected, StepsAreAtMostSoMany) {
  expect(VerdictKind::Violated, 4);
  found_trace(3, false);
  EXPECT_EQ(as_expected(result_), true);
  found_trace(5, true);
  EXPECT_EQ(as_expected(result_), false);
  found_trace(5, false);  // there may be a shorter one
  EXPECT_EQ(as_expected(result_), std::nullopt);
  EXPECT_TRUE(undecided(result_));
  result_.verdict.found = NoTrace{UpToBound{}, 4};
  result_.asked = StepBound{};
  EXPECT_EQ(as_expected(result_), false);
}

TEST_F(AsExpected, WhatIsNotKnownMeetsNothing) {
  expect(VerdictKind::Holds);
  result_.verdict.found = Undecided{{Reason::Kind::Timeout}};
  EXPECT_EQ(as_expected(result_), std::nullopt);
  EXPECT_EQ(exit_code_of({&result_, 1}), ExitCode::Undecided);
  result_.verdict.found = NoTrace{UpToBound{}, 10};
  result_.asked = StepBound{};  // any number of steps
  EXPECT_EQ(as_expected(result_), std::nullopt);
  expect(VerdictKind::Violated);
  EXPECT_EQ(as_expected(result_), std::nullopt);
  EXPECT_TRUE(undecided(result_));
}

TEST_F(AsExpected, UnknownAcceptsWhatMeetsTheDemandToo) {
  expect(VerdictKind::Unknown);
  result_.verdict.found = Undecided{{Reason::Kind::Timeout}};
  EXPECT_EQ(as_expected(result_), true);
  EXPECT_FALSE(undecided(result_));
  result_.verdict.found = NoTrace{UpToBound{}};
  EXPECT_EQ(as_expected(result_), true);
  found_trace(2, true);
  EXPECT_EQ(as_expected(result_), false);
}

}  // namespace
}  // namespace whittle
