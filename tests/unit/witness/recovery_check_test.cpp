// SPDX-License-Identifier: Apache-2.0
// Every part of the claims "from here it never holds again" and "there is always a way back" is
// looked at.
#include "witness/recovery_check.h"

#include <gtest/gtest.h>

#include "smt/solvers.h"

namespace whittle {
namespace {

// A number that can be raised, lowered while it is positive, and lost: then nothing changes it.
struct Rising {
  std::shared_ptr<ExprPool> pool = std::make_shared<ExprPool>();
  std::shared_ptr<Network> network = std::make_shared<Network>(pool);
  VariableId x;
  LocationId at_work, gone;
  EventId up, down, lose;
  InstanceId instance;
  UniverseId universe;
  PropertyId property;

  explicit Rising(bool can_be_lost) {
    x = network->add_variable("x", Type::integer(), {}, {});
    network->variable(x).initial = pool->integer(Integer(0));
    const MachineId machine = network->add_machine("Rising", {});
    at_work = network->add_location("at work", machine, {});
    gone = network->add_location("gone", machine, {});
    network->machine(machine).starts.push_back({"start", at_work, pool->boolean(true), {}});
    up = event(machine, "up", pool->add(value(), number(1)));
    down = event(machine, "down", pool->sub(value(), number(1)));
    network->event(down).guards.push_back({pool->gt(value(), number(0)), {}});
    if (can_be_lost) {
      lose = network->add_event("lose", machine, {});
      network->event(lose).arcs.push_back({at_work, gone, {}});
      network->event(lose).guards.push_back({pool->gt(value(), number(0)), {}});
    }
    universe = network->add_universe("one");
    instance = network->add_instance(universe, machine, Value(), "Rising");
    Property p;
    p.name = "zero";
    p.kind = PropertyKind::Recoverable;
    p.universe = universe;
    p.goal = RecoveryGoal{pool->eq(value(), number(0))};
    property = network->add_property(std::move(p));
  }

  EventId event(MachineId machine, const char* name, Expr after) {
    const EventId result = network->add_event(name, machine, {});
    network->event(result).arcs.push_back({at_work, at_work, {}});
    network->event(result).effects.push_back({EffectKind::Assign, {x}, after, {}});
    return result;
  }
  [[nodiscard]] Expr value() const { return pool->symbol(network->variable(x).current); }
  [[nodiscard]] Expr number(int n) const { return pool->integer(Integer(n)); }
  [[nodiscard]] Trace trace(const std::vector<EventId>& events) const {
    Trace result;
    result.universe = universe;
    result.initial = {{at_work}, {Value(Integer(0))}};
    for (EventId e : events) {
      TraceStep step;
      step.instance = instance;
      step.event = e;
      result.steps.push_back(std::move(step));
    }
    return result;
  }
  [[nodiscard]] Recovery recovery() const { return {*network, property, {}}; }
  [[nodiscard]] Expr at(LocationId location) const {
    return recovery().back().flat_condition(pool->symbol(network->at_instance(instance, location)));
  }
  // The value in the flat system.
  [[nodiscard]] Expr flat() const {
    const Recovery of = recovery();
    for (const StateVariable& variable : of.system().variables)
      if (variable.type == Type::integer()) return pool->symbol(variable.current);
    ADD_FAILURE() << "no number";
    return {};
  }
  [[nodiscard]] Continuation way(EventId event) const {
    const Recovery of = recovery();
    for (std::uint32_t t = 0; t < of.system().transitions.size(); ++t)
      if (of.back().event_of(t).second == event) return {{t, {}, {}}};
    ADD_FAILURE() << "no such transition";
    return {};
  }
};

smt::SolverFactory second_solver() {
  smt::SolverFactory::Settings settings;
  settings.id = smt::SolverId::Cvc5;
  return smt::SolverFactory(settings);
}

TEST(RecoveryCheck, NothingGoodFollows) {
  const Rising r(true);
  const auto accepted = [&](NoReturnClaim claim) {
    const auto checked = check_no_return(*r.network, r.property, claim, second_solver());
    return checked && checked->check.checked;
  };
  const Expr lost = r.pool->conj(r.at(r.gone), r.pool->gt(r.flat(), r.number(0)));
  EXPECT_TRUE(accepted({r.trace({r.up, r.lose}), {lost, 1, {}}}));
  EXPECT_TRUE(accepted({r.trace({r.up, r.lose}), {{}, 1, 1}}));
  // The state is not in the set; the set is not closed; a good state is in it.
  EXPECT_FALSE(accepted({r.trace({r.up}), {lost, 1, {}}}));
  EXPECT_FALSE(accepted({r.trace({r.up}), {r.pool->gt(r.flat(), r.number(0)), 1, {}}}));
  EXPECT_FALSE(accepted({r.trace({r.up, r.lose}), {r.at(r.gone), 1, {}}}));
  EXPECT_FALSE(accepted({r.trace({r.up, r.lose}), {r.pool->boolean(true), 1, {}}}));
  // No argument, a wrong number of states, no run, a run without an end.
  EXPECT_FALSE(accepted({r.trace({r.up, r.lose}), {}}));
  EXPECT_FALSE(accepted({r.trace({r.up, r.lose}), {{}, 1, 2}}));
  EXPECT_FALSE(accepted({r.trace({r.lose}), {lost, 1, {}}}));
  NoReturnClaim endless{r.trace({r.up, r.lose}), {lost, 1, {}}};
  endless.trace.loop = 2;
  EXPECT_FALSE(accepted(endless));
}

TEST(RecoveryCheck, WaysAndMeasure) {
  const Rising r(false);
  const auto accepted = [&](const Rising& of, WaysBackClaim claim) {
    const auto checked = check_ways_back(*of.network, of.property, claim, second_solver());
    return checked && checked->checked;
  };
  const FlatProof positive{r.pool->conj(r.at(r.at_work), r.pool->ge(r.flat(), r.number(0))), 1, {}};
  EXPECT_TRUE(accepted(r, {{r.way(r.down)}, {r.flat()}, positive}));
  // Without the measure, the way, or the invariant.
  EXPECT_FALSE(accepted(r, {{r.way(r.down)}, {}, positive}));
  EXPECT_FALSE(accepted(r, {{}, {r.flat()}, positive}));
  EXPECT_FALSE(accepted(r, {{r.way(r.down)}, {r.flat()}, {r.pool->boolean(true), 1, {}}}));
  // The other way; a measure that rises, that is negative, that does not change.
  EXPECT_FALSE(accepted(r, {{r.way(r.up)}, {r.flat()}, positive}));
  EXPECT_FALSE(accepted(r, {{r.way(r.down)}, {r.pool->minus(r.flat())}, positive}));
  EXPECT_FALSE(accepted(r, {{r.way(r.down)}, {r.pool->sub(r.flat(), r.number(5))}, positive}));
  EXPECT_FALSE(accepted(r, {{r.way(r.down)}, {r.number(3)}, positive}));
  // A number that rises counts before one that falls.
  EXPECT_TRUE(accepted(r, {{r.way(r.down)}, {r.number(3), r.flat()}, positive}));
  EXPECT_FALSE(accepted(r, {{r.way(r.down)}, {r.pool->minus(r.flat()), r.flat()}, positive}));
  // Where the number can be lost, the same does not do.
  const Rising lossy(true);
  EXPECT_FALSE(accepted(lossy, {{lossy.way(lossy.down)},
                                {lossy.flat()},
                                {lossy.pool->ge(lossy.flat(), lossy.number(0)), 1, {}}}));
}

TEST(RecoveryCheck, AllStatesReturn) {
  for (const bool can_be_lost : {false, true}) {
    Rising r(can_be_lost);
    r.network->event(r.up).guards.push_back({r.pool->lt(r.value(), r.number(3)), {}});
    const auto checked = [&](std::uint64_t states) {
      return check_all_return(*r.network, r.property, states, second_solver());
    };
    EXPECT_EQ(checked(4).has_value(), !can_be_lost);
    for (const std::uint64_t states : {0U, 3U, 5U, 7U}) EXPECT_FALSE(checked(states));
  }
}

}  // namespace
}  // namespace whittle
