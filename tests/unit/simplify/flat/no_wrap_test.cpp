// SPDX-License-Identifier: Apache-2.0
#include "simplify/flat/no_wrap.h"

#include <gtest/gtest.h>

#include "expr/traverse.h"

namespace whittle::simplify {
namespace {

// A byte that is counted up and wraps around; the error is somewhere else.
struct Byte {
  TransitionSystem system{std::make_shared<ExprPool>(), {}, {}, {}, {}, {}};
  ExprPool& pool = *system.pool;
  Type places = pool.enum_type("place", {"loop", "error"});
  Expr x = variable("x", Type::integer(), false);
  Expr place = variable("place", places, true);
  Expr sum = pool.add(x, pool.integer(1));

  Byte() {
    Transition step;
    step.name = "step";
    step.guard = pool.eq(place, at(0));
    step.updates = {
        {0, pool.ite(pool.lt(pool.integer(255), sum), pool.sub(sum, pool.integer(256)), sum)}};
    step.relation = pool.boolean(true);
    system.transitions.push_back(step);
    system.init = pool.conj(pool.eq(place, at(0)), pool.eq(x, pool.integer(0)));
    system.goal.condition = pool.eq(place, at(1));
  }
  Expr at(std::uint32_t value) { return pool.constant(Value(EnumValue{value}), places); }
  Expr variable(const std::string& name, Type type, bool location) {
    const SymbolId current = pool.declare(name, type);
    system.variables.push_back({name, type, current, pool.declare(name + "'", type), location});
    return pool.symbol(current);
  }
  bool possible(const Transition& t, int value) {
    Substitution state(pool);
    state.set(system.variables[0].current, pool.integer(value));
    state.set(system.variables[1].current, at(0));
    return pool.is_true(state(t.guard));
  }
};

TEST(NoWrap, StepsThatWrapLeadToTheGoal) {
  Byte byte;
  const auto calm = without_wrapping(byte.system);
  ASSERT_TRUE(calm);
  EXPECT_EQ(calm->precision, FlatPrecision::OverApproximates);
  ASSERT_EQ(calm->system.transitions.size(), 2U);
  const Transition& step = calm->system.transitions[0];
  const Transition& wraps = calm->system.transitions[1];
  EXPECT_EQ(step.updates[0].value, byte.sum);
  EXPECT_TRUE(byte.possible(step, 254));
  EXPECT_FALSE(byte.possible(wraps, 254));
  EXPECT_FALSE(byte.possible(step, 255));
  EXPECT_TRUE(byte.possible(wraps, 255));
  ASSERT_EQ(wraps.updates.size(), 1U);
  EXPECT_EQ(wraps.updates[0].value, byte.at(1));
}

TEST(NoWrap, NothingToDoWithoutAWrap) {
  Byte byte;
  byte.system.transitions[0].updates[0].value = byte.sum;
  EXPECT_FALSE(without_wrapping(byte.system));
}

TEST(NoWrap, AGoalThatDependsOnMoreIsLeftAlone) {
  Byte byte;
  byte.system.goal.condition =
      byte.pool.conj(byte.system.goal.condition, byte.pool.lt(byte.x, byte.pool.integer(3)));
  EXPECT_FALSE(without_wrapping(byte.system));
}

}  // namespace
}  // namespace whittle::simplify
