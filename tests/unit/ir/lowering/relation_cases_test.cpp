// SPDX-License-Identifier: Apache-2.0
// Relations split into cases: the same steps, with next values that are computed.
#include "ir/lowering/relation_cases.h"

#include <gtest/gtest.h>

#include "expr/traverse.h"
#include "ir/run/flat_run.h"

namespace whittle {
namespace {

// x, y: Int and b: Bool start at 0, 0, false; one transition leaves all open.
struct OpenSystem {
  OpenSystem() {
    system.pool = std::make_shared<ExprPool>();
    add("x", Type::integer());
    add("y", Type::integer());
    add("b", Type::boolean());
    system.init = pool().boolean(true);
    system.goal.condition = pool().boolean(false);
    Transition t;
    t.name = "t";
    t.guard = pool().boolean(true);
    t.open = {0, 1, 2};
    system.transitions.push_back(std::move(t));
  }
  ExprPool& pool() { return *system.pool; }
  void add(const std::string& name, Type type) {
    system.variables.push_back(
        {name, type, pool().declare(name, type), pool().declare(name + "'", type)});
  }
  Expr now(std::uint32_t v) { return pool().symbol(system.variables[v].current); }
  Expr next(std::uint32_t v) { return pool().symbol(system.variables[v].next); }
  Expr number(int n) { return pool().integer(Integer(n)); }
  void relate(const std::vector<Expr>& conjuncts) {
    system.transitions[0].relation = pool().conj(conjuncts);
  }
  TransitionSystem system;
};

// All values of x', y' in -1..3 and of b' that the relation allows are what the cases allow.
void expect_same_steps(OpenSystem& s, const RelationCases& cases) {
  FlatRun whole(s.system);
  FlatRun split(cases.system);
  int steps = 0;
  for (int code = 0; code < 5 * 5 * 2 * 8; ++code) {
    const FlatState before = {Value(Integer(code / 50 % 2)), Value(Integer(code / 100 % 2)),
                              Value(code / 200 % 2 == 1)};
    const FlatState after = {Value(Integer(code % 5 - 1)), Value(Integer(code / 5 % 5 - 1)),
                             Value(code / 25 % 2 == 1)};
    FlatStep step;
    for (std::uint32_t v = 0; v < 3; ++v) step.open.emplace_back(v, after[v]);
    FlatState state = before;
    const bool expected = !whole.advance(state, step);
    bool actual = false;
    for (std::uint32_t t = 0; t < cases.system.transitions.size(); ++t) {
      FlatStep part;
      part.transition = t;
      for (std::uint32_t v : cases.system.transitions[t].open) part.open.emplace_back(v, after[v]);
      FlatState reached = before;
      if (!split.holds(cases.system.transitions[t].guard, before)) continue;
      actual |= !split.advance(reached, part) && reached == after;
    }
    EXPECT_EQ(actual, expected) << "step " << code;
    steps += expected ? 1 : 0;
  }
  EXPECT_GT(steps, 0);
}

bool all_computed(const RelationCases& cases) {
  for (const Transition& t : cases.system.transitions) {
    if (!t.open.empty() || t.relation.valid()) return false;
  }
  return true;
}

TEST(RelationCases, ImplicationsForAllCasesComputeNextValues) {
  OpenSystem s;
  ExprPool& pool = s.pool();
  const Expr one = pool.implies(s.now(2), pool.eq(s.next(0), s.number(1)));
  const Expr other = pool.implies(pool.negate(s.now(2)), pool.eq(s.next(0), s.number(2)));
  s.relate({one, other, pool.eq(s.next(1), s.next(0)), pool.negate(s.next(2))});
  const RelationCases cases = split_relations(s.system);
  EXPECT_EQ(cases.system.transitions.size(), 2U);
  EXPECT_TRUE(all_computed(cases));
  expect_same_steps(s, cases);
}

TEST(RelationCases, ConditionalsAndAlternatives) {
  OpenSystem s;
  ExprPool& pool = s.pool();
  const Expr up = pool.eq(s.next(0), pool.add(s.now(0), s.number(1)));
  const Expr stays = pool.eq(s.next(0), s.now(0));
  const Expr zero = pool.conj(pool.eq(s.next(1), s.number(0)), s.next(2));
  const Expr swapped = pool.conj(pool.eq(s.next(1), s.now(0)), pool.eq(s.next(2), s.now(2)));
  s.relate({pool.ite(pool.lt(s.now(0), s.number(1)), up, stays), pool.disj(zero, swapped)});
  const RelationCases cases = split_relations(s.system);
  EXPECT_TRUE(all_computed(cases));
  expect_same_steps(s, cases);
}

TEST(RelationCases, WhatIsLeftOpenStaysOpen) {
  OpenSystem s;
  ExprPool& pool = s.pool();
  // x' is only restricted where b holds, and y' by an inequation.
  s.relate({pool.implies(s.now(2), pool.eq(s.next(0), s.number(1))), pool.lt(s.next(1), s.next(0)),
            pool.eq(s.next(2), s.now(2))});
  const RelationCases cases = split_relations(s.system);
  EXPECT_EQ(cases.system.transitions.size(), 2U);
  EXPECT_FALSE(all_computed(cases));
  expect_same_steps(s, cases);
}

// The formula by which the second solver finds a forgotten case.
TEST(RelationCases, LostStepsAreThoseOfNoCase) {
  OpenSystem s;
  ExprPool& pool = s.pool();
  s.relate({pool.disj(pool.eq(s.next(0), s.number(1)), pool.eq(s.next(0), s.number(2))),
            pool.eq(s.next(1), s.number(0)), s.next(2)});
  RelationCases cases = split_relations(s.system);
  ASSERT_EQ(cases.system.transitions.size(), 2U);
  const auto lost_with = [&](int x) {
    Substitution values(pool);
    values.set(s.system.variables[0].next, s.number(x));
    values.set(s.system.variables[1].next, s.number(0));
    values.set(s.system.variables[2].next, pool.boolean(true));
    return values(lost_steps(s.system, cases, 0));
  };
  EXPECT_TRUE(pool.is_false(lost_with(1)));
  EXPECT_TRUE(pool.is_false(lost_with(2)));
  cases.system.transitions.pop_back();
  cases.origin.pop_back();
  EXPECT_TRUE(pool.is_true(lost_with(1)) != pool.is_true(lost_with(2)));
}

TEST(RelationCases, TracesSayWhatWasComputed) {
  OpenSystem s;
  ExprPool& pool = s.pool();
  s.relate({pool.eq(s.next(0), pool.add(s.now(0), s.number(1))), pool.eq(s.next(1), s.now(0)),
            pool.ite(s.now(2), pool.negate(s.next(2)), s.next(2))});
  const RelationCases cases = split_relations(s.system);
  FlatTrace trace;
  trace.initial = {Value(Integer(0)), Value(Integer(0)), Value(false)};
  FlatRun run(cases.system);
  FlatState state = trace.initial;
  for (int i = 0; i < 4; ++i) {
    for (std::uint32_t t = 0; t < cases.system.transitions.size(); ++t) {
      FlatStep step;
      step.transition = t;
      if (!run.holds(cases.system.transitions[t].guard, state)) continue;
      ASSERT_EQ(run.advance(state, step), std::nullopt);
      trace.steps.push_back(step);
      break;
    }
  }
  ASSERT_EQ(trace.steps.size(), 4U);
  s.system.init = pool.eq(s.now(0), s.number(0));
  s.system.goal.condition = pool.eq(s.now(0), s.number(4));
  const FlatTrace joined = joined_trace(s.system, cases, trace);
  EXPECT_EQ(flat_trace_problem(s.system, joined), std::nullopt);
}

}  // namespace
}  // namespace whittle
