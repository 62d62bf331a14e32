// SPDX-License-Identifier: Apache-2.0
#include "absint/reachable.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "absint/cases.h"
#include "expr/evaluate.h"
#include "unit/absint/control_systems.h"

namespace whittle::absint {
namespace {

using test::ControlSystem;

std::vector<Expr> conditions(ControlSystem& made, std::size_t disjuncts) {
  ReachableOptions options;
  options.disjuncts = disjuncts;
  const ControlGraph graph(made.system());
  auto found = reachable_states(made.system(), graph, options, [] { return false; });
  return found ? std::move(found->conditions) : std::vector<Expr>();
}

// Does the condition hold for x0 = value?
bool allows(ControlSystem& made, Expr condition, int value) {
  ExprPool& pool = made.pool();
  Substitution put(pool);
  put.set(pool.symbol_of(made.number(0)), pool.integer(value));
  const Expr closed = put(condition);
  EXPECT_TRUE(pool.is_const(closed));
  return pool.is_true(closed);
}

std::set<int> allowed(ControlSystem& made, Expr condition, int low, int high) {
  std::set<int> result;
  for (int value = low; value <= high; ++value) {
    if (allows(made, condition, value)) result.insert(value);
  }
  return result;
}

// 0 -> 1 or 2 -> 3, with 2 and 7 at the end.
ControlSystem diamond() {
  ControlSystem made(4, 1);
  made.edge(0, 1, {}, {{0, made.pool().integer(2)}});
  made.edge(0, 2, {}, {{0, made.pool().integer(7)}});
  made.edge(1, 3);
  made.edge(2, 3);
  return made;
}

TEST(Reachable, JoinIsConvexUnlessDisjunctsAreAllowed) {
  ControlSystem made = diamond();
  EXPECT_EQ(allowed(made, conditions(made, 1)[3], -9, 9), (std::set<int>{2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(allowed(made, conditions(made, 2)[3], -9, 9), (std::set<int>{2, 7}));
}

TEST(Reachable, MoreThanTheLimitAreJoined) {
  ControlSystem made(2, 1);
  for (int value : {1, 3, 5}) made.edge(0, 1, {}, {{0, made.pool().integer(value)}});
  EXPECT_EQ(allowed(made, conditions(made, 3)[1], -9, 9), (std::set<int>{1, 3, 5}));
  EXPECT_EQ(allowed(made, conditions(made, 2)[1], -9, 9), (std::set<int>{1, 2, 3, 4, 5}));
}

TEST(Reachable, NodesOfCyclesHaveOneShape) {
  ControlSystem made = diamond();
  made.loop(3, 0, 1, 9);
  EXPECT_EQ(allowed(made, conditions(made, 8)[3], -9, 19), (std::set<int>{2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(Reachable, AlternativesOfAGuardStayApart) {
  ControlSystem made(3, 1);
  ExprPool& pool = made.pool();
  const Expr x = made.number(0);
  made.loop(0, 0, 1, 10);
  made.edge(0, 1, pool.negate(pool.eq(x, pool.integer(4))));
  made.edge(1, 2, pool.disj(pool.lt(x, pool.integer(2)), pool.lt(pool.integer(8), x)));
  const std::vector<Expr> at = conditions(made, 8);
  EXPECT_EQ(allowed(made, at[1], -9, 19), (std::set<int>{0, 1, 2, 3, 5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(allowed(made, at[2], -9, 19), (std::set<int>{0, 1, 9, 10}));
}

TEST(Reachable, DisjunctsOfOtherProcessesAreTheSame) {
  ControlSystem made(6, 2);
  ExprPool& pool = made.pool();
  for (std::uint32_t loop : {1U, 2U, 3U}) {
    made.edge(0, loop);
    made.loop(loop, 0, static_cast<int>(loop), 10);
    made.edge(loop, 4, pool.lt(pool.integer(9), made.number(0)),
              {{1, pool.integer(static_cast<int>(10 * loop))}});
  }
  made.edge(4, 5);
  const ControlGraph graph(made.system());
  ReachableOptions options;
  options.disjuncts = 8;
  const auto alone = reachable_states(made.system(), graph, options, [] { return false; });
  options.parallelism = {2, {}, std::chrono::microseconds(0), std::chrono::microseconds(0)};
  const auto shared = reachable_states(made.system(), graph, options, [] { return false; });
  ASSERT_TRUE(alone && shared);
  EXPECT_EQ(alone->conditions, shared->conditions);
  EXPECT_EQ(pool.op(alone->conditions[5]), Op::Or);
}

// On acyclic graphs conditions are exact (la Fleur 2018, lemma 4): the same numbers as a walk over
// the graph finds, number by number. A limit of some shapes gives more, never less.
TEST(Reachable, RandomAcyclicSystemsAreExact) {
  constexpr int kMost = 40;
  std::mt19937_64 random(17);
  auto pick = [&](std::uint64_t below) { return static_cast<int>(random() % below); };
  std::size_t gaps = 0;
  for (int run = 0; run < 200; ++run) {
    const std::uint32_t nodes = 3 + static_cast<std::uint32_t>(pick(4));
    ControlSystem made(nodes, 1);
    ExprPool& pool = made.pool();
    const Expr x = made.number(0);
    std::vector<std::set<int>> exact(nodes);
    exact[0] = {0};
    // By target, so that what arrives at a node is complete before it goes on.
    for (std::uint32_t to = 1; to < nodes; ++to) {
      for (int e = 1 + pick(3); e > 0; --e) {
        const auto from = static_cast<std::uint32_t>(pick(to));
        const int low = pick(13) - 6, high = pick(13) - 6, by = pick(9) - 4;
        const int kind = pick(4);
        const Expr below = pool.lt(x, pool.integer(low)), above = pool.lt(pool.integer(high), x);
        const Expr guard = kind == 0   ? pool.boolean(true)
                           : kind == 1 ? pool.disj(below, above)
                           : kind == 2 ? pool.negate(pool.eq(x, pool.integer(low)))
                                       : pool.implies(below, above);
        made.edge(from, to, guard, {{0, pool.add(x, pool.integer(by))}});
        for (int value : exact[from]) {
          const bool passes = kind == 0   ? true
                              : kind == 1 ? value < low || value > high
                              : kind == 2 ? value != low
                                          : value >= low || value > high;
          if (passes) exact[to].insert(value + by);
        }
      }
    }
    const ControlGraph graph(made.system());
    const std::vector<Expr> all = conditions(made, 1'000), some = conditions(made, 2);
    for (std::uint32_t n = 0; n < graph.size(); ++n) {
      std::uint32_t node = 0;
      while (graph.is_at(n) != made.at(node)) ++node;
      EXPECT_EQ(allowed(made, all[n], -kMost, kMost), exact[node]) << "run " << run;
      for (int value : exact[node]) EXPECT_TRUE(allows(made, some[n], value)) << "run " << run;
      const auto& values = exact[node];
      gaps +=
          !values.empty() && *values.rbegin() - *values.begin() >= static_cast<int>(values.size());
    }
  }
  EXPECT_GE(gaps, 100U);  // otherwise convex shapes would have done
}

TEST(Cases, EachIsWithoutDisjunctionsAndTogetherTheyAreTheCondition) {
  ExprPool pool;
  const auto number = [&](const char* name) {
    return pool.symbol(pool.declare(name, Type::integer()));
  };
  const Expr x = number("x"), y = number("y"), zero = pool.integer(0);
  const Expr a = pool.lt(x, zero), b = pool.lt(zero, y), c = pool.eq(x, y);
  EXPECT_EQ(cases_of(pool, {pool.disj(a, b), c}, 8),
            (std::vector<std::vector<Expr>>{{a, c}, {b, c}}));
  EXPECT_EQ(cases_of(pool, {pool.negate(c)}, 8),
            (std::vector<std::vector<Expr>>{{pool.lt(x, y)}, {pool.lt(y, x)}}));
  // No room for them: as it was.
  EXPECT_EQ(cases_of(pool, {pool.disj(a, b), c}, 1),
            (std::vector<std::vector<Expr>>{{pool.disj(a, b), c}}));
  EXPECT_TRUE(cases_of(pool, {a, pool.boolean(false)}, 8).empty());
}

}  // namespace
}  // namespace whittle::absint
