// SPDX-License-Identifier: Apache-2.0
#include "ir/run/interpreter.h"

#include <gtest/gtest.h>

#include "support/systems.h"

namespace whittle {
namespace {

using test::bank_system;
using test::counter_system;

State counter_state(const test::CounterSystem& s, int x) { return {{s.on}, {Value(x)}}; }

TraceStep step_of(InstanceId instance, EventId event, std::vector<Value> arguments = {}) {
  TraceStep step;
  step.instance = instance;
  step.event = event;
  step.arguments = std::move(arguments);
  return step;
}

// One started transaction from account 1 (opened, with `balance`) to account `to` (opened, 10).
State bank_state(const test::BankSystem& s, int balance, int amount, int to) {
  State state;
  state.locations = {s.opened, s.opened, s.started};
  state.values = {Value(1), Value(balance), Value(2),  Value(10),
                  Value(1), Value(1),       Value(to), Value(amount)};
  return state;
}

TEST(Interpreter, EvaluatesGuardsAndEffects) {
  auto s = counter_system(5);
  Interpreter run(*s.network, s.universe);
  EXPECT_FALSE(run.initial_problem(counter_state(s, 0)));
  EXPECT_TRUE(run.initial_problem(counter_state(s, 1)));
  auto ok = run.step(counter_state(s, 2), step_of(s.instance, s.inc, {Value(3)}));
  ASSERT_TRUE(ok);
  EXPECT_EQ(ok->state, counter_state(s, 5));
  auto bad = run.step(counter_state(s, 3), step_of(s.instance, s.inc, {Value(3)}));
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().kind, Refusal::Kind::Guard);
  EXPECT_EQ(bad.error().message, "Counter.inc: x + by <= 5 does not hold");
}

TEST(Interpreter, RefusesMalformedSteps) {
  auto s = counter_system(5);
  Interpreter run(*s.network, s.universe);
  const State state = counter_state(s, 0);
  EXPECT_EQ(run.step(state, step_of(s.instance, s.inc)).error().kind, Refusal::Kind::Malformed);
  EXPECT_EQ(run.step(state, step_of(s.instance, s.inc, {Value(true)})).error().message,
            "Counter.inc: the argument by is no Int");
  EXPECT_FALSE(run.step(state, step_of(InstanceId(7), s.inc, {Value(1)})));
  auto chosen = step_of(s.instance, s.inc, {Value(1)});
  chosen.chosen.emplace_back(0, Value(4));
  EXPECT_EQ(run.step(state, chosen).error().kind, Refusal::Kind::Assignment);
}

TEST(Interpreter, SynchronisedEventsMoveTogether) {
  auto s = bank_system(2, 1);
  Interpreter run(*s.network, s.universe);
  auto done = run.step(bank_state(s, 50, 20, 2), step_of(s.transactions[0], s.book));
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->state.values[1], Value(30));
  EXPECT_EQ(done->state.values[3], Value(30));
  EXPECT_EQ(done->state.locations[2], s.booked);
  ASSERT_EQ(done->occurrences.size(), 3U);
  EXPECT_EQ(done->occurrences[0].event, s.book);
  EXPECT_EQ(done->occurrences[1].event, s.withdraw);
  EXPECT_EQ(done->occurrences[2].event, s.deposit);
  EXPECT_EQ(done->occurrences[2].instance, s.accounts[1]);
  EXPECT_EQ(done->occurrences[2].depth, 1U);
}

TEST(Interpreter, AStepNeedsAllItsPartners) {
  auto s = bank_system(2, 1);
  Interpreter run(*s.network, s.universe);
  const TraceStep book = step_of(s.transactions[0], s.book);
  auto poor = run.step(bank_state(s, 10, 20, 2), book);
  ASSERT_FALSE(poor);
  EXPECT_EQ(poor.error().kind, Refusal::Kind::Guard);
  EXPECT_EQ(poor.error().instance, s.accounts[0]);
  auto dangling = run.step(bank_state(s, 50, 20, 9), book);
  ASSERT_FALSE(dangling);
  EXPECT_EQ(dangling.error().message,
            "Transaction[1].book synchronises with Account[9], which does not exist");
  auto conflict = run.step(bank_state(s, 50, 20, 1), book);
  ASSERT_FALSE(conflict);
  EXPECT_EQ(conflict.error().kind, Refusal::Kind::Conflict);
  State closed = bank_state(s, 50, 20, 2);
  closed.locations[1] = s.closed;
  auto location = run.step(closed, book);
  ASSERT_FALSE(location);
  EXPECT_EQ(location.error().message, "Account[2].deposit cannot happen at closed");
}

TEST(Interpreter, NegatedSynchronisationAsksAndMovesNothing) {
  auto s = bank_system(2, 1);
  Interpreter run(*s.network, s.universe);
  const TraceStep fail = step_of(s.transactions[0], s.fail);
  auto possible = run.step(bank_state(s, 50, 20, 2), fail);
  ASSERT_FALSE(possible);
  EXPECT_EQ(possible.error().message,
            "Transaction[1].fail demands that Account[1].withdraw(20) is not possible, but it is");
  auto failed = run.step(bank_state(s, 10, 20, 2), fail);
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->state.values, bank_state(s, 10, 20, 2).values);
  // A dangling key disables, also under `not`.
  State dangling = bank_state(s, 10, 20, 2);
  dangling.values[5] = Value(9);
  EXPECT_FALSE(run.step(dangling, fail));
}

TEST(Interpreter, EqualOccurrencesCollapse) {
  auto s = bank_system(2, 1);
  // A second, equal withdrawal from the same account.
  Sync again = s.network->event(s.book).syncs[0];
  s.network->event(s.book).syncs.push_back(again);
  Interpreter run(*s.network, s.universe);
  auto done = run.step(bank_state(s, 50, 20, 2), step_of(s.transactions[0], s.book));
  ASSERT_TRUE(done);
  EXPECT_EQ(done->state.values[1], Value(30));
  EXPECT_EQ(done->occurrences.size(), 3U);
}

TEST(Interpreter, RelationsUseChosenValuesAndEquations) {
  auto s = counter_system(5);
  Network& n = *s.network;
  ExprPool& pool = n.pool();
  const VariableId y = n.add_variable("y", Type::integer(), s.machine, {});
  const EventId e = n.add_event("jump", s.machine, {});
  n.event(e).arcs.push_back({s.on, s.on, {}});
  const Expr x = pool.symbol(n.variable(s.x).current);
  const Expr next_x = pool.symbol(n.variable(s.x).next);
  const Expr next_y = pool.symbol(n.variable(y).next);
  // x < x' and y' == x' + 1
  n.event(e).effects.push_back(
      {EffectKind::Relation,
       {s.x, y},
       pool.conj(pool.lt(x, next_x), pool.eq(next_y, pool.add(next_x, pool.integer(1)))),
       {}});
  ASSERT_TRUE(well_formedness_problems(n).empty());
  Interpreter run(n, s.universe);
  const State state{{s.on}, {Value(1), Value(0)}};
  TraceStep step = step_of(s.instance, e);
  step.chosen.emplace_back(0, Value(4));
  auto done = run.step(state, step);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->state.values, (std::vector<Value>{Value(4), Value(5)}));
  step.chosen[0].second = Value(1);
  auto refused = run.step(state, step);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, Refusal::Kind::Relation);
  step.chosen = {{0, Value(4)}, {1, Value(4)}};
  EXPECT_FALSE(run.step(state, step));
}

TEST(Interpreter, UndefinedTermsDisable) {
  auto s = counter_system(5);
  Network& n = *s.network;
  ExprPool& pool = n.pool();
  const EventId e = n.add_event("divide", s.machine, {});
  n.event(e).arcs.push_back({s.on, s.on, {}});
  const Expr x = pool.symbol(n.variable(s.x).current);
  n.event(e).effects.push_back(
      {EffectKind::Assign, {s.x}, pool.make(Op::IDiv, {pool.integer(6), x}), {}});
  Interpreter run(n, s.universe);
  auto undefined = run.step(counter_state(s, 0), step_of(s.instance, e));
  ASSERT_FALSE(undefined);
  EXPECT_EQ(undefined.error().kind, Refusal::Kind::Undefined);
  EXPECT_EQ(run.step(counter_state(s, 2), step_of(s.instance, e))->state, counter_state(s, 3));
}

TEST(Replay, FollowsRepetitionsAndNamesTheStepThatFails) {
  auto s = counter_system(100);
  Trace trace;
  trace.universe = s.universe;
  trace.initial = counter_state(s, 0);
  trace.steps.push_back(step_of(s.instance, s.inc, {Value(2)}));
  trace.steps.back().times = 50;
  trace.steps.push_back(step_of(s.instance, s.reset));
  auto good = replay(*s.network, trace);
  ASSERT_TRUE(good) << good.error().message;
  EXPECT_EQ(trace.length(), 51U);
  EXPECT_EQ(good->steps[0].after, counter_state(s, 100));
  EXPECT_EQ(good->steps[0].changed_slots, (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(good->final(), counter_state(s, 0));
  trace.steps[0].times = 51;
  auto bad = replay(*s.network, trace);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().step, 51U);
}

TEST(Replay, TakesManySteps) {
  auto s = counter_system(600'000);
  Trace trace;
  trace.universe = s.universe;
  trace.initial = counter_state(s, 0);
  trace.steps.push_back(step_of(s.instance, s.inc, {Value(3)}));
  trace.steps.back().times = 200'000;
  auto end = follow(*s.network, trace);
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(end->final, counter_state(s, 600'000));
}

}  // namespace
}  // namespace whittle
