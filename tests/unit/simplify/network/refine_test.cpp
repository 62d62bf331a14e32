// SPDX-License-Identifier: Apache-2.0
// Each refinement on an account of a few lines.
#include "simplify/network/refine.h"

#include <gtest/gtest.h>

#include "ir/run/interpreter.h"
#include "simplify/network/free_inputs.h"

namespace whittle::simplify {
namespace {

// opened: deposit, withdraw; opened -freeze-> frozen -melt-> opened, deposit at both.
class Account : public ::testing::Test {
 protected:
  Account() : network(std::make_shared<Network>(std::make_shared<ExprPool>())) {
    machine = network->add_machine("Account", {});
    opened = network->add_location("opened", machine, {});
    frozen = network->add_location("frozen", machine, {});
    balance = network->add_variable("balance", Type::integer(), machine, {});
    limit = network->add_variable("limit", Type::integer(), machine, {});
    network->variable(balance).initial = pool().integer(10);
    network->variable(limit).initial = pool().integer(5);
    network->machine(machine).starts.push_back({"start", opened, pool().boolean(true), {}});
    universe = network->add_universe("one Account");
    instance = network->add_instance(universe, machine, Value(), "Account");
  }

  ExprPool& pool() { return network->pool(); }
  Expr now(VariableId v) { return pool().symbol(network->variable(v).current); }
  Expr number(int n) { return pool().integer(n); }

  EventId event(const std::string& name, LocationId from, LocationId to) {
    const EventId e = network->add_event(name, machine, {});
    network->event(e).arcs.push_back({from, to, {}});
    return e;
  }
  Expr input(EventId e, const std::string& name) {
    return pool().symbol(network->add_parameter(e, name, Type::integer(), {}));
  }
  void when(EventId e, Expr condition) { network->event(e).guards.push_back({condition, {}}); }
  void set(EventId e, VariableId v, Expr value) {
    network->event(e).effects.push_back({EffectKind::Assign, {v}, value, {}});
  }
  PropertyId reach(Expr condition) {
    Property p;
    p.name = "goal";
    p.set_condition(condition);
    p.universe = universe;
    return network->add_property(p);
  }
  Expr final_balance() { return pool().symbol(network->of_instance(instance, balance)); }

  std::optional<Transformed> refine(PropertyId p, Refinements which) {
    // Patient, so that a busy machine makes no difference.
    const Queries::Budget budget = {200, std::chrono::seconds(10), std::chrono::seconds(60)};
    Queries queries(pool(), smt::SolverFactory({}), budget);
    return refined(network, p, which, queries, counts);
  }
  // A lifted trace has to be one.
  void expect_lifts(const Transformed& result, const std::vector<TraceStep>& steps) {
    Trace trace;
    trace.universe = universe;
    trace.initial = State{{opened}, {Value(10), Value(5)}};
    trace.steps = steps;
    ASSERT_TRUE(follow(*result.network, trace)) << "no trace of the refined network";
    auto lifted = result.back->trace(trace);
    ASSERT_TRUE(lifted) << lifted.error();
    auto followed = follow(*network, *lifted);
    EXPECT_TRUE(followed) << followed.error().message;
    EXPECT_EQ(lifted->length(), trace.length());
  }

  std::shared_ptr<Network> network;
  MachineId machine;
  LocationId opened, frozen;
  VariableId balance, limit;
  UniverseId universe;
  InstanceId instance;
  RefineCounts counts;
};

constexpr Refinements kInputs{false, false, true, false, false};
constexpr Refinements kGuards{false, true, false, false, false};
constexpr Refinements kConstants{true, false, false, false, false};
constexpr Refinements kMerge{false, false, false, true, false};

TEST_F(Account, AnInputThatOnlyRestrictsItselfGoes) {
  const EventId e = event("deposit", opened, opened);
  const Expr amount = input(e, "amount");
  when(e, pool().gt(amount, number(0)));
  set(e, balance, pool().add(now(balance), number(1)));
  auto result = refine(reach(pool().eq(final_balance(), number(12))), kInputs);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->network->event(e).parameters.empty());
  EXPECT_TRUE(result->network->event(e).guards.empty());
  EXPECT_EQ(counts.inputs, 1U);
  EXPECT_EQ(counts.queries, 0U) << "the shape says it";
  TraceStep step;
  step.instance = instance;
  step.event = e;
  step.times = 2;
  expect_lifts(*result, {step});
}

TEST_F(Account, AnInputLeavesItsShadowOnTheState) {
  const EventId e = event("withdraw", opened, opened);
  const Expr amount = input(e, "amount");
  when(e, pool().gt(amount, number(7)));
  when(e, pool().le(amount, now(balance)));
  set(e, balance, pool().sub(now(balance), number(1)));
  auto result = refine(reach(pool().eq(final_balance(), number(7))), kInputs);
  ASSERT_TRUE(result);
  const Event& refined_event = result->network->event(e);
  ASSERT_EQ(refined_event.guards.size(), 1U);
  EXPECT_EQ(refined_event.guards[0].condition, pool().le(number(8), now(balance)));
  // The amount has to shrink with the balance: values are found step by step.
  TraceStep step;
  step.instance = instance;
  step.event = e;
  step.times = 3;
  expect_lifts(*result, {step});
}

TEST_F(Account, AnInputThatAnEffectReadsStays) {
  const EventId e = event("deposit", opened, opened);
  const Expr amount = input(e, "amount");
  when(e, pool().gt(amount, number(0)));
  set(e, balance, pool().add(now(balance), amount));
  EXPECT_FALSE(refine(reach(pool().eq(final_balance(), number(12))), kInputs));
}

TEST_F(Account, AConditionWithoutSolutionIsNotTakenForOneThatAlwaysHasOne) {
  const EventId e = event("odd", opened, opened);
  const Expr amount = input(e, "amount");
  // 2 * amount == balance has a solution only where the balance is even.
  when(e, pool().eq(pool().mul(number(2), amount), now(balance)));
  set(e, balance, pool().add(now(balance), number(1)));
  auto result = refine(reach(pool().eq(final_balance(), number(12))), kInputs);
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->network->event(e).guards.empty());
  Interpreter interpreter(*result->network, universe);
  TraceStep step;
  step.instance = instance;
  step.event = e;
  EXPECT_TRUE(interpreter.step(State{{opened}, {Value(10), Value(5)}}, step));
  EXPECT_FALSE(interpreter.step(State{{opened}, {Value(11), Value(5)}}, step));
}

TEST_F(Account, AGuardThatTheOthersImplyGoes) {
  const EventId e = event("deposit", opened, opened);
  const Expr amount = input(e, "amount");
  when(e, pool().gt(amount, number(5)));
  when(e, pool().gt(amount, number(0)));
  set(e, balance, pool().add(now(balance), amount));
  auto result = refine(reach(pool().eq(final_balance(), number(16))), kGuards);
  ASSERT_TRUE(result);
  ASSERT_EQ(result->network->event(e).guards.size(), 1U);
  EXPECT_EQ(result->network->event(e).guards[0].condition, pool().gt(amount, number(5)));
  EXPECT_EQ(counts.guards, 1U);
}

TEST_F(Account, AnEventWhoseGuardsContradictEachOtherNeverHappens) {
  const EventId e = event("never", opened, frozen);
  when(e, pool().gt(now(balance), number(5)));
  when(e, pool().lt(now(balance), number(5)));
  auto result = refine(reach(pool().eq(final_balance(), number(16))), kGuards);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->network->event(e).arcs.empty());
  EXPECT_EQ(counts.impossible, 1U);
}

TEST_F(Account, NoBudgetNoQuestions) {
  const EventId e = event("never", opened, frozen);
  when(e, pool().gt(now(balance), now(limit)));
  when(e, pool().lt(now(balance), now(limit)));
  Queries::Budget none;
  none.queries = 0;
  Queries queries(pool(), smt::SolverFactory({}), none);
  EXPECT_FALSE(
      refined(network, reach(pool().eq(final_balance(), number(16))), kGuards, queries, counts));
  EXPECT_EQ(counts.queries, 0U);
}

TEST_F(Account, EventsThatAreAlikeAreAskedAboutOnce) {
  for (const char* name : {"first", "second", "third"}) {
    const EventId e = event(name, opened, frozen);
    const Expr a = input(e, "a");
    const Expr b = input(e, "b");
    when(e, pool().gt(a, b));
    when(e, pool().lt(a, b));
  }
  ASSERT_TRUE(refine(reach(pool().eq(final_balance(), number(16))), kGuards));
  EXPECT_EQ(counts.impossible, 3U);
  EXPECT_EQ(counts.queries, 1U);
}

TEST_F(Account, AVariableThatNeverChangesIsItsValue) {
  const EventId e = event("deposit", opened, opened);
  when(e, pool().lt(now(balance), now(limit)));
  set(e, balance, pool().add(now(balance), number(1)));
  set(e, limit, now(limit));
  auto result = refine(reach(pool().eq(final_balance(), number(16))), kConstants);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->network->event(e).guards[0].condition, pool().lt(now(balance), number(5)));
  EXPECT_EQ(counts.constants, 1U);
  // What an invariant of the result rests on is said of the original.
  const Expr lifted = result->back->invariant(pool().boolean(true));
  EXPECT_EQ(lifted, pool().eq(pool().symbol(network->of_instance(instance, limit)), number(5)));
}

TEST_F(Account, AVariableThatIsSetToAnotherValueIsNoConstant) {
  const EventId e = event("deposit", opened, opened);
  when(e, pool().lt(now(balance), now(limit)));
  set(e, balance, pool().add(now(balance), number(1)));
  const EventId raise = event("raise", opened, opened);
  set(raise, limit, number(6));
  EXPECT_FALSE(refine(reach(pool().eq(final_balance(), number(16))), kConstants));
}

TEST_F(Account, LocationsThatBehaveAlikeMerge) {
  const EventId freeze = event("freeze", opened, frozen);
  const EventId melt = event("melt", frozen, opened);
  const EventId deposit = event("deposit", opened, opened);
  network->event(deposit).arcs.push_back({frozen, frozen, {}});
  set(deposit, balance, pool().add(now(balance), number(1)));
  auto result = refine(reach(pool().eq(final_balance(), number(12))), kMerge);
  ASSERT_TRUE(result);
  EXPECT_EQ(counts.locations, 1U);
  EXPECT_EQ(result->network->event(deposit).arcs.size(), 1U);
  EXPECT_TRUE(result->network->event(melt).arcs.empty());
  TraceStep one;
  one.instance = instance;
  one.event = freeze;
  one.times = 3;  // freeze, melt, freeze
  TraceStep two = one;
  two.event = deposit;
  two.times = 2;
  expect_lifts(*result, {one, two});
  // Being at the merged location means being at one of the two.
  const Expr at = pool().symbol(result->network->at_instance(instance, opened));
  const Expr either[] = {pool().symbol(network->at_instance(instance, opened)),
                         pool().symbol(network->at_instance(instance, frozen))};
  EXPECT_EQ(result->back->invariant(at), pool().disj(either));
}

TEST_F(Account, LocationsThatTheQuestionTellsApartStay) {
  event("freeze", opened, frozen);
  event("melt", frozen, opened);
  const Expr there = pool().symbol(network->at_instance(instance, frozen));
  EXPECT_FALSE(refine(reach(there), kMerge));
}

TEST_F(Account, LocationsWithDifferentConsequencesStay) {
  event("freeze", opened, frozen);
  event("melt", frozen, opened);
  const EventId deposit = event("deposit", opened, opened);
  set(deposit, balance, pool().add(now(balance), number(1)));
  EXPECT_FALSE(refine(reach(pool().eq(final_balance(), number(12))), kMerge));
}

TEST_F(Account, QuestionsAboutTheStructureAreLeftAlone) {
  const EventId e = event("deposit", opened, opened);
  when(e, pool().gt(input(e, "amount"), number(0)));
  Property p;
  p.kind = PropertyKind::DeadTransition;
  p.goal = ArcGoal{e};
  p.universe = universe;
  EXPECT_FALSE(refine(network->add_property(p), {}));
}

TEST(Solvable, DecidesByShape) {
  ExprPool pool;
  const SymbolId p = pool.declare("p", Type::integer());
  const SymbolId r = pool.declare("r", Type::real());
  const Expr x = pool.symbol(pool.declare("x", Type::integer()));
  const Expr y = pool.symbol(pool.declare("y", Type::integer()));
  const Expr u = pool.symbol(pool.declare("u", Type::real()));
  const Expr v = pool.symbol(pool.declare("v", Type::real()));
  const Expr P = pool.symbol(p);
  const Expr R = pool.symbol(r);
  auto ask = [&](std::vector<Expr> parts, SymbolId s) { return solvable(pool, parts, s); };

  EXPECT_EQ(ask({pool.gt(P, x), pool.ne(P, y)}, p), pool.boolean(true));
  EXPECT_EQ(ask({pool.eq(P, x), pool.lt(P, y)}, p), pool.lt(x, y));
  EXPECT_EQ(ask({pool.lt(u, R), pool.le(R, v)}, r), pool.lt(u, v));
  EXPECT_EQ(ask({pool.le(u, R), pool.le(R, v)}, r), pool.le(u, v));
  // Between whole numbers there has to be room for one.
  EXPECT_EQ(ask({pool.lt(x, P), pool.lt(P, y)}, p), pool.lt(pool.add(x, pool.integer(1)), y));
  // Not by shape: a gap between bounds, other terms, what may be undefined.
  EXPECT_EQ(ask({pool.gt(P, x), pool.lt(P, y), pool.ne(P, pool.integer(3))}, p), std::nullopt);
  EXPECT_EQ(ask({pool.gt(pool.mul(P, P), x)}, p), std::nullopt);
  EXPECT_EQ(ask({pool.gt(P, pool.make(Op::IDiv, {x, y}))}, p), std::nullopt);
}

}  // namespace
}  // namespace whittle::simplify
