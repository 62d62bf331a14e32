// SPDX-License-Identifier: Apache-2.0
// Which arrays become cells, what accesses become, and the way back and forth.
#include "simplify/flat/array_cells.h"

#include <gtest/gtest.h>

#include "expr/print.h"

namespace whittle::simplify {
namespace {

// a has three cells; a[1] := x, and a[x] is read where x is one of them.
class Cells : public ::testing::Test {
 protected:
  Cells() {
    const Type array = pool->array_type(Type::integer(), Type::integer(), 3);
    a = add("a", array);
    x = add("x", Type::integer());
    system.pool = pool;
    system.init = pool->conj(pool->eq(at(0), number(0)), pool->eq(x, number(2)));
    Transition step;
    step.name = "step";
    step.guard = pool->lt(at(1), number(9));
    step.updates.push_back({0, pool->store(a, number(1), x)});
    step.updates.push_back({1, at(2)});
    system.transitions.push_back(step);
    system.goal.condition = pool->eq(at(1), number(7));
  }

  Expr add(const std::string& name, Type type) {
    system.variables.push_back(
        {name, type, pool->declare(name, type), pool->declare(name + "'", type), false});
    return pool->symbol(system.variables.back().current);
  }
  Expr number(int i) { return pool->integer(i); }
  Expr at(int i) { return pool->select(a, number(i)); }

  std::shared_ptr<ExprPool> pool = std::make_shared<ExprPool>();
  TransitionSystem system;
  Expr a, x;
};

TEST_F(Cells, AVariableForEach) {
  const auto cells = split_arrays(system);
  ASSERT_TRUE(cells);
  ASSERT_EQ(cells->system.variables.size(), 4U);
  EXPECT_EQ(cells->system.variables[2].name, "a[2]");
  EXPECT_EQ(to_string(*pool, cells->system.goal.condition), "a[1] == 7");
  const Transition& step = cells->system.transitions[0];
  ASSERT_EQ(step.updates.size(), 2U);
  EXPECT_EQ(step.updates[0].variable, 1U);
  EXPECT_EQ(step.updates[0].value, x);
  EXPECT_EQ(step.updates[1].variable, 3U);
  EXPECT_EQ(to_string(*pool, step.updates[1].value), "a[2]");
}

TEST_F(Cells, RunsGetTheirArraysBack) {
  const auto cells = split_arrays(system);
  ASSERT_TRUE(cells);
  FlatTrace run;
  run.initial = {Value(0), Value(5), Value(7), Value(2)};
  run.steps.assign(2, {0, {}, {}, 1});
  ASSERT_EQ(flat_trace_problem(cells->system, run), std::nullopt);
  const auto lifted = cells->back->trace(run);
  ASSERT_TRUE(lifted);
  ASSERT_EQ(lifted->initial.size(), 2U);
  EXPECT_EQ(lifted->initial[0].as_array().at(Value(1)), Value(5));
  EXPECT_EQ(flat_trace_problem(system, *lifted), std::nullopt);
}

TEST_F(Cells, ConditionsGoBothWays) {
  const auto cells = split_arrays(system);
  ASSERT_TRUE(cells);
  const Expr said = pool->lt(at(0), at(2));
  const Expr forward = cells->back->forward(said);
  ASSERT_TRUE(forward.valid());
  EXPECT_NE(forward, said);
  EXPECT_EQ(cells->back->condition(forward), said);
  // Two arrays as a whole are no cells.
  EXPECT_FALSE(cells->back->forward(pool->eq(a, pool->store(a, number(0), x))).valid());
}

TEST_F(Cells, IndicesThatAreNoConstantsOnlyWhereWanted) {
  system.goal.condition = pool->eq(pool->select(a, x), number(7));
  EXPECT_FALSE(split_arrays(system));
  CellOptions options;
  options.max_chosen = 3;
  const auto cells = split_arrays(system, options);
  ASSERT_TRUE(cells);
  EXPECT_EQ(cells->system.variables.size(), 4U);
  options.max_chosen = 2;
  EXPECT_FALSE(split_arrays(system, options));
}

TEST_F(Cells, HintsSpeakOfCells) {
  system.hints = {pool->eq(at(0), number(0)), pool->eq(a, pool->store(a, number(0), x))};
  const FlatPipeline pipeline(system, {array_cells()});
  ASSERT_EQ(pipeline.system().hints.size(), 1U);
  EXPECT_EQ(to_string(*pool, pipeline.system().hints[0]), "a[0] == 0");
  EXPECT_EQ(pipeline.system().hints[0],
            pool->eq(pool->symbol(pipeline.system().variables[0].current), number(0)));
}

}  // namespace
}  // namespace whittle::simplify
