// SPDX-License-Identifier: Apache-2.0
#include "absint/packs.h"

#include <gtest/gtest.h>

#include <random>

#include "absint/reachable.h"
#include "expr/traverse.h"
#include "unit/absint/control_systems.h"

namespace whittle::absint {
namespace {

using test::ControlSystem;
using Packs = std::vector<std::vector<std::uint32_t>>;

Packs packs_of(ControlSystem& made, std::size_t most) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t v = 1; v < made.system().variables.size(); ++v) numbers.push_back(v);
  return packs(made.system(), numbers, most);
}

// x0 and x2 together in the goal, x2 and x3 in an update, x4 and x5 far from it, x1 alone.
TEST(Packs, GoalFirstThenWhatTouchesIt) {
  ControlSystem made(1, 6);
  ExprPool& pool = made.pool();
  made.edge(0, 0, pool.lt(made.number(4), made.number(5)),
            {{1, pool.integer(3)}, {3, pool.add(made.number(2), pool.integer(1))}});
  made.system().goal.condition = pool.lt(made.number(0), made.number(2));
  EXPECT_EQ(packs_of(made, 3), (Packs{{1, 3, 4}, {5, 6}}));
  EXPECT_EQ(packs_of(made, 2), (Packs{{1, 3}, {3, 4}, {5, 6}}));
}

TEST(Packs, TermsAboutTooManyRelateNothing) {
  ControlSystem made(1, 3);
  ExprPool& pool = made.pool();
  made.edge(0, 0, pool.lt(made.number(0), pool.add(made.number(1), made.number(2))));
  EXPECT_EQ(packs_of(made, 2), Packs{});
  EXPECT_EQ(packs_of(made, 3), (Packs{{1, 2, 3}}));
}

// x0 < x1 lets x0 and x2 grow, two others of a hundred along with each; x2 == 2 x0 <= 2 x1 is the
// goal's concern. A box does not know it.
TEST(Packs, AFewOfAHundredVariables) {
  ControlSystem made(2, 100);
  ExprPool& pool = made.pool();
  made.edge(0, 1, {}, {{1, pool.integer(1'000)}});
  ControlSystem::Updates updates = {{0, pool.add(made.number(0), pool.integer(1))},
                                    {2, pool.add(made.number(2), pool.integer(2))}};
  for (std::uint32_t i = 3; i < 100; ++i)
    updates.emplace_back(i, pool.add(made.number(i), made.number(3 + (7 * i) % 97)));
  made.edge(1, 1, pool.lt(made.number(0), made.number(1)), updates);
  made.system().goal.condition =
      pool.negate(pool.eq(made.number(2), pool.add(made.number(0), made.number(0))));
  const ControlGraph graph(made.system());
  ReachableOptions options;
  const auto found = reachable_states(made.system(), graph, options, [] { return false; });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->excludes_goal, (std::vector<char>{1, 1}));
  options.pack = 0;
  const auto boxes = reachable_states(made.system(), graph, options, [] { return false; });
  ASSERT_TRUE(boxes);
  EXPECT_EQ(boxes->excludes_goal, (std::vector<char>{1, 0}));
}

// Whatever random runs reach is allowed by the packs, of which each knows a part.
TEST(Packs, RandomRunsStayWithin) {
  std::mt19937_64 random(5);
  std::size_t states = 0, relations = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    ControlSystem made = test::random_control_system(seed);
    ExprPool& pool = made.pool();
    made.system().goal.condition = pool.boolean(true);  // otherwise boxes are enough
    const TransitionSystem& system = made.system();
    const ControlGraph graph(system);
    ReachableOptions options;
    options.polyhedra = 0;
    options.pack = 2;
    const auto found = reachable_states(system, graph, options, [] { return false; });
    ASSERT_TRUE(found);
    const Expr invariant = joined(system, graph, found->conditions);
    options.pack = 0;
    const auto boxes = reachable_states(system, graph, options, [] { return false; });
    ASSERT_TRUE(boxes);
    relations += boxes->conditions != found->conditions ? 1 : 0;
    for (int run = 0; run < 20; ++run) {
      std::vector<Expr> now = {pool.constant(EnumValue{0}, system.variables[0].type)};
      now.resize(system.variables.size(), pool.integer(0));
      for (int step = 0; step < 15; ++step) {
        Substitution here(pool);
        for (std::size_t v = 0; v < now.size(); ++v) here.set(system.variables[v].current, now[v]);
        ASSERT_TRUE(pool.is_true(here(invariant))) << "seed " << seed;
        ++states;
        std::vector<const Transition*> possible;
        for (const Transition& t : system.transitions)
          if (pool.is_true(here(t.guard))) possible.push_back(&t);
        if (possible.empty()) break;
        for (const Update& update : possible[random() % possible.size()]->updates)
          now[update.variable] = here(update.value);
      }
    }
  }
  EXPECT_GT(states, 10'000U);
  EXPECT_GT(relations, 20U);
}

}  // namespace
}  // namespace whittle::absint
