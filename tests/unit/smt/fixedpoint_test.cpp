// SPDX-License-Identifier: Apache-2.0
#include "smt/fixedpoint.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/error.h"
#include "expr/traverse.h"
#include "smt/solvers.h"
#include "unit/smt/fixture.h"

namespace whittle::smt::test {
namespace {

using namespace std::chrono_literals;

class FixedpointTest : public ::testing::Test, protected Symbols {
 protected:
  SymbolId symbol(Expr e) { return pool.symbol_of(e); }
  Expr plus(Expr e, int n) { return pool.add(e, number(n)); }

  bool valid(Expr claim) {
    auto solver = make_solver(SolverId::Cvc5, pool);
    solver->require(pool.negate(claim));
    return solver->check().answer == Answer::Unsat;
  }
  // `formula` with x replaced.
  Expr at(Expr formula, Expr value) {
    Substitution substitution(pool);
    substitution.set(symbol(x), value);
    return substitution(formula);
  }
};

TEST_F(FixedpointTest, AnInvariantProvesSafety) {
  auto horn = make_fixedpoint(pool, {});
  RelationId inv = horn->relation("inv", {symbol(x)});
  horn->rule({"init", {inv, {number(0)}}, {}, Expr()});
  horn->rule({"step", {inv, {plus(x, 2)}}, {{inv, {x}}}, pool.lt(x, number(10))});
  FixedpointResult result = horn->query({{inv, {x}}}, pool.lt(x, number(0)));
  ASSERT_EQ(result.answer, Derivability::NotDerivable) << result.reason.text();
  ASSERT_EQ(result.invariants.size(), 1U);
  Expr invariant = result.invariants[0];
  ASSERT_TRUE(invariant.valid());
  EXPECT_TRUE(valid(at(invariant, number(0))));
  EXPECT_TRUE(
      valid(pool.implies(pool.conj(invariant, pool.lt(x, number(10))), at(invariant, plus(x, 2)))));
  EXPECT_TRUE(valid(pool.implies(invariant, pool.ge(x, number(0)))));
}

// Z3 takes the rule away and says `true` of what it alone leads to.
TEST_F(FixedpointTest, WhatNoRuleCanDeriveIsEmpty) {
  auto horn = make_fixedpoint(pool, {});
  RelationId here = horn->relation("here", {symbol(x)});
  RelationId there = horn->relation("there", {symbol(x)});
  horn->rule({"init", {here, {number(0)}}, {}, Expr()});
  const Expr less_one = pool.sub(x, plus(x, 1));
  const Expr never = pool.eq(pool.make(Op::Mod, {less_one, number(4)}), number(2));
  horn->rule({"never", {there, {x}}, {{here, {x}}}, never});
  FixedpointResult result = horn->query({{there, {x}}}, pool.lt(x, number(9)));
  ASSERT_EQ(result.answer, Derivability::NotDerivable) << result.reason.text();
  ASSERT_EQ(result.invariants.size(), 2U);
  ASSERT_TRUE(result.invariants[1].valid());
  EXPECT_TRUE(valid(pool.implies(result.invariants[1], pool.ge(x, number(9)))));
}

TEST_F(FixedpointTest, ADerivationProvesViolation) {
  auto horn = make_fixedpoint(pool, {});
  RelationId inv = horn->relation("inv", {symbol(x), symbol(p)});
  std::size_t init = horn->rule({"init", {inv, {number(0), pool.boolean(false)}}, {}, Expr()});
  std::size_t step = horn->rule(
      {"step", {inv, {plus(x, 1), pool.negate(p)}}, {{inv, {x, p}}}, pool.lt(x, number(10))});
  FixedpointResult result = horn->query({{inv, {x, p}}}, pool.conj(pool.eq(x, number(3)), p));
  ASSERT_EQ(result.answer, Derivability::Derivable) << result.reason.text();
  ASSERT_EQ(result.derivation.size(), 5U);
  for (std::size_t i = 0; i < 4; ++i) {
    const DerivationStep& at = result.derivation[i];
    EXPECT_EQ(at.rule, i == 0 ? init : step);
    ASSERT_EQ(at.arguments.size(), 2U) << "step " << i;
    EXPECT_EQ(at.arguments[0], Value(static_cast<int>(i)));
    EXPECT_EQ(at.arguments[1], Value(i % 2 == 1));
  }
  EXPECT_FALSE(result.derivation.back().rule.has_value());
}

TEST_F(FixedpointTest, RelationsPerLocationAndEnumerations) {
  Type color = pool.enum_type("Color", {"Red", "Green", "Blue"});
  auto value = [&](std::uint32_t i) { return pool.constant(Value(EnumValue{i}), color); };
  Expr c = variable("c", color);
  Expr d = variable("d", color);
  auto horn = make_fixedpoint(pool, {});
  RelationId a = horn->relation("a", {symbol(c)});
  RelationId b = horn->relation("b", {symbol(c), symbol(r)});
  horn->rule({"init", {a, {c}}, {}, pool.ne(c, value(1))});
  horn->rule({"move",
              {b, {d, r}},
              {{a, {c}}},
              pool.conj(pool.ne(c, d), pool.gt(r, pool.real(Rational(Integer(1), Integer(2)))))});
  horn->rule({"back", {a, {value(0)}}, {{b, {c, r}}}, pool.eq(c, value(2))});
  // b's colour can be anything, a's never is Green.
  FixedpointResult reached = horn->query({{b, {c, r}}}, pool.eq(c, value(1)));
  EXPECT_EQ(reached.answer, Derivability::Derivable) << reached.reason.text();
  FixedpointResult safe = horn->query({{a, {c}}}, pool.eq(c, value(1)));
  ASSERT_EQ(safe.answer, Derivability::NotDerivable) << safe.reason.text();
  ASSERT_TRUE(safe.invariants[0].valid());
  EXPECT_TRUE(valid(pool.implies(safe.invariants[0], pool.ne(c, value(1)))));
  // Out of range is nothing.
  FixedpointResult nothing = horn->query(
      {{b, {c, r}}},
      pool.conj(std::vector{pool.ne(c, value(0)), pool.ne(c, value(1)), pool.ne(c, value(2))}));
  EXPECT_EQ(nothing.answer, Derivability::NotDerivable) << nothing.reason.text();
}

TEST_F(FixedpointTest, StopsInTime) {
  Limits limits;
  limits.time_per_check = 200ms;
  auto horn = make_fixedpoint(pool, limits);
  RelationId inv = horn->relation("inv", {symbol(x), symbol(y)});
  horn->rule({"init", {inv, {number(1), number(1)}}, {}, Expr()});
  horn->rule({"step", {inv, {pool.mul(x, y), plus(y, 1)}}, {{inv, {x, y}}}, Expr()});
  auto begin = Clock::now();
  FixedpointResult result = horn->query(
      {{inv, {x, y}}}, pool.eq(pool.make(Op::Mod, {pool.mul(x, x), number(7919)}), number(5)));
  EXPECT_LT(Clock::now() - begin, 10s);
  EXPECT_EQ(result.answer, Derivability::Unknown);
  EXPECT_EQ(result.reason.kind, Reason::Kind::Timeout);
}

TEST_F(FixedpointTest, SaysWhatItCannotTake) {
  SymbolId f = pool.declare("f", Type::integer(), {Type::integer()});
  auto horn = make_fixedpoint(pool, {});
  RelationId inv = horn->relation("inv", {symbol(x)});
  Expr argument[] = {x};
  EXPECT_THROW(horn->rule({"init", {inv, {pool.apply(f, argument)}}, {}, Expr()}), ResourceError);
}

}  // namespace
}  // namespace whittle::smt::test
