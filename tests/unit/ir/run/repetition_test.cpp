// SPDX-License-Identifier: Apache-2.0
#include "ir/run/repetition.h"

#include <gtest/gtest.h>

#include "ir/run/advance_repeated.h"
#include "support/random_terms.h"
#include "support/systems.h"

namespace whittle {
namespace {

// Whatever is said to be linear between two states is so in every state between them.
TEST(Repetition, LinearMeansLinearEverywhere) {
  unsigned linear = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    ExprPool pool;
    test::RandomTerms random(pool, seed);
    const Type type = seed % 3 == 0 ? Type::integer() : Type::boolean();
    const Expr term = random.term(type, 12);
    const test::Assignment begin = random.assignment();
    constexpr int kStates = 9;
    auto state = [&](int t) {
      test::Assignment values = begin;
      for (auto& [symbol, value] : values) {
        const long by = static_cast<long>((symbol.index() * 7 + seed) % 5) - 2;
        if (value.is_integer()) value = Value(value.as_integer() + Integer(by * t));
        if (value.is_real()) value = Value(value.as_real() + Rational(Integer(by * t)));
      }
      return values;
    };
    auto at = [&](int t, Observations* into) {
      Evaluator evaluator(pool);
      const test::Assignment values = state(t);
      return observed(evaluator, term, test::lookup(values), into);
    };
    Observations first;
    Observations last;
    auto a = at(0, &first);
    auto b = at(kStates, &last);
    if (!linear_between(pool, first, last)) continue;
    ++linear;
    ASSERT_TRUE(a && b);
    auto second = at(1, nullptr);
    ASSERT_TRUE(second) << "seed " << seed;
    for (int t = 0; t <= kStates; ++t) {
      auto value = at(t, nullptr);
      ASSERT_TRUE(value) << "seed " << seed;
      EXPECT_EQ(*value, *on_line(*a, *second, Integer(t))) << "seed " << seed << " state " << t;
    }
  }
  EXPECT_GT(linear, 300U);
}

State counter_state(const test::CounterSystem& s, long x) { return {{s.on}, {Value(Integer(x))}}; }

TraceStep increment(const test::CounterSystem& s, long by) {
  TraceStep step;
  step.instance = s.instance;
  step.event = s.inc;
  step.arguments = {Value(Integer(by))};
  return step;
}

TEST(Repetition, LeapsAsFarAsTheGuardAllowsAndNoStepFurther) {
  auto s = test::counter_system(2'000'000'000);
  Stepper stepper(*s.network, s.universe);
  State state = counter_state(s, 0);
  EXPECT_FALSE(advance_repeated(stepper, state, increment(s, 2), 1'000'000'001));
  EXPECT_EQ(state, counter_state(s, 0));
  ASSERT_TRUE(advance_repeated(stepper, state, increment(s, 2), 1'000'000'000));
  EXPECT_EQ(state, counter_state(s, 2'000'000'000));
}

}  // namespace
}  // namespace whittle
