// SPDX-License-Identifier: Apache-2.0
// Backward analysis from a goal (DepthBounds::propagate_goal).
#include <gtest/gtest.h>

#include "absint/interval/depth_bounds.h"
#include "support/flat_systems.h"

namespace whittle {
namespace {

TEST(GoalBounds, LeaveOneWayWhereThereIsOnlyOne) {
  const TransitionSystem system = test::countdown(3, 5);
  DepthBounds bounds(system);
  for (int depth = 0; depth < 7; ++depth) bounds.advance();
  ASSERT_TRUE(bounds.goal_possible());
  const BackwardRanges back = bounds.propagate_goal();
  EXPECT_TRUE(back.possible);
  // Six steps of three, of which only the first is left.
  EXPECT_EQ(back.excluded.size(), 12);
  for (const BackwardRanges::Excluded& excluded : back.excluded) EXPECT_GT(excluded.transition, 1);
}

TEST(GoalBounds, LeaveSlackWhereThereIsSome) {
  const TransitionSystem system = test::countdown(3, 5);
  DepthBounds bounds(system);
  for (int depth = 0; depth < 9; ++depth) bounds.advance();
  const BackwardRanges back = bounds.propagate_goal();
  EXPECT_TRUE(back.possible);
  EXPECT_TRUE(back.excluded.empty());
}

TEST(GoalBounds, SeeWhatRangesFromTheStartDoNot) {
  // Halting with exactly this much: from the start every value up to it looks possible, but the
  // last steps do not fit.
  TransitionSystem system = test::jumper(30);
  system.transitions.erase(system.transitions.begin() + 1);  // no jumps: at most 11
  DepthBounds bounds(system);
  for (int depth = 0; depth < 8; ++depth) bounds.advance();
  EXPECT_FALSE(bounds.goal_possible() && bounds.propagate_goal().possible);
}

TEST(GoalBounds, ChangeNothingForTheNextDepth) {
  const TransitionSystem system = test::countdown(2, 3);
  DepthBounds plain(system);
  DepthBounds looking(system);
  for (int depth = 0; depth < 8; ++depth) {
    (void)looking.propagate_goal();
    EXPECT_EQ(plain.possible(), looking.possible());
    for (std::uint32_t v = 0; v < system.variables.size(); ++v) {
      EXPECT_EQ(plain.range(v), looking.range(v)) << depth;
    }
    plain.advance();
    looking.advance();
  }
}

}  // namespace
}  // namespace whittle
