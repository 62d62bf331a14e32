// SPDX-License-Identifier: Apache-2.0
// Traces to states in which something is not possible: lowering with the solver's elimination, and
// the check of such traces.
#include <gtest/gtest.h>

#include "ir/lowering/lower.h"
#include "ir/run/flat_run.h"
#include "smt/elimination/quantifier_elimination.h"
#include "smt/solvers.h"
#include "support/systems.h"
#include "witness/trace_check.h"

namespace whittle {
namespace {

smt::SolverFactory solvers() {
  smt::SolverFactory::Settings settings;
  settings.id = smt::SolverId::Cvc5;
  return smt::SolverFactory(settings);
}

// inc(by) needs x + by <= 1, reset needs x >= 2: stuck at 1.
struct Stuck {
  test::CounterSystem s = test::counter_system(1);
  PropertyId deadlock;
  Stuck() {
    Property p;
    p.name = "deadlock";
    p.kind = PropertyKind::Deadlock;
    p.goal = DeadlockGoal{};
    p.universe = s.universe;
    deadlock = s.network->add_property(std::move(p));
  }
  [[nodiscard]] Trace trace(std::uint64_t increments) const {
    Trace trace;
    trace.universe = s.universe;
    trace.initial = {{s.on}, {Value(0)}};
    for (std::uint64_t i = 0; i < increments; ++i) {
      TraceStep step;
      step.instance = s.instance;
      step.event = s.inc;
      step.arguments = {Value(1)};
      trace.steps.push_back(std::move(step));
    }
    return trace;
  }
};

TEST(Structural, EliminationGivesTheStuckStates) {
  Stuck stuck;
  LowerOptions options;
  options.eliminate = smt::elimination(stuck.s.network->pool(), {});
  const Lowered lowered = lower(*stuck.s.network, stuck.deadlock, options);
  FlatRun run(lowered.system);
  for (int x = -3; x <= 4; ++x) {
    EXPECT_EQ(run.holds(lowered.system.goal.condition, {Value(x)}), x == 1) << x;
  }
}

TEST(Structural, TracesAreCheckedInTheirLastState) {
  Stuck stuck;
  auto good = check_trace(*stuck.s.network, stuck.deadlock, stuck.trace(1), solvers());
  ASSERT_TRUE(good) << good.error().reason;
  EXPECT_TRUE(good->check.checked);
  EXPECT_FALSE(check_trace(*stuck.s.network, stuck.deadlock, stuck.trace(0), solvers()));
  EXPECT_FALSE(check_trace(*stuck.s.network, stuck.deadlock, stuck.trace(2), solvers()));
}

}  // namespace
}  // namespace whittle
