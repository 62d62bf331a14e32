// SPDX-License-Identifier: Apache-2.0
// What a slice says, said of the original.
#include "slice/back.h"

#include <gtest/gtest.h>

#include "ir/run/interpreter.h"
#include "slice/slice.h"
#include "unit/slice/hand_made.h"

namespace whittle::slice {
namespace {

class SliceBack : public ::testing::Test {
 protected:
  SliceResult sliced(PropertyId question, Granularity granularity = Granularity::Fine) {
    return slice(model.network, question, {granularity});
  }
  // The shortest trace of the slice.
  static Trace trace_of(const SliceResult& slice) {
    const Property& property = slice.network->property(slice.property);
    SearchOptions options;
    options.candidates = [](Type, SymbolId) -> std::optional<std::vector<Value>> {
      return std::vector<Value>{Value(0), Value(1), Value(2)};
    };
    const SearchResult found = explicit_search(*slice.network, property.universe,
                                               property.condition(), property.bound, options);
    EXPECT_TRUE(found.trace.has_value());
    return found.trace.value_or(Trace());
  }
  // The lifted trace ends where the question wants it to.
  void expect_lifts(const SliceResult& slice, PropertyId question) {
    const Trace trace = trace_of(slice);
    const auto lifted = slice.back->trace(trace);
    ASSERT_TRUE(lifted.has_value());
    EXPECT_EQ(lifted->length(), trace.length());
    const auto replayed = replay(*model.network, *lifted);
    ASSERT_TRUE(replayed.has_value()) << replayed.error().message;
    Interpreter interpreter(*model.network, model.universe);
    const auto reached =
        interpreter.evaluate(model.network->property(question).condition(), replayed->final());
    ASSERT_TRUE(reached.has_value());
    EXPECT_TRUE(reached->as_bool());
  }

  HandMade model;
};

TEST_F(SliceBack, DroppedVariablesMachinesAndParametersGetValues) {
  const MachineId m = model.machine("M", {"a", "b", "c"});
  const MachineId other = model.machine("Other", {"a", "b"});
  const VariableId x = model.variable(m, "x");
  const VariableId log = model.variable(m, "log", 7);
  const EventId raise = model.event(m, "raise", "a", "a");
  model.set(raise, x, model.pool().add(model.now(x), model.number(1)));
  model.set(raise, log, model.input(raise, "entry"));
  const EventId leave = model.event(m, "leave", "a", "b");
  model.when(leave, model.pool().eq(model.now(x), model.number(2)));
  model.event(m, "waste", "b", "c");
  model.event(other, "move", "a", "b");
  const PropertyId question = model.reach(model.is_at(m, "b"));
  const SliceResult slice = sliced(question);
  EXPECT_LT(slice.network->machines().size(), model.network->machines().size());
  EXPECT_LT(slice.network->variables().size(), model.network->variables().size());
  expect_lifts(slice, question);
}

TEST_F(SliceBack, ArcsThatTheSliceMergesAreToldApart) {
  const MachineId m = model.machine("M", {"a", "b", "c"});
  const VariableId x = model.variable(m, "x");
  const EventId go = model.event(m, "go", "a", "b");
  model.arc(go, "a", "c");
  const EventId count = model.event(m, "count", "b", "b");
  model.set(count, x, model.pool().add(model.now(x), model.number(1)));
  const PropertyId question = model.reach(model.pool().eq(model.final(m, x), model.number(2)));
  expect_lifts(sliced(question), question);
}

TEST_F(SliceBack, NothingWasSliced) {
  const MachineId m = model.machine("M", {"a", "b"});
  model.event(m, "go", "a", "b");
  const PropertyId question = model.reach(model.is_at(m, "b"));
  const SliceResult slice = sliced(question, Granularity::Off);
  expect_lifts(slice, question);
  const Expr condition = model.is_at(m, "b");
  EXPECT_EQ(identity()->invariant(condition), condition);
}

}  // namespace
}  // namespace whittle::slice
