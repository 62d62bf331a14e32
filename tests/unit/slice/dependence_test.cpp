// SPDX-License-Identifier: Apache-2.0
// One test per kind of dependence, on networks of two or three events.
#include "slice/dependence.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/slice/hand_made.h"

namespace whittle::slice {
namespace {

struct Found {
  Instance target;
  DependenceKind kind;
};

class DependenceTest : public ::testing::Test {
 protected:
  // What the instance depends on; `known` is in the slice already.
  std::vector<Found> of(Instance instance, const std::vector<Instance>& known = {},
                        Precision precision = {}) {
    const ControlFlow flow(*model.network);
    const InitConditions init(*model.network, model.universe);
    Dependences dependences(flow, init, precision);
    Closure closure;
    for (Instance i : known) closure.add(i, Closure::kNoParent, DependenceKind::Criterion, {});
    closure.add(instance, Closure::kNoParent, DependenceKind::Criterion, {});
    std::vector<Found> found;
    dependences.of(instance, closure, [&](Instance target, DependenceKind kind, Span) {
      found.push_back({target, kind});
    });
    return found;
  }

  HandMade model;
};

bool has(const std::vector<Found>& found, Instance target, DependenceKind kind) {
  return std::any_of(found.begin(), found.end(),
                     [&](const Found& f) { return f.target == target && f.kind == kind; });
}

bool mentions(const std::vector<Found>& found, Instance target) {
  return std::any_of(found.begin(), found.end(),
                     [&](const Found& f) { return f.target == target; });
}

// a -write-> b -idle-> c -overwrite-> d
class Line : public DependenceTest {
 protected:
  Line() {
    m = model.machine("M", {"a", "b", "c", "d"});
    x = model.variable(m, "x");
    y = model.variable(m, "y");
    write = model.event(m, "write", "a", "b");
    idle = model.event(m, "idle", "b", "c");
    overwrite = model.event(m, "overwrite", "c", "d");
    p = model.input(write, "p");
    model.when(write, model.pool().lt(model.now(y), p));
    model.set(write, x, model.pool().add(model.now(y), p));
    model.set(overwrite, x, model.number(7));
  }
  LocationId at(const std::string& name) { return model.at(m, name); }

  MachineId m;
  VariableId x, y;
  EventId write, idle, overwrite;
  Expr p;
};

TEST_F(Line, UseDefFollowsDefinitionClearPathsOnly) {
  using enum DependenceKind;
  EXPECT_TRUE(has(of(value_at(at("b"), x)), effect(write, 0), UseDef));
  EXPECT_TRUE(has(of(value_at(at("c"), x)), value_at(at("b"), x), UseDef));
  const auto after = of(value_at(at("d"), x));
  EXPECT_TRUE(has(after, effect(overwrite, 0), UseDef));
  EXPECT_FALSE(mentions(after, value_at(at("c"), x))) << "the definition before is overwritten";
  EXPECT_TRUE(has(of(value_at(at("a"), x)), initial(x), Initial));
  EXPECT_FALSE(mentions(of(value_at(at("b"), x)), initial(x)));
}

TEST_F(Line, UseDefAnywhereTakesEveryDefinition) {
  const auto found = of(value(x));
  EXPECT_TRUE(has(found, effect(write, 0), DependenceKind::UseDef));
  EXPECT_TRUE(has(found, effect(overwrite, 0), DependenceKind::UseDef));
  EXPECT_TRUE(has(found, initial(x), DependenceKind::Initial));
}

TEST_F(Line, DefExecution) {
  EXPECT_TRUE(has(of(value_at(at("b"), x)), arc(write, 0), DependenceKind::DefExecution));
}

TEST_F(Line, DefUse) {
  const auto found = of(effect(write, 0), {arc(write, 0)});
  EXPECT_TRUE(has(found, value_at(at("a"), y), DependenceKind::DefUse));
  EXPECT_TRUE(has(found, parameter(write, 0), DependenceKind::DefUse));
  EXPECT_FALSE(mentions(found, value_at(at("a"), x))) << "x itself is not read";
}

TEST_F(Line, Control) {
  const auto found = of(arc(write, 0));
  EXPECT_TRUE(has(found, value_at(at("a"), y), DependenceKind::Control));
  EXPECT_TRUE(has(found, parameter(write, 0), DependenceKind::Control));
}

TEST_F(Line, NestedControl) {
  EXPECT_TRUE(has(of(effect(write, 0)), guard(write), DependenceKind::NestedControl));
}

TEST_F(Line, EnterLocation) {
  const auto found = of(arc(idle, 0));
  EXPECT_TRUE(has(found, location(at("b")), DependenceKind::EnterLocation));
  EXPECT_TRUE(has(found, location(at("c")), DependenceKind::EnterLocation));
  EXPECT_FALSE(mentions(found, location(at("a"))));
}

TEST_F(Line, WholeEvent) {
  Precision coarse;
  coarse.whole_events = true;
  EXPECT_TRUE(has(of(guard(write), {}, coarse), effect(write, 0), DependenceKind::WholeEvent));
  EXPECT_FALSE(mentions(of(guard(write)), effect(write, 0)));
}

TEST_F(Line, EveryMoveWithTheConeOfInfluence) {
  Precision cone{false, false, true};
  const auto found = of(location(at("a")), {}, cone);
  for (EventId e : {write, idle, overwrite}) EXPECT_TRUE(mentions(found, arc(e, 0)));
}

TEST_F(Line, BlockingEffect) {
  EXPECT_FALSE(mentions(of(guard(overwrite)), effect(overwrite, 0))) << "7 is always possible";
  model.relate(overwrite, {y}, model.pool().lt(model.now(x), model.number(0)));
  EXPECT_TRUE(has(of(guard(overwrite)), effect(overwrite, 1), DependenceKind::BlockingEffect));
  const EventId divide = model.event(m, "divide", "d", "d");
  model.set(divide, y, model.pool().make(Op::IDiv, {model.number(1), model.now(x)}));
  EXPECT_TRUE(has(of(guard(divide)), effect(divide, 0), DependenceKind::BlockingEffect));
  // Two effects on one variable may contradict each other.
  const EventId twice = model.event(m, "twice", "d", "d");
  model.set(twice, y, model.number(1));
  model.set(twice, x, model.number(1));
  model.set(twice, y, model.number(2));
  const auto found = of(guard(twice));
  EXPECT_TRUE(has(found, effect(twice, 0), DependenceKind::BlockingEffect));
  EXPECT_FALSE(mentions(found, effect(twice, 1)));
  EXPECT_TRUE(has(found, effect(twice, 2), DependenceKind::BlockingEffect));
}

TEST_F(Line, InitialValuesHangTogetherByConditions) {
  model.network->variable(x).initial = Expr();
  model.network->variable(y).initial = Expr();
  model.network->machine(m).starts[0].condition = model.pool().lt(model.now(x), model.now(y));
  EXPECT_TRUE(has(of(initial(x)), initial(y), DependenceKind::Initial));
}

// Caller -go-> takes Worker.work(v) along.
class Pair : public DependenceTest {
 protected:
  Pair() {
    caller = model.machine("Caller", {"idle", "done"});
    worker = model.machine("Worker", {"idle", "done"});
    v = model.variable(caller, "v");
    w = model.variable(worker, "w");
    go = model.event(caller, "go", "idle", "done");
    work = model.event(worker, "work", "idle", "done");
    amount = model.input(work, "amount");
    model.set(work, w, amount);
    model.call(go, work, {model.now(v)});
  }

  MachineId caller, worker;
  VariableId v, w;
  EventId go, work;
  Expr amount;
};

TEST_F(Pair, ParameterData) {
  const auto found = of(parameter(work, 0), {sync(go, 0), arc(go, 0)});
  EXPECT_TRUE(has(found, value_at(model.at(caller, "idle"), v), DependenceKind::ParameterData));
  // From the other side, when the parameter was there first.
  EXPECT_TRUE(has(of(sync(go, 0), {arc(go, 0), parameter(work, 0)}),
                  value_at(model.at(caller, "idle"), v), DependenceKind::ParameterData));
  // Nobody looks at the parameter: its argument is not read.
  EXPECT_FALSE(mentions(of(sync(go, 0), {arc(go, 0)}), value_at(model.at(caller, "idle"), v)));
}

TEST_F(Pair, Synchronisation) {
  const auto found = of(sync(go, 0), {arc(go, 0)});
  EXPECT_TRUE(has(found, guard(work), DependenceKind::Synchronisation));
  EXPECT_TRUE(has(found, arc(work, 0), DependenceKind::Synchronisation));
  EXPECT_TRUE(has(found, guard(go), DependenceKind::NestedControl));
}

TEST_F(Pair, Atomicity) { EXPECT_TRUE(has(of(guard(go)), sync(go, 0), DependenceKind::Atomicity)); }

TEST_F(Pair, OnlyByCall) {
  EXPECT_FALSE(mentions(of(guard(work)), arc(go, 0))) << "work can happen alone";
  model.network->event(work).root = false;
  EXPECT_TRUE(has(of(guard(work)), arc(go, 0), DependenceKind::OnlyByCall));
}

TEST_F(Pair, MovesTogether) {
  const MachineId other = model.machine("Other", {"idle", "done"});
  const EventId help = model.event(other, "help", "idle", "done");
  model.call(go, help);
  const ControlFlow flow(*model.network);
  const InitConditions init(*model.network, model.universe);
  Dependences dependences(flow, init, {});
  Closure closure;
  std::vector<Found> found;
  const auto report = [&](Instance target, DependenceKind kind, Span) {
    found.push_back({target, kind});
  };
  dependences.of(guard(work), closure, report);
  EXPECT_FALSE(mentions(found, arc(go, 0))) << "one of them alone needs no caller";
  dependences.of(guard(help), closure, report);
  EXPECT_TRUE(has(found, arc(go, 0), DependenceKind::MovesTogether));
}

TEST_F(Pair, ForbiddenEventsAreReadFromOutside) {
  const EventId refuse = model.event(caller, "refuse", "idle", "done");
  model.when(work, model.pool().gt(model.now(w), model.number(0)));
  model.call(refuse, work, {model.number(1)}, Expr(), true);
  const auto found = of(sync(refuse, 0), {arc(refuse, 0)});
  EXPECT_TRUE(has(found, value(w), DependenceKind::CrossRead));
  EXPECT_TRUE(has(found, location_read(model.at(worker, "idle")), DependenceKind::CrossRead));
}

TEST_F(Pair, CrossReads) {
  const EventId look = model.event(caller, "look", "idle", "done");
  model.when(look,
             model.pool().gt(model.pool().apply(model.network->remote(w), {}), model.number(0)));
  EXPECT_TRUE(has(of(arc(look, 0)), value(w), DependenceKind::CrossRead));
  const EventId peek = model.event(caller, "peek", "idle", "done");
  model.when(peek, model.pool().apply(model.network->remote_at(model.at(worker, "done")), {}));
  EXPECT_TRUE(
      has(of(arc(peek, 0)), location_read(model.at(worker, "done")), DependenceKind::CrossRead));
  EXPECT_TRUE(
      has(of(location_read(model.at(worker, "done"))), arc(work, 0), DependenceKind::CrossRead));
}

TEST_F(Pair, Interference) {
  const VariableId shared = model.variable(MachineId(), "shared");
  const EventId wait = model.event(caller, "wait", "idle", "done");
  model.when(wait, model.pool().gt(model.now(shared), model.number(0)));
  model.set(work, shared, model.number(1));
  EXPECT_TRUE(has(of(arc(wait, 0)), value(shared), DependenceKind::Interference));
  EXPECT_TRUE(has(of(value(shared)), effect(work, 1), DependenceKind::Interference));
}

}  // namespace
}  // namespace whittle::slice
