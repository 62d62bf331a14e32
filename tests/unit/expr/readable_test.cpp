// SPDX-License-Identifier: Apache-2.0
#include "expr/readable.h"

#include <gtest/gtest.h>

#include "expr/print.h"
#include "support/effort.h"
#include "support/random_terms.h"

namespace whittle {
namespace {

struct Terms {
  ExprPool pool;
  Expr x = pool.symbol(pool.declare("x", Type::integer()));
  Expr y = pool.symbol(pool.declare("y", Type::integer()));
  Expr a = pool.symbol(pool.declare("a", Type::boolean()));
  Expr b = pool.symbol(pool.declare("b", Type::boolean()));
  Expr c = pool.symbol(pool.declare("c", Type::boolean()));
  Expr n(long value) { return pool.integer(Integer(value)); }
  std::string text(Expr e) { return to_string(pool, readable(pool, e)); }
};

TEST(Readable, WhatIsNegativeGoesToTheOtherSide) {
  Terms t;
  EXPECT_EQ(t.text(t.pool.ne(t.pool.add(t.x, t.pool.minus(t.y)), t.n(-1))), "x + 1 != y");
  EXPECT_EQ(t.text(t.pool.le(t.pool.minus(t.x), t.n(-3))), "x >= 3");
  EXPECT_EQ(t.text(t.pool.eq(t.x, t.n(-1))), "x == -1");
  EXPECT_EQ(t.text(t.pool.le(t.n(-4), t.pool.mul(t.n(-2), t.x))), "x <= 2");
  EXPECT_EQ(t.text(t.pool.lt(t.pool.sub(t.x, t.y), t.n(0))), "x < y");
  EXPECT_EQ(t.text(t.pool.eq(t.pool.add(t.x, t.n(2)), t.n(5))), "x == 3");
}

TEST(Readable, EqualTermsCancel) {
  Terms t;
  EXPECT_EQ(t.text(t.pool.le(t.pool.add(t.x, t.y), t.pool.add(t.y, t.n(4)))), "x <= 4");
}

TEST(Readable, NegativeLiteralsAreConditions) {
  Terms t;
  const Expr clause[] = {t.pool.negate(t.a), t.pool.negate(t.b), t.c};
  EXPECT_EQ(t.text(t.pool.disj(clause)), "a && b -> c");
  EXPECT_EQ(t.text(t.pool.disj(t.pool.negate(t.a), t.pool.negate(t.b))), "!(a && b)");
}

TEST(Readable, SameConditionsAndConclusionsAreSaidOnce) {
  Terms t;
  const Expr low = t.pool.ge(t.x, t.n(0));
  const Expr high = t.pool.le(t.x, t.n(9));
  EXPECT_EQ(t.text(t.pool.conj(t.pool.implies(t.a, low), t.pool.implies(t.a, high))),
            "a -> x >= 0 && x <= 9");
  EXPECT_EQ(t.text(t.pool.conj(t.pool.implies(t.a, low), t.pool.implies(t.b, low))),
            "a || b -> x >= 0");
}

TEST(Readable, NegatedConjunctionsAreImplications) {
  Terms t;
  ExprPool& p = t.pool;
  EXPECT_EQ(t.text(p.negate(p.conj(t.a, p.negate(t.b)))), "a -> b");
  EXPECT_EQ(t.text(p.negate(p.conj(t.a, p.le(t.n(1), t.x)))), "a -> x < 1");
  EXPECT_EQ(t.text(p.disj(p.ne(t.x, t.n(1)), t.a)), "x == 1 -> a");
  EXPECT_EQ(t.text(p.disj(t.a, p.le(t.x, t.n(0)))), "!a -> x <= 0");
  // Nothing to conclude.
  EXPECT_EQ(t.text(p.disj(p.ne(t.x, t.n(1)), p.ne(t.y, t.n(1)))), "x != 1 || y != 1");
}

TEST(Readable, TwoInequationsAreAnEquation) {
  Terms t;
  EXPECT_EQ(t.text(t.pool.conj(t.pool.le(t.x, t.y), t.pool.ge(t.x, t.y))), "x == y");
  EXPECT_EQ(t.text(t.pool.conj(t.pool.le(t.x, t.n(3)), t.pool.ge(t.x, t.n(3)))), "x == 3");
  EXPECT_EQ(t.text(t.pool.conj(t.pool.le(t.x, t.n(3)), t.pool.ge(t.x, t.n(2)))),
            "x <= 3 && x >= 2");
}

TEST(Readable, PairsThatExcludeEachOtherAreGroups) {
  Terms t;
  ExprPool& p = t.pool;
  const Expr d = p.symbol(p.declare("d", Type::boolean()));
  const auto never = [&](Expr one, Expr other) { return p.negate(p.conj(one, other)); };
  const Expr all[] = {never(t.a, t.c), never(t.a, d), never(t.b, t.c), never(t.b, d)};
  EXPECT_EQ(t.text(p.conj(all)), "a || b -> !c && !d");
  const Expr some[] = {never(t.a, t.c), never(t.b, d)};
  EXPECT_EQ(t.text(p.conj(some)), "!(a && c) && !(b && d)");
}

TEST(Readable, WhatMayBeUndefinedStays) {
  Terms t;
  const Expr quotient = t.pool.make(Op::IDiv, {t.x, t.y});
  const Expr same = t.pool.eq(t.pool.sub(quotient, t.x), t.pool.sub(quotient, t.n(1)));
  EXPECT_EQ(readable(t.pool, same), same);
}

TEST(Readable, MeansTheSame) {
  int changed = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    ExprPool pool;
    test::RandomTerms random(pool, seed);
    for (int round = 0; round < 400 * test::effort(); ++round) {
      const Expr e = random.term(Type::boolean(), 2 + static_cast<int>(random.below(30)));
      const Expr other = readable(pool, e);
      changed += other == e ? 0 : 1;
      Evaluator evaluate(pool);
      for (int i = 0; i < 5; ++i) {
        const test::Assignment values = random.assignment();
        const auto expected = evaluate(e, test::lookup(values));
        const auto result = evaluate(other, test::lookup(values));
        ASSERT_EQ(result.has_value(), expected.has_value()) << to_string(pool, e);
        if (!expected) continue;
        ASSERT_EQ(*result, *expected) << to_string(pool, e);
      }
    }
  }
  EXPECT_GT(changed, 100);
}

}  // namespace
}  // namespace whittle
