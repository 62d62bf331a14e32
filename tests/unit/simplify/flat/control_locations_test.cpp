// SPDX-License-Identifier: Apache-2.0
#include "simplify/flat/control_locations.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "expr/traverse.h"

namespace whittle::simplify {
namespace {

// pc 0: x := 0, to 1; pc 1: x < 5, x := x + 1; pc 1: x >= 5, to 7. Nothing happens where `dead`.
struct Program {
  TransitionSystem system{std::make_shared<ExprPool>(), {}, {}, {}, {}, {}};
  ExprPool& pool = *system.pool;
  Expr pc, x, dead;

  explicit Program(bool stuck) {
    pc = variable("pc", Type::integer());
    x = variable("x", Type::integer());
    dead = variable("dead", Type::boolean());
    step(0, pool.boolean(true), {{0, number(1)}, {1, number(0)}});
    step(1, pool.lt(x, number(5)), {{1, pool.add(x, number(1))}});
    step(1, pool.ge(x, number(5)), {{0, number(7)}});
    system.init = pool.conj(pool.eq(pc, number(0)), pool.negate(dead));
    if (stuck) system.init = pool.disj(system.init, pool.conj(dead, pool.ge(x, number(3))));
    system.goal.condition = pool.conj(pool.eq(pc, number(7)), pool.negate(dead));
  }
  Expr number(int value) { return pool.integer(value); }
  Expr variable(const std::string& name, Type type) {
    const SymbolId current = pool.declare(name, type);
    system.variables.push_back({name, type, current, pool.declare(name + "'", type), false});
    return pool.symbol(current);
  }
  void step(int at, Expr guard, std::vector<Update> updates) {
    Transition t;
    t.name = "t" + std::to_string(system.transitions.size());
    const Expr parts[] = {pool.eq(pc, number(at)), pool.negate(dead), guard};
    t.guard = pool.conj(parts);
    t.updates = std::move(updates);
    system.transitions.push_back(std::move(t));
  }
};

FlatTrace run_of(Value place, const std::vector<std::uint32_t>& steps) {
  FlatTrace trace;
  trace.initial = {std::move(place), Value(Integer(0)), Value(false)};
  for (std::uint32_t t : steps) trace.steps.push_back({t, {}, {}, 1});
  return trace;
}

TEST(ControlLocations, CounterBecomesALocation) {
  Program program(false);
  const auto locations = find_control_locations(program.system);
  ASSERT_TRUE(locations);
  const TransitionSystem& system = locations->system;
  EXPECT_TRUE(system.variables[0].is_location);
  EXPECT_EQ(system.transitions.size(), 3U);
  const auto run = run_of(Value(EnumValue{0}), {0, 1, 1, 1, 1, 1, 2});
  EXPECT_EQ(flat_trace_problem(system, run), std::nullopt);
  EXPECT_EQ(flat_trace_problem(program.system, *locations->back->trace(run)), std::nullopt);
  EXPECT_NE(flat_trace_problem(system, run_of(Value(EnumValue{0}), {0, 1, 2})), std::nullopt);
}

TEST(ControlLocations, InvariantsAreSaidAboutNumbers) {
  Program program(true);
  ExprPool& pool = program.pool;
  const auto locations = find_control_locations(program.system);
  ASSERT_TRUE(locations);
  const StateVariable& place = locations->system.variables[0];
  const Expr said = locations->back->condition(
      pool.eq(pool.symbol(place.current), pool.constant(Value(EnumValue{0}), place.type)));
  const auto used = symbols(pool, said);
  EXPECT_EQ(std::count(used.begin(), used.end(), place.current), 0);
  Substitution zero(pool);
  zero.set(program.system.variables[0].current, program.number(0));
  zero.set(program.system.variables[2].current, pool.boolean(false));
  EXPECT_TRUE(pool.is_true(zero(said)));
  Substitution other(pool);
  other.set(program.system.variables[0].current, program.number(7));
  other.set(program.system.variables[2].current, pool.boolean(false));
  EXPECT_TRUE(pool.is_false(other(said)));
  // The first states that are stuck belong to it.
  Substitution stuck(pool);
  stuck.set(program.system.variables[0].current, program.number(12));
  stuck.set(program.system.variables[1].current, program.number(3));
  stuck.set(program.system.variables[2].current, pool.boolean(true));
  EXPECT_TRUE(pool.is_true(stuck(said)));
}

TEST(ControlLocations, FirstStatesThatCanMoveStay) {
  Program program(true);
  ExprPool& pool = program.pool;
  // Now something happens there, too.
  Transition t;
  t.name = "wake";
  t.guard = pool.conj(program.dead, pool.eq(program.pc, program.number(1)));
  t.updates.push_back({2, pool.boolean(false)});
  program.system.transitions.push_back(t);
  EXPECT_FALSE(find_control_locations(program.system));
}

TEST(ControlLocations, WhatCountsIsNoCounterOfPrograms) {
  Program program(false);
  ExprPool& pool = program.pool;
  program.step(7, pool.boolean(true), {{0, pool.add(program.pc, program.number(1))}});
  EXPECT_FALSE(find_control_locations(program.system));
}

TEST(ControlLocations, ChoicesOfTheTargetAreTransitions) {
  Program program(false);
  ExprPool& pool = program.pool;
  program.step(
      7, pool.boolean(true),
      {{0, pool.ite(pool.lt(program.x, program.number(2)), program.number(0), program.pc)}});
  const auto locations = find_control_locations(program.system);
  ASSERT_TRUE(locations);
  EXPECT_EQ(locations->system.transitions.size(), 5U);
}

// A counter in binary: (0,0) to (1,0), which counts and goes to (1,1).
struct BinaryProgram {
  TransitionSystem system{std::make_shared<ExprPool>(), {}, {}, {}, {}, {}};
  ExprPool& pool = *system.pool;
  Expr low, x, high;

  BinaryProgram() {
    low = variable("low", Type::boolean());
    x = variable("x", Type::integer());
    high = variable("high", Type::boolean());
    step(false, false, pool.boolean(true), {{0, pool.boolean(true)}, {1, pool.integer(0)}});
    step(true, false, pool.lt(x, pool.integer(5)), {{1, pool.add(x, pool.integer(1))}});
    step(true, false, pool.ge(x, pool.integer(5)), {{2, pool.boolean(true)}});
    system.init = pool.conj(pool.negate(low), pool.negate(high));
    system.goal.condition = pool.conj(high, low);
  }
  Expr variable(const std::string& name, Type type) {
    const SymbolId current = pool.declare(name, type);
    system.variables.push_back({name, type, current, pool.declare(name + "'", type), false});
    return pool.symbol(current);
  }
  void step(bool is_low, bool is_high, Expr guard, std::vector<Update> updates) {
    Transition t;
    t.name = "t" + std::to_string(system.transitions.size());
    const Expr parts[] = {is_low ? low : pool.negate(low), guard,
                          is_high ? high : pool.negate(high)};
    t.guard = pool.conj(parts);
    t.updates = std::move(updates);
    system.transitions.push_back(std::move(t));
  }
};

TEST(ControlLocations, BitsTogetherAreALocation) {
  BinaryProgram program;
  const auto locations = find_control_locations(program.system);
  ASSERT_TRUE(locations);
  const TransitionSystem& system = locations->system;
  ASSERT_EQ(system.variables.size(), 2U);
  EXPECT_TRUE(system.variables[0].is_location);
  EXPECT_EQ(program.pool.info(system.variables[0].type).values.size(), 3U);
  EXPECT_EQ(system.transitions.size(), 3U);
  FlatTrace run;
  run.initial = {Value(EnumValue{0}), Value(Integer(9))};
  for (const std::uint32_t t : {0U, 1U, 1U, 1U, 1U, 1U, 2U}) run.steps.push_back({t, {}, {}, 1});
  EXPECT_EQ(flat_trace_problem(system, run), std::nullopt);
  const FlatTrace lifted = *locations->back->trace(run);
  EXPECT_EQ(lifted.initial, (std::vector<Value>{Value(false), Value(Integer(9)), Value(false)}));
  EXPECT_EQ(flat_trace_problem(program.system, lifted), std::nullopt);
  run.steps.pop_back();
  EXPECT_NE(flat_trace_problem(program.system, *locations->back->trace(run)), std::nullopt);
}

// What holds at a place is said of its bits; combinations that do not occur are excluded.
TEST(ControlLocations, InvariantsAreSaidAboutBits) {
  BinaryProgram program;
  ExprPool& pool = program.pool;
  const auto locations = find_control_locations(program.system);
  ASSERT_TRUE(locations);
  const StateVariable& place = locations->system.variables[0];
  const Expr here =
      pool.eq(pool.symbol(place.current), pool.constant(Value(EnumValue{1}), place.type));
  const Expr said =
      locations->back->condition(pool.implies(here, pool.lt(program.x, pool.integer(6))));
  const auto at = [&](bool low, bool high, int x) {
    Substitution known(pool);
    known.set(program.system.variables[0].current, pool.boolean(low));
    known.set(program.system.variables[1].current, pool.integer(x));
    known.set(program.system.variables[2].current, pool.boolean(high));
    return known(said);
  };
  EXPECT_TRUE(pool.is_true(at(true, false, 5)));
  EXPECT_TRUE(pool.is_false(at(true, false, 6)));
  EXPECT_TRUE(pool.is_true(at(true, true, 6)));
  EXPECT_TRUE(pool.is_true(at(false, false, 6)));
  EXPECT_TRUE(pool.is_false(at(false, true, 0)));
}

TEST(ControlLocations, BitsThatAreComputedOrNotAskedForAreData) {
  BinaryProgram computed;
  computed.step(true, true, computed.pool.boolean(true),
                {{2, computed.pool.lt(computed.x, computed.pool.integer(3))}});
  const auto one = find_control_locations(computed.system);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->system.variables.size(), 3U);  // the other bit is still a counter
  BinaryProgram silent;
  Transition t;
  t.name = "anywhere";
  t.guard = silent.pool.lt(silent.x, silent.pool.integer(3));
  silent.system.transitions.push_back(t);
  EXPECT_FALSE(find_control_locations(silent.system));
}

TEST(ControlLocations, HintsGoForwardThroughAPipeline) {
  Program program(false);
  ExprPool& pool = program.pool;
  program.system.hints = {
      pool.implies(pool.eq(program.pc, program.number(7)), pool.ge(program.x, program.number(5)))};
  const FlatPipeline pipeline(program.system, {find_control_locations});
  ASSERT_TRUE(pipeline.changed());
  EXPECT_EQ(pipeline.precision(), FlatPrecision::Exact);
  EXPECT_EQ(pipeline.steps(), FlatSteps::OneToOne);
  ASSERT_EQ(pipeline.system().hints.size(), 1U);
  const Expr hint = pipeline.system().hints[0];
  const StateVariable& place = pipeline.system().variables[0];
  const auto at = [&](std::uint32_t where, int x) {
    Substitution known(pool);
    known.set(place.current, pool.constant(Value(EnumValue{where}), place.type));
    known.set(program.system.variables[1].current, program.number(x));
    return known(hint);
  };
  EXPECT_TRUE(pool.is_true(at(0, 3)));
  EXPECT_TRUE(pool.is_true(at(2, 5)));
  EXPECT_TRUE(pool.is_false(at(2, 4)));
}

// Equations for everything at once, as other translators write them.
TEST(ControlLocations, OneTransitionForAllPlaces) {
  Program program(false);
  ExprPool& pool = program.pool;
  const auto at = [&](int place) { return pool.eq(program.pc, program.number(place)); };
  const Expr in_loop = pool.conj(at(1), pool.lt(program.x, program.number(5)));
  const Expr out_of_it = pool.conj(at(1), pool.ge(program.x, program.number(5)));
  Transition all;
  all.name = "step";
  all.guard = pool.negate(program.dead);
  all.updates.push_back(
      {0, pool.ite(at(0), program.number(1), pool.ite(out_of_it, program.number(7), program.pc))});
  all.updates.push_back(
      {1, pool.ite(at(0), program.number(0),
                   pool.ite(in_loop, pool.add(program.x, program.number(1)), program.x))});
  program.system.transitions = {all};
  const auto locations = find_control_locations(program.system);
  ASSERT_TRUE(locations);
  // 0 to 1; 1 to 7, 1 to 1 with and (nowhere) without counting; 7 stays.
  EXPECT_EQ(locations->system.transitions.size(), 5U);
  for (const Transition& t : locations->system.transitions) {
    for (const Update& update : t.updates) EXPECT_NE(pool.op(update.value), Op::Ite);
  }
  const auto run = run_of(Value(EnumValue{0}), {0, 0, 0, 0, 0, 0, 0});
  const FlatTrace back = *locations->back->trace(run);
  EXPECT_EQ(flat_trace_problem(program.system, back), std::nullopt);
}

}  // namespace
}  // namespace whittle::simplify
