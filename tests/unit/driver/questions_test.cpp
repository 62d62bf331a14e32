// SPDX-License-Identifier: Apache-2.0
// Questions stand beside the loaded models, which nobody changes.
#include "driver/questions.h"

#include <gtest/gtest.h>

#include <utility>

#include "driver/lint.h"
#include "support/load.h"

namespace whittle {
namespace {

constexpr const char* kCounter = R"(
system Counter
var x: Int
node P
start P: x == 0
transition up: P -> P when x < 5 then x' == x + 1
reach near: x == 5 within 7
safety small: x <= 5
)";

class Questions : public ::testing::Test {
 protected:
  Questions() {
    EXPECT_TRUE(text_.network) << text_.messages();
    loaded_.models.push_back({"counter.sts", text_.network});
    loaded_.sources = std::move(text_.sources);
  }
  void expect_untouched() const {
    EXPECT_EQ(test::everything_in(*text_.network), test::everything_in(*before_.network));
  }

  test::Loaded text_ = test::load("sts", kCounter);
  test::Loaded before_ = test::load("sts", kCounter);
  LoadedModels loaded_;
};

TEST_F(Questions, AreThoseOfTheModelInItsOrder) {
  const std::vector<Question> all = chosen_questions({}, loaded_);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].network, text_.network);
  EXPECT_EQ(all[1].what().name, "small");
  EXPECT_EQ(chosen_questions({"small"}, loaded_).size(), 1U);
  EXPECT_FALSE(loaded_.diagnostics.has_errors());
  EXPECT_TRUE(chosen_questions({"smal"}, loaded_).empty());
  EXPECT_TRUE(loaded_.diagnostics.has_errors());
}

TEST_F(Questions, AnotherBoundIsAskedOfACopy) {
  const std::vector<Question> asked = with_bound(chosen_questions({}, loaded_), loaded_, 3);
  ASSERT_EQ(asked.size(), 2U);
  EXPECT_EQ(asked[0].what().bound, (StepBound{0, 3}));
  EXPECT_EQ(asked[0].asked, (StepBound{0, 7}));
  EXPECT_EQ(asked[1].what().bound, (StepBound{0, 3}));
  EXPECT_EQ(asked[1].asked, StepBound{});
  EXPECT_NE(asked[0].network, text_.network);
  EXPECT_EQ(asked[0].network, asked[1].network);
  expect_untouched();
}

TEST_F(Questions, LintAsksACopyForWhatTheModelDoesNotAsk) {
  const std::vector<Question> asked = lint_questions(loaded_);
  ASSERT_GE(asked.size(), 4U);  // small, the start, up, P
  EXPECT_EQ(asked[0].what().name, "small");
  for (const Question& question : asked) EXPECT_NE(question.network, text_.network);
  expect_untouched();
  // What the model does not ask has no bound that could be replaced.
  const std::vector<Question> bounded = with_bound(asked, loaded_, 3);
  EXPECT_TRUE(bounded[0].asked);
  EXPECT_FALSE(bounded[1].asked);
  EXPECT_EQ(bounded[1].what().bound, StepBound{});
  EXPECT_EQ(bounded[0].network, bounded[1].network);
}

TEST_F(Questions, AnUndecidedResultSaysWhatIsAsked) {
  const Question question = with_bound(chosen_questions({"small"}, loaded_), loaded_, 3).at(0);
  const PropertyResult result = undecided_result(loaded_, question);
  EXPECT_EQ(result.file, "counter.sts");
  EXPECT_EQ(result.question().name, "small");
  EXPECT_EQ(result.asked, StepBound{});
  EXPECT_TRUE(undecided(result));
  EXPECT_EQ(result.verdict.asked, PropertyKind::Invariant);
}

}  // namespace
}  // namespace whittle
