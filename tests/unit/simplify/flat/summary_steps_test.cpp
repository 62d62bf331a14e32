// SPDX-License-Identifier: Apache-2.0
// Loops in one step, and their runs written out again.
#include "simplify/flat/summary_steps.h"

#include <gtest/gtest.h>

namespace whittle::simplify {
namespace {

// x := x + 3 while x < 3000; goal: x is 2100.
class Counting : public ::testing::Test {
 protected:
  Counting() {
    system.pool = std::make_shared<ExprPool>();
    ExprPool& pool = *system.pool;
    system.variables.push_back({"x", Type::integer(), pool.declare("x", Type::integer()),
                                pool.declare("x'", Type::integer()), false});
    x = pool.symbol(system.variables[0].current);
    system.init = pool.eq(x, pool.integer(0));
    Transition t;
    t.name = "count";
    t.guard = pool.lt(x, pool.integer(3000));
    t.updates.push_back({0, pool.add(x, pool.integer(3))});
    system.transitions.push_back(t);
    system.goal.condition = pool.eq(x, pool.integer(2100));
  }

  TransitionSystem system;
  Expr x;
};

TEST_F(Counting, OneStepForAllOfThem) {
  const AcceleratedSystem fast = Accelerator(system).system();
  EXPECT_EQ(fast.summaries, 1U);
  EXPECT_EQ(fast.steps, FlatSteps::OneToMany);
  ASSERT_EQ(fast.system.transitions.size(), 1U);  // exact: it stands instead of the loop
  FlatTrace run;
  run.initial = {Value(0), Value(0), Value(0)};
  run.steps.push_back({0, {Value(700)}, {}, 1});
  ASSERT_EQ(flat_trace_problem(fast.system, run), std::nullopt);
  const auto lifted = fast.back->trace(run);
  ASSERT_TRUE(lifted);
  ASSERT_EQ(lifted->initial.size(), 1U);
  ASSERT_EQ(lifted->steps.size(), 1U);
  EXPECT_EQ(lifted->steps[0].times, 700U);
  EXPECT_EQ(flat_trace_problem(system, *lifted), std::nullopt);
  run.steps[0].inputs = {Value(699)};
  EXPECT_NE(flat_trace_problem(fast.system, run), std::nullopt);
}

TEST_F(Counting, InvariantsThatDoNotSpeakOfTheCount) {
  const AcceleratedSystem fast = Accelerator(system).system();
  ExprPool& pool = *system.pool;
  const Expr small = pool.lt(x, pool.integer(3003));
  EXPECT_EQ(fast.back->condition(small), small);
  const Expr count = pool.symbol(fast.system.variables[fast.step_count].current);
  EXPECT_FALSE(fast.back->condition(pool.le(count, x)).valid());
}

TEST_F(Counting, BoundsAreInTheGoal) {
  system.bound.max = 500;
  const AcceleratedSystem fast = Accelerator(system).system();
  EXPECT_FALSE(fast.system.bound.max);
  FlatTrace run;
  run.initial = {Value(0), Value(0), Value(0)};
  run.steps.push_back({0, {Value(700)}, {}, 1});
  EXPECT_NE(flat_trace_problem(fast.system, run), std::nullopt);
}

TEST_F(Counting, NothingToOffer) {
  system.transitions[0].updates[0].value = system.pool->mul(x, system.pool->mul(x, x));
  EXPECT_FALSE(accelerated(system));
}

}  // namespace
}  // namespace whittle::simplify
