// SPDX-License-Identifier: Apache-2.0
#include "witness/states_check.h"

#include <gtest/gtest.h>

#include "support/flat_systems.h"

namespace whittle {
namespace {

TEST(StatesCheck, CountsAgain) {
  const smt::SolverFactory solvers{smt::SolverFactory::Settings{}};
  const TransitionSystem system = test::ring(20, 21);
  const auto right = check_states(system, 21, solvers);
  ASSERT_TRUE(right);
  EXPECT_TRUE(right->checked);
  EXPECT_FALSE(check_states(system, 20, solvers));
  EXPECT_FALSE(check_states(system, 22, solvers));
  EXPECT_FALSE(check_states(test::ring(20, 13), 21, solvers));  // one is a goal
  smt::Limits limits;
  limits.deadline = Deadline::after(std::chrono::milliseconds(0));
  const auto late = check_states(test::ring(5000, -1), 5001, solvers.with(limits));
  ASSERT_TRUE(late);
  EXPECT_FALSE(late->checked);
}

// cell: Int[2] with these conditions at the start; `raise` sets cell[0] to 2.
// Goal: cell[1] is 7.
TransitionSystem two_cells(const std::vector<std::pair<int, int>>& first) {
  TransitionSystem system{std::make_shared<ExprPool>(), {}, {}, {}, {}, {}};
  ExprPool& pool = *system.pool;
  const Type type = pool.array_type(Type::integer(), Type::integer(), 2);
  system.variables.push_back(
      {"cell", type, pool.declare("cell", type), pool.declare("cell'", type), false});
  const Expr cell = pool.symbol(system.variables[0].current);
  std::vector<Expr> init;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const Expr at = pool.select(cell, pool.integer(Integer(i)));
    init.push_back(pool.le(pool.integer(first[i].first), at));
    init.push_back(pool.le(at, pool.integer(first[i].second)));
  }
  system.init = pool.conj(init);
  Transition raise;
  raise.name = "raise";
  raise.guard = pool.boolean(true);
  raise.updates.push_back({0, pool.store(cell, pool.integer(0), pool.integer(2))});
  system.transitions.push_back(std::move(raise));
  system.goal.condition = pool.eq(pool.select(cell, pool.integer(1)), pool.integer(7));
  return system;
}

// The solver's arrays have cells beyond the length; they are not part of the state.
TEST(StatesCheck, ArraysAreTheirCells) {
  for (const smt::SolverId id : {smt::SolverId::Z3, smt::SolverId::Cvc5}) {
    smt::SolverFactory::Settings settings;
    settings.id = id;
    const smt::SolverFactory solvers{settings};
    const auto one = check_states(two_cells({{1, 1}, {0, 0}}), 2, solvers);
    ASSERT_TRUE(one) << one.error().reason;
    EXPECT_TRUE(one->checked);
    const auto several = check_states(two_cells({{0, 1}, {4, 6}}), 9, solvers);
    ASSERT_TRUE(several) << several.error().reason;
    EXPECT_TRUE(several->checked);
    EXPECT_FALSE(check_states(two_cells({{0, 1}, {4, 6}}), 8, solvers));
    EXPECT_FALSE(check_states(two_cells({{0, 1}, {4, 7}}), 12, solvers));  // a goal
    EXPECT_FALSE(check_states(two_cells({{0, 1}}), 2, solvers));           // one cell is free
  }
}

}  // namespace
}  // namespace whittle
