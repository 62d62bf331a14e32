// SPDX-License-Identifier: Apache-2.0
#include "engine/path/unroller.h"

#include <gtest/gtest.h>

#include "expr/print.h"
#include "support/flat_systems.h"

namespace whittle {
namespace {

TEST(Unroller, CopiesTermsToATime) {
  const TransitionSystem system = test::jumper(7);
  Unroller unroller(system);
  const Transition& jump = system.transitions[1];
  EXPECT_EQ(to_string(*system.pool, unroller.at_time(jump.relation, 3)), "2 * x@3 < x@4");
  EXPECT_EQ(unroller.at_time(jump.relation, 3), unroller.at_time(jump.relation, 3));
}

TEST(Unroller, GivesInputsASymbolPerStep) {
  const TransitionSystem system = test::jumper(7);
  Unroller unroller(system);
  const SymbolId by = system.transitions[0].inputs[0];
  EXPECT_NE(unroller.symbol(by, 0), unroller.symbol(by, 1));
  EXPECT_EQ(unroller.symbol(by, 1), unroller.symbol(by, 1));
}

TEST(Unroller, PutsDefinedVariablesIn) {
  const TransitionSystem system = test::jumper(7);
  Unroller unroller(system);
  unroller.define(1, 2, system.pool->integer(5));
  EXPECT_EQ(to_string(*system.pool, unroller.at_time(system.transitions[1].relation, 2)),
            "x@3 > 10");
}

}  // namespace
}  // namespace whittle
