// SPDX-License-Identifier: Apache-2.0
// Every part of the claims "it is stuck here" and "it is never stuck there" is looked at.
#include <gtest/gtest.h>

#include "smt/solvers.h"
#include "support/systems.h"
#include "witness/stuck_check.h"

namespace whittle {
namespace {

// `Waiter` goes from `waiting` to `gone` where open holds; `Opener` opens once, at `at work`,
// or breaks: then it does nothing any more.
struct Doors {
  std::shared_ptr<ExprPool> pool = std::make_shared<ExprPool>();
  std::shared_ptr<Network> network = std::make_shared<Network>(pool);
  VariableId open;
  LocationId waiting, gone, at_work, done, broken;
  EventId go, unlock, fail;
  InstanceId waiter, opener;
  UniverseId universe;
  PropertyId property;

  Doors() {
    open = network->add_variable("open", Type::boolean(), {}, {});
    network->variable(open).initial = pool->boolean(false);
    const MachineId one = network->add_machine("Waiter", {});
    const MachineId two = network->add_machine("Opener", {});
    waiting = network->add_location("waiting", one, {});
    gone = network->add_location("gone", one, {});
    network->location(gone).final = true;
    at_work = network->add_location("at work", two, {});
    done = network->add_location("done", two, {});
    broken = network->add_location("broken", two, {});
    network->machine(one).starts.push_back({"start", waiting, pool->boolean(true), {}});
    network->machine(two).starts.push_back({"start", at_work, pool->boolean(true), {}});
    const Expr is_open = pool->symbol(network->variable(open).current);
    go = network->add_event("go", one, {});
    network->event(go).arcs.push_back({waiting, gone, {}});
    network->event(go).guards.push_back({is_open, {}});
    unlock = network->add_event("unlock", two, {});
    network->event(unlock).arcs.push_back({at_work, done, {}});
    network->event(unlock).effects.push_back({EffectKind::Assign, {open}, pool->boolean(true), {}});
    fail = network->add_event("fail", two, {});
    network->event(fail).arcs.push_back({at_work, broken, {}});
    universe = network->add_universe("both");
    waiter = network->add_instance(universe, one, Value(), "Waiter");
    opener = network->add_instance(universe, two, Value(), "Opener");
    Property p;
    p.name = "node waiting";
    p.kind = PropertyKind::Sinkhole;
    p.universe = universe;
    p.goal = SinkholeGoal{waiting};
    property = network->add_property(std::move(p));
  }

  [[nodiscard]] Trace trace(const std::vector<EventId>& events) const {
    Trace result;
    result.universe = universe;
    result.initial = {{waiting, at_work}, {Value(false)}};
    for (EventId e : events) {
      TraceStep step;
      step.instance = e == go ? waiter : opener;
      step.event = e;
      result.steps.push_back(std::move(step));
    }
    return result;
  }
  [[nodiscard]] Moving moving() const { return {*network, property, waiter, {}}; }
  // Flat conditions.
  [[nodiscard]] Expr at(InstanceId instance, LocationId location) const {
    return moving().back().flat_condition(pool->symbol(network->at_instance(instance, location)));
  }
  [[nodiscard]] Expr is_open() const { return pool->symbol(network->variable(open).current); }
  [[nodiscard]] Expr closed_for_good() const {
    return pool->conj(pool->negate(is_open()), at(opener, broken));
  }
  [[nodiscard]] std::uint32_t transition(EventId event) const {
    const Moving m = moving();
    for (std::uint32_t t = 0; t < m.system().transitions.size(); ++t) {
      if (m.back().event_of(t).second == event) return t;
    }
    ADD_FAILURE() << "no such transition";
    return 0;
  }
};

smt::SolverFactory solvers() {
  smt::SolverFactory::Settings settings;
  settings.id = smt::SolverId::Cvc5;
  return smt::SolverFactory(settings);
}

TEST(StuckCheck, AcceptsWhatIsStuck) {
  Doors d;
  const StuckClaim by_invariant{d.waiter, d.trace({d.fail}), {d.closed_for_good(), 1, {}}};
  const auto checked = check_stuck(*d.network, d.property, by_invariant, solvers());
  ASSERT_TRUE(checked) << checked.error().reason;
  EXPECT_TRUE(checked->check.checked);
  const StuckClaim by_states{d.waiter, d.trace({d.fail}), {{}, 1, 1}};
  const auto counted = check_stuck(*d.network, d.property, by_states, solvers());
  ASSERT_TRUE(counted) << counted.error().reason;
  EXPECT_TRUE(counted->check.checked);
}

TEST(StuckCheck, RejectsWhatIsNotStuck) {
  Doors d;
  const auto accepted = [&](StuckClaim claim) {
    return check_stuck(*d.network, d.property, claim, solvers()).has_value();
  };
  const Expr shut = d.pool->negate(d.is_open());
  // The state is not among those of the argument.
  EXPECT_FALSE(accepted({d.waiter, d.trace({}), {d.closed_for_good(), 1, {}}}));
  // They are not closed under the steps of the others.
  EXPECT_FALSE(accepted({d.waiter, d.trace({}), {shut, 1, {}}}));
  // It can move in one of them.
  EXPECT_FALSE(accepted({d.waiter, d.trace({d.fail}), {d.pool->boolean(true), 1, {}}}));
  EXPECT_FALSE(accepted({d.waiter, d.trace({d.unlock}), {d.is_open(), 1, {}}}));
  // It is elsewhere; it is somebody else; there is no argument; the number of states is wrong.
  EXPECT_FALSE(accepted({d.waiter, d.trace({d.unlock, d.go}), {d.is_open(), 1, {}}}));
  EXPECT_FALSE(accepted({d.opener, d.trace({d.fail}), {d.closed_for_good(), 1, {}}}));
  EXPECT_FALSE(accepted({d.waiter, d.trace({d.fail}), {}}));
  EXPECT_FALSE(accepted({d.waiter, d.trace({d.fail}), {{}, 1, 2}}));
  EXPECT_FALSE(accepted({d.waiter, d.trace({}), {{}, 1, 4}}));
  // No run.
  EXPECT_FALSE(accepted({d.waiter, d.trace({d.fail, d.fail}), {d.closed_for_good(), 1, {}}}));
}

TEST(StuckCheck, ContinuationsCoverWhatCanWait) {
  Doors d;
  // Without `fail`, unlock and go is always possible.
  d.network->event(d.fail).arcs.clear();
  const std::uint32_t unlock = d.transition(d.unlock);
  const std::uint32_t go = d.transition(d.go);
  const Continuation both = {{unlock, {}, {}}, {go, {}, {}}};
  // Open, or the opener is still at work.
  const Expr reachable = d.pool->disj(d.is_open(), d.at(d.opener, d.at_work));
  const auto accepted = [&](NeverStuckClaim claim) {
    return check_never_stuck(*d.network, d.property, claim, solvers()).has_value();
  };
  EXPECT_TRUE(accepted({d.waiter, {both}, {reachable, 1, {}}}));
  EXPECT_FALSE(accepted({d.waiter, {}, {reachable, 1, {}}}));
  EXPECT_FALSE(accepted({d.waiter, {both}, {d.pool->boolean(true), 1, {}}}));
  EXPECT_FALSE(accepted({d.waiter, {both}, {d.is_open(), 1, {}}}));
  EXPECT_FALSE(accepted({d.waiter, {{{unlock, {}, {}}}}, {reachable, 1, {}}}));
  EXPECT_FALSE(accepted({d.waiter, {{}}, {reachable, 1, {}}}));
}

TEST(StuckCheck, ABrokenOpenerIsNotCovered) {
  Doors d;
  const Continuation both = {{d.transition(d.unlock), {}, {}}, {d.transition(d.go), {}, {}}};
  const Expr reachable = d.pool->disj(d.is_open(), d.at(d.opener, d.at_work));
  EXPECT_FALSE(
      check_never_stuck(*d.network, d.property, {d.waiter, {both}, {reachable, 1, {}}}, solvers()));
}

}  // namespace
}  // namespace whittle
