// SPDX-License-Identifier: Apache-2.0
// Each trace here is wrong in one way: a check that does not look there accepts it.
#include "witness/trace_check.h"

#include <gtest/gtest.h>

#include "support/systems.h"

namespace whittle {
namespace {

class TraceCheck : public testing::Test {
 protected:
  // x counts from 0 in steps of 1 to 3 up to 5; is x == 5 reached?
  test::CounterSystem s = test::counter_system(5);

  [[nodiscard]] TraceStep inc(int by, std::uint64_t times = 1) const {
    TraceStep step;
    step.instance = s.instance;
    step.event = s.inc;
    step.arguments = {Value(by)};
    step.times = times;
    return step;
  }
  [[nodiscard]] Trace trace(std::vector<TraceStep> steps, int from = 0) const {
    Trace trace;
    trace.universe = s.universe;
    trace.initial = {{s.on}, {Value(from)}};
    trace.steps = std::move(steps);
    return trace;
  }
  [[nodiscard]] bool accepted(const Trace& trace, PropertyId property) const {
    const smt::SolverFactory solvers{smt::SolverFactory::Settings{}};
    return check_trace(*s.network, property, trace, solvers).has_value();
  }
};

TEST_F(TraceCheck, AcceptsRunsToTheGoal) {
  EXPECT_TRUE(accepted(trace({inc(3), inc(2)}), s.reach_limit));
  EXPECT_TRUE(accepted(trace({inc(1, 5)}), s.reach_limit));
  EXPECT_TRUE(accepted(trace({inc(3), inc(2)}), s.below));  // x < 5 is violated
}

TEST_F(TraceCheck, TheFirstStateIsAStart) {
  EXPECT_FALSE(accepted(trace({inc(2), inc(2)}, 1), s.reach_limit));
}

TEST_F(TraceCheck, EveryStepIsPossible) {
  EXPECT_FALSE(accepted(trace({inc(5)}), s.reach_limit));          // by <= 3
  EXPECT_FALSE(accepted(trace({inc(3), inc(3)}), s.reach_limit));  // x <= 5
  EXPECT_FALSE(accepted(trace({inc(1, 6)}), s.reach_limit));       // the last repetition
  TraceStep reset;
  reset.instance = s.instance;
  reset.event = s.reset;
  EXPECT_FALSE(accepted(trace({inc(1), reset, inc(3), inc(2)}), s.reach_limit));  // x >= 2
  EXPECT_TRUE(accepted(trace({inc(2), reset, inc(3), inc(2)}), s.reach_limit));
}

TEST_F(TraceCheck, TheLastStateIsTheGoal) {
  EXPECT_FALSE(accepted(trace({inc(3)}), s.reach_limit));
  EXPECT_FALSE(accepted(trace({inc(3), inc(2)}), s.below_or_at));  // which holds there
}

TEST_F(TraceCheck, TheLengthIsWithinTheBound) {
  s.network->property(s.reach_limit).bound = {0, 1};
  EXPECT_FALSE(accepted(trace({inc(3), inc(2)}), s.reach_limit));
  s.network->property(s.reach_limit).bound = {3, std::nullopt};
  EXPECT_FALSE(accepted(trace({inc(3), inc(2)}), s.reach_limit));
  s.network->property(s.reach_limit).bound = {5, 5};  // repetitions count
  EXPECT_TRUE(accepted(trace({inc(1, 5)}), s.reach_limit));
}

TEST_F(TraceCheck, TheUniverseIsTheProperties) {
  Trace elsewhere = trace({inc(3), inc(2)});
  elsewhere.universe = UniverseId(7);
  EXPECT_FALSE(accepted(elsewhere, s.reach_limit));
}

}  // namespace
}  // namespace whittle
