// SPDX-License-Identifier: Apache-2.0
#include "simplify/flat/strengthened.h"

#include <gtest/gtest.h>

#include "expr/traverse.h"
#include "support/flat_systems.h"

namespace whittle::simplify {
namespace {

TEST(Strengthened, OnlyWhereTheLemmaHolds) {
  const TransitionSystem ring = test::ring(4, 9);
  ExprPool& pool = *ring.pool;
  const Expr x = pool.symbol(ring.variables[0].current);
  const Expr lemma = pool.le(x, pool.integer(4));
  const FlatTransformed strong = strengthened(ring, lemma);
  EXPECT_EQ(strong.precision, FlatPrecision::Exact);
  Substitution outside(pool);
  outside.set(ring.variables[0].current, pool.integer(9));
  EXPECT_TRUE(pool.is_true(outside(ring.goal.condition)));
  EXPECT_TRUE(pool.is_false(outside(strong.system.goal.condition)));
  for (const Transition& t : strong.system.transitions) {
    EXPECT_TRUE(pool.is_false(outside(t.guard)));
  }
  EXPECT_EQ(strong.back->condition(pool.boolean(true)), lemma);
}

TEST(Strengthened, RunsAreThoseOfTheOriginal) {
  const TransitionSystem ring = test::ring(4, 2);
  ExprPool& pool = *ring.pool;
  const Expr x = pool.symbol(ring.variables[0].current);
  const FlatTransformed strong = strengthened(ring, pool.le(x, pool.integer(4)));
  FlatTrace run;
  run.initial = {Value(0)};
  run.steps.assign(2, {0, {}, {}, 1});
  EXPECT_EQ(flat_trace_problem(strong.system, run), std::nullopt);
  const auto lifted = strong.back->trace(run);
  ASSERT_TRUE(lifted);
  EXPECT_EQ(flat_trace_problem(ring, *lifted), std::nullopt);
}

}  // namespace
}  // namespace whittle::simplify
