// SPDX-License-Identifier: Apache-2.0
#include "absint/interval/depth_bounds.h"

#include <gtest/gtest.h>

#include "support/flat_systems.h"

namespace whittle {
namespace {

TEST(DepthBounds, SeesWhenAGoalIsTooFarAway) {
  const TransitionSystem system = test::countdown(3, 5);
  DepthBounds bounds(system);
  EXPECT_EQ(bounds.possible(), std::vector<std::uint32_t>{0});
  for (int depth = 0; depth < 7; ++depth) {
    EXPECT_FALSE(bounds.goal_possible()) << depth;
    bounds.advance();
  }
  EXPECT_TRUE(bounds.goal_possible());
  EXPECT_EQ(bounds.possible().size(), 3);
  EXPECT_EQ(bounds.range(1).low, Rational(Integer(-1)));
  EXPECT_EQ(bounds.range(1).high, Rational(Integer(5)));
}

TEST(DepthBounds, NarrowsByGuards) {
  const TransitionSystem system = test::savings(1000);
  DepthBounds bounds(system);
  bounds.advance();
  EXPECT_EQ(bounds.range(0).low, Rational(Integer(0)));
  EXPECT_EQ(bounds.range(0).high, Rational(Integer(100)));
}

TEST(DepthBounds, KnowsThatNothingMovesAnyMore) {
  TransitionSystem system = test::countdown(1, 0);
  system.transitions.resize(1);  // initialize only
  DepthBounds bounds(system);
  bounds.advance();
  EXPECT_FALSE(bounds.empty());
  bounds.advance();
  EXPECT_TRUE(bounds.empty());
  EXPECT_FALSE(bounds.goal_possible());
}

TEST(DepthBounds, BoundsOpenVariablesByTheRelation) {
  const TransitionSystem system = test::jumper(7);
  DepthBounds bounds(system);
  for (int depth = 0; depth < 4; ++depth) bounds.advance();
  // 0 <= x holds for as long as nothing lowers it; the relation has no upper bound.
  EXPECT_EQ(bounds.range(1).low, Rational(Integer(0)));
  EXPECT_FALSE(bounds.range(1).high);
}

}  // namespace
}  // namespace whittle
