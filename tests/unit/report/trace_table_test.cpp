// SPDX-License-Identifier: Apache-2.0
#include "report/trace_table.h"

#include <gtest/gtest.h>

#include "ir/run/interpreter.h"
#include "support/systems.h"

namespace whittle {
namespace {

// The counter goes up by 3 and back to 0, so often; then up by 1.
std::string table(std::size_t rounds, bool full) {
  const test::CounterSystem s = test::counter_system(3);
  PropertyResult result;
  result.network = s.network;
  result.property = s.below;
  Trace trace;
  trace.universe = s.universe;
  trace.initial = {{s.on}, {Value(0)}};
  for (std::size_t i = 0; i < rounds; ++i) {
    trace.steps.push_back({s.instance, s.inc, {Value(3)}, {}, {}, 1});
    trace.steps.push_back({s.instance, s.reset, {}, {}, {}, 1});
  }
  trace.steps.push_back({s.instance, s.inc, {Value(1)}, {}, {}, 1});
  auto replayed = replay(*s.network, trace);
  if (!replayed) return replayed.error().message;
  result.replay = *replayed;
  result.verdict.found = TraceFound{trace};
  ReportStyle style;
  style.full_trace = full;
  return trace_table(result, style, 0);
}

TEST(TraceTable, RoundsAreOneRow) {
  EXPECT_EQ(table(40, false),
            "step  event                      changes\n"
            "   0  start                      x = 0\n"
            "1–80  (inc(by = 3); reset) × 40  x = 0\n"
            "  81  inc(by = 1)                x = 1\n");
}

TEST(TraceTable, TwoRoundsAreWrittenOut) {
  EXPECT_EQ(table(2, false),
            "step  event        changes\n"
            "   0  start        x = 0\n"
            "   1  inc(by = 3)  x = 3\n"
            "   2  reset        x = 0\n"
            "   3  inc(by = 3)  x = 3\n"
            "   4  reset        x = 0\n"
            "   5  inc(by = 1)  x = 1\n");
}

TEST(TraceTable, InFullEveryStepIsThere) {
  const std::string text = table(40, true);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 83);
  EXPECT_EQ(text.find("×"), std::string::npos);
}

}  // namespace
}  // namespace whittle
