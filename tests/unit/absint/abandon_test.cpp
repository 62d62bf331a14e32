// SPDX-License-Identifier: Apache-2.0
#include "absint/abandon.h"

#include <gtest/gtest.h>

#include <ctime>

#include "absint/reachable.h"
#include "unit/absint/control_systems.h"

namespace whittle::absint {
namespace {

using test::ControlSystem;
namespace ppl = Parma_Polyhedra_Library;

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// A cube: few constraints, 2^n corners.
constexpr std::uint32_t kDimensions = 24;

// A loop that leaves every number anywhere between 0 and 9: its first widening needs the corners.
ControlSystem cube() {
  ControlSystem made(2, kDimensions);
  ExprPool& pool = made.pool();
  std::vector<Expr> init = {made.at(0)};
  for (std::uint32_t i = 0; i < kDimensions; ++i) {
    init.push_back(pool.ge(made.number(i), pool.integer(0)));
    init.push_back(pool.le(made.number(i), pool.integer(9)));
  }
  made.system().init = pool.conj(init);
  made.loop(0, 0, 1, 100);
  made.edge(0, 1);
  return made;
}

ReachableOptions polyhedra_always() {
  ReachableOptions options;
  options.polyhedra = kDimensions;
  return options;
}

TEST(WatchedWork, EndsAnOperationOfPpl) {
  ppl::NNC_Polyhedron cube(kDimensions);
  for (std::uint32_t i = 0; i < kDimensions; ++i) {
    cube.add_constraint(ppl::Variable(i) >= 0);
    cube.add_constraint(ppl::Variable(i) <= 9);
  }
  const double begun = processor_seconds();
  const std::function<bool()> stop = [&] { return processor_seconds() > begun + 0.05; };
  const WatchedWork watch(stop);
  EXPECT_THROW((void)cube.minimized_generators(), Abandoned);
  EXPECT_LT(processor_seconds() - begun, 1);
}

TEST(WatchedWork, EffortIsCounted) {
  const std::function<bool()> never = [] { return false; };
  const WatchedWork watch(never, 100);
  for (int i = 0; i < 100; ++i) look_whether_to_abandon();
  EXPECT_THROW(look_whether_to_abandon(), Abandoned);
}

TEST(WatchedWork, InnerOneEndsBeforeTheOuterOne) {
  const std::function<bool()> never = [] { return false; };
  const WatchedWork outer(never, 3);
  {
    const WatchedWork inner(never);
    for (int i = 0; i < 100; ++i) look_whether_to_abandon();
  }
  for (int i = 0; i < 3; ++i) look_whether_to_abandon();
  EXPECT_THROW(look_whether_to_abandon(), Abandoned);
}

TEST(WatchedWork, NobodyAsksAfterwards) {
  {
    const std::function<bool()> always = [] { return true; };
    const WatchedWork watch(always);
  }
  EXPECT_EQ(ppl::abandon_expensive_computations, nullptr);
}

TEST(ReachableStates, StopsInTheMiddleOfAPolyhedron) {
  ControlSystem made = cube();
  const ControlGraph graph(made.system());
  ReachableOptions options = polyhedra_always();
  options.effort = UINT64_MAX;
  const double begun = processor_seconds();
  const auto found = reachable_states(made.system(), graph, options,
                                      [&] { return processor_seconds() > begun + 0.1; });
  EXPECT_FALSE(found.has_value());
  EXPECT_LT(processor_seconds() - begun, 1.1);
}

TEST(ReachableStates, BoxesWherePolyhedraAreTooExpensive) {
  ControlSystem made = cube();
  ExprPool& pool = made.pool();
  made.system().goal.condition = pool.lt(made.number(3), pool.integer(0));
  const ControlGraph graph(made.system());
  ReachableOptions options = polyhedra_always();
  options.effort = 1000;
  const auto found = reachable_states(made.system(), graph, options, [] { return false; });
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->excludes_goal, std::vector<char>({1, 1}));
}

// Twice the same subterm in each of 45 levels.
TEST(ReachableStates, TermsThatShareTheirPartsCostEachPartOnce) {
  ControlSystem made(1, 1);
  ExprPool& pool = made.pool();
  Expr sum = made.number(0);
  for (int i = 0; i < 45; ++i) sum = pool.add(pool.mul(sum, pool.integer(3)), sum);
  made.edge(0, 0, pool.lt(made.number(0), pool.integer(5)), {{0, sum}});
  made.system().goal.condition = pool.lt(made.number(0), pool.integer(0));
  const ControlGraph graph(made.system());
  const auto found =
      reachable_states(made.system(), graph, ReachableOptions(), [] { return false; });
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->excludes_goal, std::vector<char>({1}));
}

}  // namespace
}  // namespace whittle::absint
