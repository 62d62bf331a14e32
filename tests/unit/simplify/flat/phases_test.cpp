// SPDX-License-Identifier: Apache-2.0
#include "simplify/flat/phases.h"

#include <gtest/gtest.h>

namespace whittle::simplify {
namespace {

// From x = 0, y = 0: x grows; from 50 on y does, too.
struct Loop {
  TransitionSystem system{std::make_shared<ExprPool>(), {}, {}, {}, {}, {}};
  ExprPool& pool = *system.pool;
  Expr x = variable("x"), y = variable("y");
  Expr early = pool.lt(x, pool.integer(50));

  Loop() {
    step(early, {{0, plus(x)}});
    step(pool.negate(early), {{0, plus(x)}, {1, plus(y)}});
    system.init = pool.conj(pool.eq(x, pool.integer(0)), pool.eq(y, pool.integer(0)));
    system.goal.condition = pool.eq(y, pool.integer(1));
  }
  Expr variable(const std::string& name) {
    const SymbolId current = pool.declare(name, Type::integer());
    system.variables.push_back(
        {name, Type::integer(), current, pool.declare(name + "'", Type::integer()), false});
    return pool.symbol(current);
  }
  Expr plus(Expr e) { return pool.add(e, pool.integer(1)); }
  void step(Expr guard, std::vector<Update> updates) {
    Transition t;
    t.name = "t" + std::to_string(system.transitions.size());
    t.guard = guard;
    t.updates = std::move(updates);
    system.transitions.push_back(std::move(t));
  }
};

TEST(Phases, RunsAreThoseOfTheOriginal) {
  Loop loop;
  const auto phases = split_phases(loop.system);
  ASSERT_TRUE(phases);
  ASSERT_EQ(phases->system.variables.size(), 3U);
  ASSERT_EQ(phases->system.transitions.size(), 4U);  // each, with either phase afterwards
  const auto run = [&](std::uint32_t before_the_change) {
    FlatTrace trace;
    trace.initial = {Value(Integer(0)), Value(Integer(0)), Value(EnumValue{1})};
    for (std::uint32_t i = 0; i < before_the_change; ++i) trace.steps.push_back({0, {}, {}, 1});
    trace.steps.push_back({1, {}, {}, 1});
    trace.steps.push_back({3, {}, {}, 1});
    const auto problem = flat_trace_problem(phases->system, trace);
    EXPECT_EQ(flat_trace_problem(loop.system, *phases->back->trace(trace)).has_value(),
              problem.has_value());
    return problem;
  };
  EXPECT_EQ(run(49), std::nullopt);
  EXPECT_NE(run(48), std::nullopt);
  EXPECT_NE(run(50), std::nullopt);
}

TEST(Phases, InvariantsAreSaidWithConditions) {
  Loop loop;
  const auto phases = split_phases(loop.system);
  ASSERT_TRUE(phases);
  ExprPool& pool = loop.pool;
  const StateVariable& phase = phases->system.variables.back();
  const auto is = [&](std::uint32_t value) {
    return pool.eq(pool.symbol(phase.current), pool.constant(EnumValue{value}, phase.type));
  };
  const Expr zero = pool.eq(loop.y, pool.integer(0));
  EXPECT_EQ(phases->back->condition(pool.conj(is(1), zero)), pool.conj(loop.early, zero));
  EXPECT_EQ(phases->back->condition(is(0)), pool.negate(loop.early));
}

TEST(Phases, OnlyWhereWaysDiffer) {
  Loop loop;
  loop.system.transitions.pop_back();
  EXPECT_FALSE(split_phases(loop.system));
}

}  // namespace
}  // namespace whittle::simplify
