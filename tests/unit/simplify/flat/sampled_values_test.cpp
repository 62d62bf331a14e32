// SPDX-License-Identifier: Apache-2.0
#include "simplify/flat/sampled_values.h"

#include <gtest/gtest.h>

namespace whittle::simplify {
namespace {

// x becomes the input, which is anything from 0 to a million; the goal is one of these values.
struct Wide {
  TransitionSystem system{std::make_shared<ExprPool>(), {}, {}, {}, {}, {}};
  ExprPool& pool = *system.pool;
  SymbolId input = pool.declare("value", Type::integer());
  SymbolId x = pool.declare("x", Type::integer());

  explicit Wide(int most) {
    system.variables.push_back(
        {"x", Type::integer(), x, pool.declare("x'", Type::integer()), false});
    Transition step;
    step.name = "step";
    step.inputs = {input};
    step.guard = pool.conj(pool.le(pool.integer(0), pool.symbol(input)),
                           pool.le(pool.symbol(input), pool.integer(most)));
    step.updates = {{0, pool.symbol(input)}};
    step.relation = pool.boolean(true);
    system.transitions.push_back(step);
    system.init = pool.le(pool.integer(3), pool.symbol(x));
    system.goal.condition = pool.eq(pool.symbol(x), pool.integer(4711));
  }
};

TEST(SampledValues, NumbersOfTheSystemAreTried) {
  Wide wide(1'000'000);
  const auto sampled = with_sampled_values(wide.system);
  ASSERT_TRUE(sampled);
  const Expr first = wide.pool.eq(wide.pool.symbol(wide.x), wide.pool.integer(3));
  EXPECT_EQ(sampled->system.init, wide.pool.conj(wide.system.init, first));
  bool found = false;
  for (long n = 0; n < 40 && !found; ++n) {
    FlatTrace run;
    run.initial = {Value(Integer(3))};
    run.steps.push_back({0, {Value(Integer(n))}, {}, 1});
    if (flat_trace_problem(sampled->system, run)) continue;
    found = true;
    const auto lifted = sampled->back->trace(run);
    ASSERT_TRUE(lifted);
    EXPECT_EQ(lifted->steps[0].inputs[0], Value(Integer(4711)));
    EXPECT_EQ(flat_trace_problem(wide.system, *lifted), std::nullopt);
  }
  EXPECT_TRUE(found);
}

TEST(SampledValues, FewValuesAreAllTried) {
  Wide wide(5);
  wide.system.init = wide.pool.eq(wide.pool.symbol(wide.x), wide.pool.integer(3));
  EXPECT_FALSE(with_sampled_values(wide.system));
}

TEST(SampledValues, ProofsMeanNothing) {
  Wide wide(1'000'000);
  const auto sampled = with_sampled_values(wide.system);
  ASSERT_TRUE(sampled);
  EXPECT_FALSE(sampled->back->condition(wide.pool.boolean(true)).valid());
}

}  // namespace
}  // namespace whittle::simplify
