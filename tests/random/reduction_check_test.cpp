// SPDX-License-Identifier: Apache-2.0
// Each condition of ir/state_reduction.h, left out once.
#include "witness/reduction_check.h"

#include <gtest/gtest.h>

#include "engine/explicit.h"
#include "engine/reduction/find_reduction.h"
#include "ir/lowering/lower.h"
#include "support/load.h"
#include "witness/states_check.h"

namespace whittle {
namespace {

TransitionSystem system_of(const std::string& text) {
  const test::Loaded loaded = test::load("proc", text, "program.proc");
  EXPECT_NE(loaded.network, nullptr) << loaded.messages();
  return lower(*loaded.network, PropertyId(0)).system;
}

std::uint32_t variable(const TransitionSystem& system, const std::string& name) {
  for (std::uint32_t v = 0; v < system.variables.size(); ++v) {
    if (system.variables[v].name == name) return v;
  }
  ADD_FAILURE() << "no variable " << name;
  return 0;
}

// By the order of the instructions; the last one is the end.
std::uint32_t location(const TransitionSystem& system, std::uint32_t thread,
                       const std::string& name) {
  const auto& names = system.pool->info(system.variables[thread].type).values;
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return i;
  }
  ADD_FAILURE() << "no location " << name;
  return 0;
}

constexpr const char* kProgram = R"(program p
shared x: Int = 0
process A {
  var i: Int = 0;
  work: i := 1;
  show: x := i;
  rest: i := 2;
  loop: while (true) { again: i := 3; }
}
process B { look: x := x + 1; }
property small: x <= 5
)";

TEST(ReductionCheck, AcceptsWhatIsFound) {
  const TransitionSystem system = system_of(kProgram);
  const StateReduction found = find_reduction(system);
  EXPECT_FALSE(found.dead.empty());
  EXPECT_FALSE(found.ample.empty());
  EXPECT_EQ(reduction_problem(system, found), std::nullopt);
}

TEST(ReductionCheck, DeadValues) {
  const TransitionSystem system = system_of(kProgram);
  const std::uint32_t i = variable(system, "A.i");
  const std::uint32_t a = variable(system, "A@");
  const std::uint32_t b = variable(system, "B@");
  const auto problem = [&](std::uint32_t v, std::uint32_t thread,
                           const std::vector<std::uint32_t>& at) {
    return reduction_problem(system, {{{v, {thread, at}}}, {}}).value_or("");
  };
  EXPECT_EQ(problem(i, a, {location(system, a, "work")}), "");
  EXPECT_NE(problem(i, a, {location(system, a, "show")}).find("reads"), std::string::npos);
  EXPECT_NE(problem(variable(system, "x"), b, {location(system, b, "look")}).find("one thread"),
            std::string::npos);
}

TEST(ReductionCheck, AmpleLocations) {
  const TransitionSystem system = system_of(kProgram);
  const std::uint32_t a = variable(system, "A@");
  const std::uint32_t b = variable(system, "B@");
  const std::uint32_t look = location(system, b, "look");
  const auto problem = [&](const std::vector<AmpleLocation>& ample) {
    return reduction_problem(system, {{}, ample}).value_or("");
  };
  EXPECT_EQ(problem({{a, location(system, a, "work"), {}}}), "");
  // x is B's, too, and the goal reads it.
  EXPECT_NE(problem({{a, location(system, a, "show"), {}}}).find("depends on"), std::string::npos);
  EXPECT_NE(problem({{a, location(system, a, "show"), {{b, {look}}}}}).find("changes the goal"),
            std::string::npos);
  // Round and round in A, and B would never come.
  std::vector<AmpleLocation> cycle;
  const auto& names = system.pool->info(system.variables[a].type).values;
  for (std::uint32_t at = 0; at < names.size(); ++at) {
    if (names[at] != "show") cycle.push_back({a, at, {}});
  }
  EXPECT_NE(problem(cycle).find("cycle"), std::string::npos) << problem(cycle);
}

// An exception has to contain every way to it.
TEST(ReductionCheck, ExceptionsAreClosed) {
  const TransitionSystem system = system_of(R"(program p
shared x: Int = 0
shared y: Int = 0
process A { set: x := 1; }
process B { first: y := 1; then: x := 2; after: y := 2; }
property small: y <= 5
)");
  const std::uint32_t a = variable(system, "A@");
  const std::uint32_t b = variable(system, "B@");
  const std::uint32_t set = location(system, a, "set");
  const std::uint32_t first = location(system, b, "first");
  const std::uint32_t then = location(system, b, "then");
  const auto problem = [&](const std::vector<std::uint32_t>& unless) {
    return reduction_problem(system, {{}, {{a, set, {{b, unless}}}}}).value_or("");
  };
  EXPECT_EQ(problem({first, then}), "");
  EXPECT_NE(problem({then}).find("leads to"), std::string::npos) << problem({then});
  EXPECT_NE(problem({first}).find("depends on"), std::string::npos) << problem({first});
  // Before B is at `after` both orders count, then one.
  const smt::SolverFactory solvers{smt::SolverFactory::Settings{}};
  EXPECT_FALSE(check_states(system, 8, solvers, {{}, {{a, set, {{b, {then}}}}}}));
}

// A and B take every step together, to and fro; C is on its own. Each of the two has a location
// where the goal stays the same and from which it does not come back by itself, but they bring each
// other back, and C would never move.
TEST(ReductionCheck, NoThreadBringsAnotherBack) {
  TransitionSystem system{std::make_shared<ExprPool>(), {}, {}, {}, {}, {}};
  ExprPool& pool = *system.pool;
  const Type place = pool.enum_type("Place", {"first", "second"});
  const Expr at[] = {pool.constant(EnumValue{0}, place), pool.constant(EnumValue{1}, place)};
  std::vector<Expr> threads;
  for (const std::string name : {"A@", "B@", "C@"}) {
    const SymbolId current = pool.declare(name, place);
    system.variables.push_back({name, place, current, pool.declare(name + "'", place), true});
    threads.push_back(pool.symbol(current));
  }
  const auto is = [&](std::uint32_t thread, int where) {
    return pool.eq(threads[thread], at[where]);
  };
  Transition there, back, alone;
  there.name = "there";
  there.guard = pool.conj(is(0, 0), is(1, 1));
  there.updates = {{0, at[1]}, {1, at[0]}};
  back.name = "back";
  back.guard = pool.conj(is(0, 1), is(1, 0));
  back.updates = {{0, at[0]}, {1, at[1]}};
  alone.name = "alone";
  alone.guard = is(2, 0);
  alone.updates = {{2, at[1]}};
  system.transitions = {there, back, alone};
  system.init = pool.conj(std::vector{is(0, 0), is(1, 1), is(2, 0)});
  system.goal.condition = is(2, 1);
  EXPECT_EQ(reduction_problem(system, find_reduction(system)), std::nullopt);
  const StateReduction wrong = {{}, {{0, 1, {}}, {1, 1, {}}}};
  EXPECT_NE(reduction_problem(system, wrong).value_or("").find("moves another thread"),
            std::string::npos);
  OptionSet options;
  options.add<ExplicitOptions>().plain.set(0);
  Statistics statistics;
  Logger log;
  IgnoreProgress progress;
  Env env{options, smt::SolverFactory({}), {}, {}, statistics, log, progress, "test"};
  EXPECT_TRUE(kExplicitInfo.run(system, env).reached());
}

}  // namespace
}  // namespace whittle
