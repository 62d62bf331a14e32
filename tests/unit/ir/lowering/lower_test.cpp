// SPDX-License-Identifier: Apache-2.0
#include "ir/lowering/lower.h"

#include <gtest/gtest.h>

#include "expr/print.h"
#include "expr/traverse.h"
#include "ir/run/explicit_search.h"
#include "ir/run/flat_run.h"
#include "ir/run/interpreter.h"
#include "support/flat_search.h"
#include "support/systems.h"

namespace whittle {
namespace {

// Ints from -1 to 5.
Candidates small_ints() {
  return [](Type type, SymbolId) -> std::optional<std::vector<Value>> {
    if (type == Type::boolean()) return std::vector<Value>{Value(false), Value(true)};
    std::vector<Value> values;
    for (int i = -1; i <= 5; ++i) values.emplace_back(i);
    return values;
  };
}

PropertyId add_property(Network& n, PropertyKind kind, UniverseId universe,
                        const std::function<void(Property&)>& fill) {
  Property p;
  p.name = "added";
  p.kind = kind;
  p.universe = universe;
  fill(p);
  return n.add_property(std::move(p));
}

TEST(Lower, OneLocationNeedsNoVariable) {
  auto s = test::counter_system(5);
  const Lowered lowered = lower(*s.network, s.below);
  const TransitionSystem& system = lowered.system;
  ASSERT_EQ(system.variables.size(), 1U);
  EXPECT_EQ(system.variables[0].name, "Counter.x");
  ASSERT_EQ(system.transitions.size(), 2U);
  EXPECT_EQ(system.transitions[0].inputs, std::vector<SymbolId>{s.by});
  ASSERT_EQ(system.transitions[0].updates.size(), 1U);
  EXPECT_TRUE(system.transitions[0].open.empty());
  EXPECT_TRUE(system.pool->is_true(system.transitions[0].relation));
  EXPECT_EQ(lowered.back->event_of(1), std::pair(s.instance, s.reset));
  EXPECT_EQ(to_string(*system.pool, system.init), "Counter.x == 0");
  EXPECT_EQ(to_string(*system.pool, system.goal.condition), "Counter.x >= 5");
}

TEST(Lower, CallsAreOneCasePerInstance) {
  auto s = test::bank_system(2, 1);
  const Lowered lowered = lower(*s.network, s.booked_in_4);
  std::size_t book = 0;
  std::size_t fail = 0;
  for (std::uint32_t t = 0; t < lowered.system.transitions.size(); ++t) {
    book += lowered.back->event_of(t).second == s.book ? 1 : 0;
    fail += lowered.back->event_of(t).second == s.fail ? 1 : 0;
  }
  // From one account to another; the same account twice is a conflict.
  EXPECT_EQ(book, 2U);
  // A negated call moves nobody: no cases.
  EXPECT_EQ(fail, 1U);
}

TEST(Lower, LeastDepthsAgreeWithTheInterpreter) {
  auto s = test::bank_system(2, 1);
  for (PropertyId p : {s.booked_in_4, s.booked_in_3}) {
    const Lowered lowered = lower(*s.network, p);
    SearchOptions options;
    options.candidates = [](Type, SymbolId) {
      return std::vector<Value>{Value(0), Value(1), Value(2)};
    };
    const Property& property = s.network->property(p);
    const SearchResult expected =
        explicit_search(*s.network, s.universe, property.condition(), property.bound, options);
    Stepper stepper(*s.network, s.universe);
    std::vector<FlatState> first;
    for (const State& state : first_states(stepper, options)) {
      first.push_back(lowered.back->flat_state(state));
    }
    const auto found = test::flat_search(lowered.system, first, options.candidates, 10, 100'000);
    ASSERT_EQ(found.trace.has_value(), expected.trace.has_value());
    EXPECT_EQ(found.trace.has_value(), p == s.booked_in_4);
    if (!found.trace) continue;
    EXPECT_FALSE(flat_trace_problem(lowered.system, *found.trace));
    const Trace trace = lowered.back->trace(*found.trace);
    EXPECT_EQ(trace.length(), 4U);
    auto end = follow(*s.network, trace);
    ASSERT_TRUE(end) << end.error().message;
    EXPECT_EQ(end->final.locations.back(), s.booked);
  }
}

TEST(Lower, TheRiverNeedsSevenCrossings) {
  auto s = test::river_system();
  const Lowered lowered = lower(*s.network, s.all_right);
  const State first{s.left, {}};
  const auto found =
      test::flat_search(lowered.system, {lowered.back->flat_state(first)}, small_ints(), 20, 1'000);
  ASSERT_TRUE(found.trace);
  EXPECT_EQ(found.trace->steps.size(), 7U);
  EXPECT_TRUE(follow(*s.network, lowered.back->trace(*found.trace)));
}

TEST(Lower, ConditionsGoBothWays) {
  auto s = test::bank_system(2, 1);
  Network& n = *s.network;
  const Lowered lowered = lower(n, s.booked_in_4);
  const Expr flat = lowered.system.goal.condition;
  const Expr back = lowered.back->condition(flat);
  EXPECT_EQ(back, n.property(s.booked_in_4).condition());
  EXPECT_EQ(lowered.back->flat_condition(back), flat);
  // Two locations compared with each other.
  ExprPool& pool = n.pool();
  std::vector<Expr> at;
  for (const StateVariable& v : lowered.system.variables) {
    if (v.name == "Account[1]@" || v.name == "Account[2]@") at.push_back(pool.symbol(v.current));
  }
  const Expr same = lowered.back->condition(pool.eq(at[0], at[1]));
  Interpreter run(n, s.universe);
  State state;
  state.locations = {s.opened, s.opened, s.fresh};
  state.values.assign(8, Value(0));
  EXPECT_TRUE(run.evaluate(same, state)->as_bool());
  state.locations[0] = s.closed;
  EXPECT_FALSE(run.evaluate(same, state)->as_bool());
}

TEST(Lower, DanglingReferencesDisable) {
  auto s = test::counter_system(5);
  Network& n = *s.network;
  ExprPool& pool = n.pool();
  const MachineId other = n.add_machine("Other", {});
  const VariableId key = n.add_variable("key", Type::integer(), other, {});
  n.machine(other).key = key;
  const VariableId y = n.add_variable("y", Type::integer(), other, {});
  const LocationId l = n.add_location("l", other, {});
  n.machine(other).starts.push_back({"start l", l, {}, {}});
  n.add_instance(s.universe, other, Value(1), "Other[1]");
  n.add_instance(s.universe, other, Value(2), "Other[2]");
  // x := Other[x].y, and a guard that is defined everywhere: x == 0 or Other[x].y > 0
  const EventId e = n.add_event("fetch", s.machine, {});
  n.event(e).arcs.push_back({s.on, s.on, {}});
  const Expr x = pool.symbol(n.variable(s.x).current);
  const Expr far = pool.apply(n.remote(y), std::vector<Expr>{x});
  n.event(e).guards.push_back(
      {pool.disj(pool.eq(x, pool.integer(0)), pool.gt(far, pool.integer(0))), {}});
  n.event(e).effects.push_back({EffectKind::Assign, {s.x}, far, {}});
  ASSERT_TRUE(well_formedness_problems(n).empty());
  const Lowered lowered = lower(n, s.below);
  FlatRun run(lowered.system);
  for (int x_value = -1; x_value <= 3; ++x_value) {
    FlatState state{Value(x_value), Value(4), Value(-4)};  // Counter.x, Other[1].y, Other[2].y
    FlatStep step;
    step.transition = 2;
    EXPECT_EQ(!run.advance(state, step).has_value(), x_value == 1) << x_value;
    if (x_value == 1) {
      EXPECT_EQ(state[0], Value(4));
    }
  }
}

TEST(Lower, EquationsAreUpdatesAndTheRestStaysOpen) {
  auto s = test::counter_system(5);
  Network& n = *s.network;
  ExprPool& pool = n.pool();
  const VariableId y = n.add_variable("y", Type::integer(), s.machine, {});
  const EventId e = n.add_event("jump", s.machine, {});
  n.event(e).arcs.push_back({s.on, s.on, {}});
  const Expr x = pool.symbol(n.variable(s.x).current);
  const Expr next_x = pool.symbol(n.variable(s.x).next);
  const Expr next_y = pool.symbol(n.variable(y).next);
  // x' == 6 / x and y' > x'
  n.event(e).effects.push_back(
      {EffectKind::Relation,
       {s.x, y},
       pool.conj(pool.eq(next_x, pool.make(Op::IDiv, {pool.integer(6), x})),
                 pool.gt(next_y, next_x)),
       {}});
  const Lowered lowered = lower(n, s.below);
  const Transition& t = lowered.system.transitions[2];
  ASSERT_EQ(t.updates.size(), 1U);
  EXPECT_EQ(t.open, std::vector<std::uint32_t>{1});
  FlatRun run(lowered.system);
  FlatStep step;
  step.transition = 2;
  step.open = {{1, Value(4)}};
  FlatState state{Value(2), Value(0)};
  EXPECT_FALSE(run.advance(state, step));
  EXPECT_EQ(state, (FlatState{Value(3), Value(4)}));
  state = {Value(1), Value(0)};
  EXPECT_TRUE(run.advance(state, step));  // 4 > 6 is wrong
  state = {Value(0), Value(0)};
  EXPECT_TRUE(run.advance(state, step));  // 6 / 0
}

TEST(Lower, DeadTransitionsEndWithTheStepItself) {
  auto s = test::counter_system(5);
  const PropertyId p = add_property(*s.network, PropertyKind::DeadTransition, s.universe,
                                    [&](Property& property) { property.goal = ArcGoal{s.reset}; });
  const Lowered lowered = lower(*s.network, p);
  const auto found = test::flat_search(lowered.system, {{Value(0)}}, small_ints(), 10, 1'000);
  ASSERT_TRUE(found.trace);
  EXPECT_EQ(found.trace->steps.size(), 1U);
  const Trace trace = lowered.back->trace(*found.trace);
  ASSERT_EQ(trace.length(), 2U);
  EXPECT_EQ(trace.steps.back().event, s.reset);
  EXPECT_TRUE(follow(*s.network, trace));
}

TEST(Lower, DeadlockAndSinkholeWithoutParameters) {
  auto s = test::chain_system(3);
  Network& n = *s.network;
  const PropertyId deadlock =
      add_property(n, PropertyKind::Deadlock, s.universe,
                   [](Property& property) { property.goal = DeadlockGoal{}; });
  const PropertyId sinkhole =
      add_property(n, PropertyKind::Sinkhole, s.universe,
                   [&](Property& property) { property.goal = SinkholeGoal{s.locations[1]}; });
  auto depth_of = [&](PropertyId p) -> std::optional<std::size_t> {
    const Lowered lowered = lower(n, p);
    const State first{{s.locations[0]}, {Value(0)}};
    const auto found = test::flat_search(lowered.system, {lowered.back->flat_state(first)},
                                         small_ints(), 10, 1'000);
    if (!found.trace) return std::nullopt;
    return found.trace->steps.size();
  };
  EXPECT_EQ(depth_of(deadlock), 3U);
  EXPECT_EQ(depth_of(sinkhole), std::nullopt);
  n.location(s.locations.back()).final = true;
  EXPECT_EQ(depth_of(deadlock), std::nullopt);
  n.event(s.events[1]).guards.push_back({n.pool().boolean(false), {}});
  EXPECT_EQ(depth_of(deadlock), 1U);
  EXPECT_EQ(depth_of(sinkhole), 1U);
}

TEST(Lower, EliminationIsAskedForOnlyWhatDepends) {
  auto s = test::counter_system(5);
  Network& n = *s.network;
  const PropertyId p = add_property(n, PropertyKind::Deadlock, s.universe,
                                    [](Property& property) { property.goal = DeadlockGoal{}; });
  EXPECT_THROW((void)lower(n, p), ResourceError);
  LowerOptions options;
  std::vector<std::string> asked;
  options.eliminate = [&](Expr body, std::span<const SymbolId> symbols) -> std::optional<Expr> {
    asked.push_back(to_string(n.pool(), body));
    EXPECT_EQ(symbols.size(), 1U);
    // 1 <= by <= 3 and x + by <= 5 for some by
    return n.pool().le(n.pool().symbol(n.of_instance(s.instance, s.x)), n.pool().integer(4));
  };
  const Lowered lowered = lower(n, p, options);
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0], "by >= 1 && by <= 3 && Counter.x + by <= 5");
  FlatRun run(lowered.system);
  EXPECT_FALSE(run.holds(lowered.system.goal.condition, {Value(4)}));
  EXPECT_FALSE(run.holds(lowered.system.goal.condition, {Value(5)}));  // reset
}

TEST(Lower, UnsatRelationAsksForANextState) {
  auto s = test::counter_system(5);
  Network& n = *s.network;
  ExprPool& pool = n.pool();
  const EventId e = n.add_event("half", s.machine, {});
  n.event(e).arcs.push_back({s.on, s.on, {}});
  const SymbolId by = n.add_parameter(e, "by", Type::integer(), {});
  const Expr x = pool.symbol(n.variable(s.x).current);
  const Expr next_x = pool.symbol(n.variable(s.x).next);
  n.event(e).guards.push_back({pool.ge(pool.symbol(by), pool.integer(0)), {}});
  n.event(e).effects.push_back({EffectKind::Relation,
                                {s.x},
                                pool.eq(next_x, pool.make(Op::IDiv, {x, pool.symbol(by)})),
                                {}});
  const PropertyId p = add_property(n, PropertyKind::UnsatRelation, s.universe,
                                    [&](Property& property) { property.goal = RelationGoal{e}; });
  const Lowered lowered = lower(n, p);
  ASSERT_EQ(lowered.system.goal.inputs, std::vector<SymbolId>{by});
  FlatRun run(lowered.system);
  const Goal& goal = lowered.system.goal;
  EXPECT_TRUE(run.holds(goal.condition, {Value(3)}, goal.inputs, {Value(0)}));
  EXPECT_FALSE(run.holds(goal.condition, {Value(3)}, goal.inputs, {Value(1)}));
  EXPECT_FALSE(run.holds(goal.condition, {Value(3)}, goal.inputs, {Value(-1)}));
}

TEST(Lower, LimitsTheNumberOfTransitions) {
  auto s = test::bank_system(4, 4);
  LowerOptions options;
  options.max_transitions = 20;
  EXPECT_THROW((void)lower(*s.network, s.booked_in_4, options), ResourceError);
}

TEST(Lower, TakesLongChains) {
  auto s = test::chain_system(30'000);
  const Lowered lowered = lower(*s.network, s.at_end);
  EXPECT_EQ(lowered.system.transitions.size(), 30'000U);
}

}  // namespace
}  // namespace whittle
