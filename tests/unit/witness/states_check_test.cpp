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

}  // namespace
}  // namespace whittle
