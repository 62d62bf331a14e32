// SPDX-License-Identifier: Apache-2.0
#include "simplify/flat/minimise_invariant.h"

#include <gtest/gtest.h>

#include "expr/print.h"
#include "simplify/flat/induction_queries.h"

namespace whittle {
namespace {

using simplify::InductionQueries;
using simplify::minimised_invariant;

// x goes up by two to 10, y is its double, z does anything; a location is left at 10.
struct Counter {
  TransitionSystem system{std::make_shared<ExprPool>(), {}, {}, {}, {}, {}};
  ExprPool& pool = *system.pool;
  smt::SolverFactory solvers{smt::SolverFactory::Settings{}};
  Type places = pool.enum_type("places", {"busy", "done"});
  Expr x = variable("x", Type::integer()), y = variable("y", Type::integer());
  Expr z = variable("z", Type::integer()), at = variable("at", places);

  Counter() {
    system.variables[3].is_location = true;
    system.init = pool.conj({{pool.eq(x, n(0)), pool.eq(y, n(0)), pool.eq(at, place(0))}});
    step(pool.conj(pool.eq(at, place(0)), pool.lt(x, n(10))),
         {{0, pool.add(x, n(2))}, {1, pool.add(y, n(4))}, {2, pool.add(z, x)}});
    step(pool.conj(pool.eq(at, place(0)), pool.eq(x, n(10))), {{3, place(1)}});
  }
  Expr n(long value) { return pool.integer(Integer(value)); }
  Expr place(std::uint32_t i) { return pool.constant(Value(EnumValue{i}), places); }
  Expr variable(const std::string& name, Type type) {
    const SymbolId current = pool.declare(name, type);
    system.variables.push_back({name, type, current, pool.declare(name + "'", type), false});
    return pool.symbol(current);
  }
  void step(Expr guard, std::vector<Update> updates) {
    Transition t;
    t.name = "t" + std::to_string(system.transitions.size());
    t.guard = guard;
    t.updates = std::move(updates);
    system.transitions.push_back(std::move(t));
  }
  bool proves(Expr invariant) {
    InductionQueries queries(system, solvers);
    bool kept = queries.initial(invariant);
    for (std::uint32_t t = 0; t < queries.transitions(); ++t) {
      kept = kept && queries.kept(std::span<const Expr>(&invariant, 1), t, invariant);
    }
    return kept && queries.sufficient(std::span<const Expr>(&invariant, 1));
  }
  std::string smaller(Expr invariant) {
    EXPECT_TRUE(proves(invariant));
    const Expr result = minimised_invariant(system, invariant, solvers);
    EXPECT_TRUE(proves(result)) << to_string(pool, result);
    return to_string(pool, result);
  }
};

TEST(MinimiseInvariant, WhatIsInductiveItselfIsTheProof) {
  Counter s;
  s.system.goal.condition = s.pool.gt(s.x, s.n(10));
  const Expr cases[] = {s.pool.eq(s.x, s.n(0)), s.pool.eq(s.x, s.n(2)), s.pool.eq(s.x, s.n(4)),
                        s.pool.eq(s.x, s.n(6)), s.pool.eq(s.x, s.n(8)), s.pool.eq(s.x, s.n(10))};
  // Odd numbers are one step from 11: the demand alone is not inductive, even with its atoms.
  EXPECT_NE(s.smaller(s.pool.disj(cases)).find("x"), std::string::npos);
  s.system.goal.condition = s.pool.lt(s.x, s.n(0));
  EXPECT_EQ(s.smaller(s.pool.disj(cases)), "x >= 0");
}

TEST(MinimiseInvariant, UnneededConjunctsGo) {
  Counter s;
  s.system.goal.condition = s.pool.gt(s.y, s.n(22));
  const Expr needed = s.pool.eq(s.y, s.pool.mul(s.n(2), s.x));
  const Expr bound = s.pool.le(s.x, s.n(11));
  const std::vector<Expr> parts = {s.pool.ge(s.x, s.n(0)), needed, s.pool.ge(s.y, s.n(0)), bound};
  EXPECT_EQ(s.smaller(s.pool.conj(parts)), "y == 2 * x && x <= 11");
}

TEST(MinimiseInvariant, UnneededCasesGo) {
  Counter s;
  // At the end x is 10.
  s.system.goal.condition = s.pool.conj(s.pool.eq(s.at, s.place(1)), s.pool.ne(s.x, s.n(10)));
  const Expr demanded = s.pool.implies(s.pool.eq(s.at, s.place(1)), s.pool.eq(s.x, s.n(10)));
  const Expr longer =
      s.pool.conj(demanded, s.pool.disj({{s.pool.eq(s.at, s.place(1)), s.pool.ge(s.x, s.n(0)),
                                          s.pool.gt(s.y, s.n(70))}}));
  const std::string shown = s.smaller(longer);
  EXPECT_EQ(shown.find("y"), std::string::npos) << shown;
}

TEST(MinimiseInvariant, AnExpiredDeadlineLeavesItAsItIs) {
  Counter s;
  s.system.goal.condition = s.pool.lt(s.x, s.n(0));
  const Expr invariant = s.pool.conj(s.pool.ge(s.x, s.n(0)), s.pool.ge(s.y, s.n(0)));
  smt::Limits limits;
  limits.deadline = Deadline::after(std::chrono::milliseconds(0));
  EXPECT_EQ(minimised_invariant(s.system, invariant, s.solvers.with(limits)), invariant);
}

TEST(InductionQueries, TheLargestInductiveSubset) {
  Counter s;
  s.system.goal.condition = s.pool.lt(s.x, s.n(0));
  const Expr good = s.pool.ge(s.x, s.n(0));
  const Expr rests = s.pool.ge(s.y, s.n(0));
  const Expr not_first = s.pool.ge(s.x, s.n(1));
  const Expr not_kept = s.pool.le(s.y, s.n(4));
  InductionQueries queries(s.system, s.solvers);
  EXPECT_EQ(queries.inductive_subset({good, not_first, not_kept, rests}),
            (std::vector<Expr>{good, rests}));
}

// Two machines that take a lock before they are at `inside`.
struct Lock {
  Counter made;
  Lock() {
    TransitionSystem& system = made.system;
    system.variables.clear();
    system.transitions.clear();
    ExprPool& pool = made.pool;
    const Expr m = made.variable("m", Type::boolean());
    std::vector<Expr> init = {pool.negate(m)};
    for (std::uint32_t i : {1U, 2U}) {
      const Expr at = made.variable("at" + std::to_string(i), made.places);
      system.variables.back().is_location = true;
      init.push_back(pool.eq(at, made.place(0)));
      inside.push_back(pool.eq(at, made.place(1)));
      made.step(pool.conj(pool.eq(at, made.place(0)), pool.negate(m)),
                {{i, made.place(1)}, {0, pool.boolean(true)}});
      made.step(inside.back(), {{i, made.place(0)}, {0, pool.boolean(false)}});
    }
    free = pool.negate(m);
    system.init = pool.conj(init);
    system.goal.condition = pool.conj(inside[0], inside[1]);
  }
  Expr free;
  std::vector<Expr> inside;
};

TEST(MinimiseInvariant, LongProofsAreReplacedByTemplates) {
  Lock s;
  ExprPool& pool = s.made.pool;
  // State by state.
  const Expr one = pool.conj({{s.inside[0], pool.negate(s.inside[1]), pool.negate(s.free)}});
  const Expr other = pool.conj({{s.inside[1], pool.negate(s.inside[0]), pool.negate(s.free)}});
  const Expr none = pool.conj({{s.free, pool.negate(s.inside[0]), pool.negate(s.inside[1])}});
  const Expr cases[] = {one, other, none};
  const Expr states = pool.disj(cases);
  ASSERT_TRUE(s.made.proves(states));
  const Expr known = minimised_invariant(s.made.system, states, s.made.solvers);
  EXPECT_TRUE(s.made.proves(known));
  EXPECT_LE(conjuncts(pool, known).size(), 3U) << to_string(pool, known);
}

}  // namespace
}  // namespace whittle
