// SPDX-License-Identifier: Apache-2.0
#include "ir/transition_terms.h"

#include <gtest/gtest.h>

namespace whittle {
namespace {

// x := x + i, y is open with y' > x, z stays.
TEST(TransitionTerms, AnUpdateAnOpenVariableAndOneThatStays) {
  TransitionSystem system;
  system.pool = std::make_shared<ExprPool>();
  ExprPool& pool = *system.pool;
  for (const char* name : {"x", "y", "z"}) {
    StateVariable variable;
    variable.type = Type::integer();
    variable.current = pool.declare(name, Type::integer());
    variable.next = pool.declare(std::string(name) + "'", Type::integer());
    system.variables.push_back(variable);
  }
  const auto now = [&](std::size_t v) { return pool.symbol(system.variables[v].current); };
  const Expr next_y = pool.symbol(system.variables[1].next);
  const SymbolId input = pool.declare("i", Type::integer());
  Transition t;
  t.inputs = {input};
  t.guard = pool.lt(now(2), now(0));
  t.updates = {{0, pool.add(now(0), pool.symbol(input))}};
  t.open = {1};
  t.relation = pool.lt(now(0), next_y);

  EXPECT_EQ(step_condition(pool, t), pool.conj(t.guard, t.relation));
  EXPECT_EQ(values_after(system, t), (std::vector<Expr>{t.updates[0].value, next_y, now(2)}));
  Substitution after = state_after(system, t);
  EXPECT_EQ(after(pool.lt(now(0), pool.add(now(1), now(2)))),
            pool.lt(t.updates[0].value, pool.add(next_y, now(2))));

  t.relation = Expr();
  EXPECT_EQ(step_condition(pool, t), t.guard);
}

}  // namespace
}  // namespace whittle
