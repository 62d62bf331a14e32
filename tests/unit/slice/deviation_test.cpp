// SPDX-License-Identifier: Apache-2.0
// Where the slicer deviates from the rules of Eilers 2018, and why: on each of these networks the
// slice that those rules give has another answer than the model. `textbook` is that slice, made by
// hand from the model by taking away what none of the seven dependences reaches.
#include <gtest/gtest.h>

#include "slice/slice.h"
#include "unit/slice/hand_made.h"

namespace whittle::slice {
namespace {

class Deviation : public ::testing::Test {
 protected:
  // The answer of the model, which our slice has as well; and that of the textbook's.
  void expect(PropertyId question, int right, const Network& textbook, int wrong) {
    EXPECT_EQ(least_depth(*model.network, question), right);
    const SliceResult ours = slice(model.network, question, {Granularity::Fine});
    EXPECT_EQ(least_depth(*ours.network, ours.property), right);
    EXPECT_EQ(least_depth(textbook, question), wrong);
    EXPECT_NE(right, wrong);
  }
  Network copy() const { return *model.network; }

  HandMade model;
};

// Atomicity: whether an event happens depends on its synchronisations. The goat crosses only with
// the farmer; without the dependence it swims.
TEST_F(Deviation, AnEventHappensOnlyWithItsSynchronisations) {
  const MachineId goat = model.machine("Goat", {"left", "right"});
  const MachineId farmer = model.machine("Farmer", {"left", "right"});
  const VariableId tired = model.variable(farmer, "tired", 1);
  const EventId cross = model.event(goat, "cross", "left", "right");
  const EventId row = model.event(farmer, "row", "left", "right");
  model.when(row, model.pool().eq(model.now(tired), model.number(0)));
  model.call(cross, row);
  const PropertyId q = model.reach(model.is_at(goat, "right"));
  Network textbook = copy();
  textbook.event(cross).syncs.clear();
  expect(q, -1, textbook, 1);
}

// Blocking effects: a relation without a solution stops its event, whoever needs what it sets.
TEST_F(Deviation, ARelationMayBeImpossible) {
  const MachineId m = model.machine("M", {"a", "b"});
  const VariableId x = model.variable(m, "x");
  const EventId e = model.event(m, "e", "a", "b");
  model.relate(e, {x},
               model.pool().conj(model.pool().gt(model.next(x), model.number(0)),
                                 model.pool().lt(model.next(x), model.number(0))));
  const PropertyId q = model.reach(model.is_at(m, "b"));
  Network textbook = copy();
  textbook.event(e).effects.clear();
  expect(q, -1, textbook, 1);
}

// The same for an assignment without a value.
TEST_F(Deviation, AnAssignmentMayHaveNoValue) {
  const MachineId m = model.machine("M", {"a", "b"});
  const VariableId x = model.variable(m, "x");
  const VariableId y = model.variable(m, "y");
  const EventId e = model.event(m, "e", "a", "b");
  model.set(e, x, model.pool().make(Op::IDiv, {model.number(1), model.now(y)}));
  const PropertyId q = model.reach(model.is_at(m, "b"));
  Network textbook = copy();
  textbook.event(e).effects.clear();
  expect(q, -1, textbook, 1);
}

// Cross reads: a reference reads what events of another machine define.
TEST_F(Deviation, AReferenceReadsTheOtherMachine) {
  const MachineId m = model.machine("M", {"a", "b"});
  const MachineId other = model.machine("Other", {"a"});
  const VariableId x = model.variable(other, "x");
  const EventId raise = model.event(other, "raise", "a", "a");
  model.set(raise, x, model.number(1));
  const EventId e = model.event(m, "e", "a", "b");
  model.when(e, model.pool().eq(model.pool().apply(model.network->remote(x), {}), model.number(1)));
  const PropertyId q = model.reach(model.is_at(m, "b"));
  Network textbook = copy();
  textbook.event(raise).effects.clear();
  expect(q, 2, textbook, -1);
}

// ... and its location, which every event that enters or leaves it defines.
TEST_F(Deviation, AReferenceReadsTheOtherLocation) {
  const MachineId m = model.machine("M", {"a", "b"});
  const MachineId other = model.machine("Other", {"off", "on"});
  const EventId turn_on = model.event(other, "turn_on", "off", "on");
  const EventId e = model.event(m, "e", "a", "b");
  model.when(e, model.pool().apply(model.network->remote_at(model.at(other, "on")), {}));
  const PropertyId q = model.reach(model.is_at(m, "b"));
  Network textbook = copy();
  textbook.event(turn_on).arcs.clear();
  expect(q, 2, textbook, -1);
}

// Interference: definitions of a shared variable in other machines reach every use.
TEST_F(Deviation, SharedVariablesAreSetByOthers) {
  const MachineId m = model.machine("M", {"a", "b"});
  const MachineId other = model.machine("Other", {"a"});
  const VariableId x = model.variable(MachineId(), "x");
  const EventId raise = model.event(other, "raise", "a", "a");
  model.set(raise, x, model.number(1));
  const EventId e = model.event(m, "e", "a", "b");
  model.when(e, model.pool().eq(model.now(x), model.number(1)));
  const PropertyId q = model.reach(model.is_at(m, "b"));
  Network textbook = copy();
  textbook.event(raise).effects.clear();
  expect(q, 2, textbook, -1);
}

// Only by call: an event that is no root needs somebody who calls it.
TEST_F(Deviation, AnEventThatIsOnlyCalledNeedsItsCallers) {
  const MachineId m = model.machine("M", {"a", "b"});
  const MachineId caller = model.machine("Caller", {"a"});
  const EventId e = model.event(m, "e", "a", "b");
  model.network->event(e).root = false;
  const EventId go = model.event(caller, "go", "a", "a");
  model.call(go, e);
  const PropertyId q = model.reach(model.is_at(m, "b"));
  Network textbook = copy();
  textbook.event(go).arcs.clear();
  expect(q, 1, textbook, -1);
}

// Moves together: one caller lets two things happen in one step.
TEST_F(Deviation, TwoEventsInOneStepNeedTheirCaller) {
  const MachineId a = model.machine("A", {"off", "on"});
  const MachineId b = model.machine("B", {"off", "on"});
  const MachineId caller = model.machine("Caller", {"here"});
  const EventId both = model.event(caller, "both", "here", "here");
  model.call(both, model.event(a, "turn_a", "off", "on"));
  model.call(both, model.event(b, "turn_b", "off", "on"));
  const PropertyId q = model.reach(model.pool().conj(model.is_at(a, "on"), model.is_at(b, "on")));
  Network textbook = copy();
  textbook.event(both).arcs.clear();
  expect(q, 1, textbook, 2);
}

// An argument is evaluated whether or not somebody needs the parameter.
TEST_F(Deviation, AnArgumentMayHaveNoValue) {
  const MachineId m = model.machine("M", {"a", "b"});
  const MachineId caller = model.machine("Caller", {"a", "b"});
  const VariableId x = model.variable(caller, "x");
  const EventId e = model.event(m, "e", "a", "b");
  model.input(e, "unused");
  const EventId go = model.event(caller, "go", "a", "b");
  model.call(go, e, {model.pool().make(Op::IDiv, {model.number(1), model.now(x)})});
  const PropertyId q = model.reach(model.is_at(caller, "b"));
  Network textbook = copy();
  textbook.event(go).syncs[0].arguments[0] = model.number(0);
  expect(q, -1, textbook, 1);
}

// `not T.e(..)` asks whether e is possible: everything that decides that is read, the other way
// round.
TEST_F(Deviation, WhatMustNotBePossibleIsRead) {
  const MachineId m = model.machine("M", {"a", "b"});
  const MachineId other = model.machine("Other", {"off", "on"});
  const EventId use = model.event(other, "use", "off", "off");
  const EventId turn_on = model.event(other, "turn_on", "off", "on");
  const EventId e = model.event(m, "e", "a", "b");
  model.call(e, use, {}, Expr(), true);
  const PropertyId q = model.reach(model.is_at(m, "b"));
  Network textbook = copy();
  textbook.event(turn_on).arcs.clear();
  expect(q, 2, textbook, -1);
}

// Definitions and guards are kept per arc, and an event brings the locations it leads through: with
// the chain of the event alone the way from `a` to `c` would be one step.
TEST_F(Deviation, LocationsOnTheWayStay) {
  const MachineId m = model.machine("M", {"a", "b", "c"});
  model.event(m, "first", "a", "b");
  const EventId second = model.event(m, "second", "b", "c");
  const PropertyId q = model.reach(model.is_at(m, "c"));
  Network textbook = copy();
  textbook.event(second).arcs[0].from = model.at(m, "a");
  expect(q, 2, textbook, 1);
}

// Conditions on the start that have no solution leave no run at all, whoever they are about.
TEST_F(Deviation, AStartMayBeImpossible) {
  const MachineId m = model.machine("M", {"a", "b"});
  model.event(m, "e", "a", "b");
  const VariableId x = model.network->add_variable("x", Type::integer(), m, {});
  const VariableId y = model.network->add_variable("y", Type::integer(), m, {});
  ExprPool& pool = model.pool();
  model.network->machine(m).starts[0].condition =
      pool.conj(pool.lt(model.now(x), model.now(y)), pool.lt(model.now(y), model.now(x)));
  const PropertyId q = model.reach(model.is_at(m, "b"));
  Network textbook = copy();
  textbook.machine(m).starts[0].condition = pool.boolean(true);
  expect(q, -1, textbook, 1);
}

// A location that the question excludes has to be left: what leaves it counts.
TEST_F(Deviation, ALocationThatIsExcludedHasToBeLeft) {
  const MachineId m = model.machine("M", {"a", "b"});
  const EventId leave = model.event(m, "leave", "a", "b");
  const PropertyId q = model.reach(model.pool().negate(model.is_at(m, "a")));
  Network textbook = copy();
  textbook.event(leave).arcs.clear();
  expect(q, 1, textbook, -1);
}

// `exactly 2` counts steps that change nothing of interest.
TEST_F(Deviation, StepsThatOnlyPassTimeCount) {
  const MachineId m = model.machine("M", {"a", "b"});
  const MachineId other = model.machine("Other", {"a"});
  model.event(m, "e", "a", "b");
  const EventId idle = model.event(other, "idle", "a", "a");
  const PropertyId q = model.reach(model.is_at(m, "b"), 2);
  model.network->property(q).bound.min = 2;
  Network textbook = copy();
  textbook.event(idle).arcs.clear();
  expect(q, 2, textbook, -1);
}

}  // namespace
}  // namespace whittle::slice
