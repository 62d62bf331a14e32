// SPDX-License-Identifier: Apache-2.0
#include "expr/contradiction.h"

#include <gtest/gtest.h>

#include <random>

#include "expr/traverse.h"
#include "support/effort.h"

namespace whittle {
namespace {

using Indices = std::vector<std::size_t>;

struct Terms {
  ExprPool pool;
  Type color = pool.enum_type("Color", {"Red", "Green", "Blue"});
  Expr x = pool.symbol(pool.declare("x", Type::integer()));
  Expr y = pool.symbol(pool.declare("y", Type::integer()));
  Expr r = pool.symbol(pool.declare("r", Type::real()));
  Expr a = pool.symbol(pool.declare("a", Type::boolean()));
  Expr b = pool.symbol(pool.declare("b", Type::boolean()));
  Expr c = pool.symbol(pool.declare("c", color));
  Expr n(long value) { return pool.integer(Integer(value)); }
  Expr half(long value) { return pool.real(Rational(Integer(value), Integer(2))); }
  Expr is(std::uint32_t value) { return pool.eq(c, pool.constant(EnumValue{value}, color)); }
  Indices among(std::initializer_list<Expr> conditions) {
    const std::vector<Expr> all(conditions);
    return contradiction(pool, all);
  }
};

TEST(Contradiction, BoundsOfAVariable) {
  Terms t;
  EXPECT_EQ(t.among({t.pool.gt(t.x, t.n(5)), t.a, t.pool.lt(t.x, t.n(3))}), (Indices{0, 2}));
  EXPECT_EQ(t.among({t.pool.gt(t.x, t.n(3)), t.pool.lt(t.x, t.n(5))}), Indices());
  EXPECT_EQ(t.among({t.pool.eq(t.x, t.n(3)), t.pool.eq(t.n(4), t.x)}), (Indices{0, 1}));
  EXPECT_EQ(t.among({t.pool.eq(t.x, t.n(3)), t.pool.ne(t.x, t.n(3))}), (Indices{0, 1}));
  EXPECT_EQ(t.among({t.pool.conj(t.pool.gt(t.x, t.n(0)), t.pool.lt(t.x, t.n(0)))}), Indices{0});
}

TEST(Contradiction, IntegersHaveGapsAndRealsHaveNot) {
  Terms t;
  EXPECT_EQ(t.among({t.pool.gt(t.x, t.n(3)), t.pool.lt(t.x, t.n(4))}), (Indices{0, 1}));
  EXPECT_EQ(t.among({t.pool.gt(t.r, t.half(6)), t.pool.lt(t.r, t.half(8))}), Indices());
  EXPECT_EQ(t.among({t.pool.gt(t.r, t.half(7)), t.pool.le(t.r, t.half(7))}), (Indices{0, 1}));
  EXPECT_EQ(t.among({t.pool.eq(t.pool.mul(t.n(2), t.x), t.n(3))}), Indices{0});
  EXPECT_EQ(t.among({t.pool.ge(t.x, t.n(3)), t.pool.le(t.x, t.n(4)), t.pool.ne(t.x, t.n(4)),
                     t.pool.ne(t.x, t.n(3))}),
            (Indices{0, 1, 2, 3}));
}

TEST(Contradiction, DifferencesAndSums) {
  Terms t;
  EXPECT_EQ(t.among({t.pool.lt(t.x, t.y), t.pool.lt(t.y, t.x)}), (Indices{0, 1}));
  EXPECT_EQ(t.among({t.pool.le(t.x, t.y), t.pool.le(t.y, t.x)}), Indices());
  EXPECT_EQ(t.among({t.pool.gt(t.x, t.n(1)), t.pool.gt(t.y, t.n(1)),
                     t.pool.lt(t.pool.add(t.x, t.y), t.n(4))}),
            (Indices{0, 1, 2}));
  EXPECT_EQ(t.among({t.pool.gt(t.x, t.n(1)), t.pool.gt(t.y, t.n(1)),
                     t.pool.lt(t.pool.add(t.x, t.y), t.n(5))}),
            Indices());
  EXPECT_EQ(t.among({t.pool.eq(t.pool.add(t.x, t.n(1)), t.x)}), Indices{0});
}

TEST(Contradiction, LiteralsAndChoices) {
  Terms t;
  EXPECT_EQ(t.among({t.a, t.b, t.pool.negate(t.a)}), (Indices{0, 2}));
  EXPECT_EQ(t.among({t.is(0), t.is(2)}), (Indices{0, 1}));
  EXPECT_EQ(t.among({t.pool.negate(t.is(0)), t.pool.negate(t.is(1)), t.a}), Indices());
  EXPECT_EQ(t.among({t.pool.negate(t.is(0)), t.pool.negate(t.is(1)), t.pool.negate(t.is(2))}),
            (Indices{0, 1, 2}));
}

TEST(Contradiction, CasesOfADisjunction) {
  Terms t;
  const Expr cases = t.pool.disj(t.pool.eq(t.x, t.n(2)), t.pool.conj(t.a, t.pool.eq(t.x, t.n(3))));
  EXPECT_EQ(t.among({t.pool.eq(t.x, t.n(1)), cases}), (Indices{0, 1}));
  EXPECT_EQ(t.among({t.pool.ge(t.x, t.n(3)), cases}), Indices());
  EXPECT_EQ(t.among({t.pool.implies(t.a, t.b), t.a, t.pool.negate(t.b)}), (Indices{0, 1, 2}));
}

// Terms that are exponentially large when written out.
TEST(Contradiction, LargeTerms) {
  Terms t;
  Expr sum = t.x;
  for (int i = 0; i < 200; ++i) sum = t.pool.mul(t.pool.add(sum, t.n(1)), t.y);
  for (int i = 0; i < 100; ++i) sum = t.pool.add(sum, t.pool.minus(t.pool.mul(sum, t.n(3))));
  EXPECT_EQ(t.among({t.pool.lt(sum, t.y), t.pool.le(t.y, sum)}), (Indices{0, 1}));
}

// No assignment of a sample satisfies what is called contradictory.
TEST(Contradiction, NothingSatisfiesWhatItFinds) {
  int found = 0;
  for (int seed = 0; seed < 2000 * test::effort(); ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    Terms t;
    const std::vector<Expr> numbers{t.x, t.y};
    const auto pick = [&](std::uint64_t n) { return random() % n; };
    const auto constant = [&] { return t.n(static_cast<long>(pick(5)) - 2); };
    const auto sum = [&]() -> Expr {
      const Expr one = numbers[pick(2)];
      switch (pick(4)) {
        case 0:
          return t.pool.add(one, t.pool.mul(constant(), numbers[pick(2)]));
        case 1:
          return t.pool.sub(constant(), one);
        default:
          return one;
      }
    };
    const auto atom = [&]() -> Expr {
      switch (pick(5)) {
        case 0:
          return t.pool.le(sum(), constant());
        case 1:
          return t.pool.lt(constant(), sum());
        case 2:
          return t.pool.eq(sum(), sum());
        case 3:
          return t.is(static_cast<std::uint32_t>(pick(3)));
        default:
          return t.a;
      }
    };
    std::vector<Expr> conditions;
    const std::size_t count = 2 + pick(4);
    for (std::size_t i = 0; i < count; ++i) {
      Expr e = pick(3) == 0 ? t.pool.disj(atom(), atom()) : atom();
      if (pick(3) == 0) e = t.pool.negate(e);
      conditions.push_back(e);
    }
    const Indices all = contradiction(t.pool, conditions);
    if (all.empty()) continue;
    ++found;
    std::vector<Expr> named;
    for (const std::size_t i : all) named.push_back(conditions.at(i));
    const Expr together = t.pool.conj(named);
    for (long x = -6; x <= 6; ++x) {
      for (long y = -6; y <= 6; ++y) {
        for (std::uint32_t c = 0; c < 6; ++c) {
          Substitution values(t.pool);
          values.set(t.pool.symbol_of(t.x), t.n(x));
          values.set(t.pool.symbol_of(t.y), t.n(y));
          values.set(t.pool.symbol_of(t.a), t.pool.boolean(c % 2 == 0));
          values.set(t.pool.symbol_of(t.c), t.pool.constant(EnumValue{c / 2}, t.color));
          ASSERT_TRUE(t.pool.is_false(values(together))) << "seed " << seed;
        }
      }
    }
  }
  EXPECT_GE(found, 250 * test::effort());
}

}  // namespace
}  // namespace whittle
