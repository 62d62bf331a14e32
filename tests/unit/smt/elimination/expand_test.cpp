// SPDX-License-Identifier: Apache-2.0
#include "smt/elimination/expand.h"

#include <gtest/gtest.h>

#include "expr/evaluate.h"
#include "expr/print.h"
#include "smt/unsupported.h"
#include "support/effort.h"
#include "support/random_terms.h"
#include "unit/smt/fixture.h"

namespace whittle::smt::test {
namespace {

class ExpandTest : public ::testing::Test, protected Symbols {
 protected:
  Expr expanded(Expr e) { return Expander(pool)(e); }
  Expr set(std::vector<Expr> elements) {
    return pool.set_of(pool.set_type(Type::integer()), elements);
  }
};

TEST_F(ExpandTest, PlainTermsStayAsTheyAre) {
  Expr e = pool.conj(pool.lt(x, y), p);
  EXPECT_EQ(expanded(e), e);
}

TEST_F(ExpandTest, PowersAreProducts) {
  EXPECT_EQ(expanded(pool.make(Op::Pow, {x, number(3)})), pool.make(Op::Mul, {x, x, x}));
  // A large exponent makes a small term.
  Expr large = expanded(pool.make(Op::Pow, {x, number(1000)}));
  std::size_t count = 0;
  for_each_subterm(pool, large, [&](Expr) { ++count; });
  EXPECT_LT(count, 30U);
}

TEST_F(ExpandTest, MembershipInListedElementsIsADisjunction) {
  EXPECT_EQ(expanded(pool.make(Op::Member, {x, set({y, z})})),
            pool.disj(pool.eq(x, y), pool.eq(x, z)));
}

TEST_F(ExpandTest, QuantifiersAreInstantiated) {
  Expr b = variable("b", Type::integer());
  Expr all = pool.make(Op::Forall, {b, set({x, y}), pool.lt(b, z)});
  EXPECT_EQ(expanded(all), pool.conj(pool.lt(x, z), pool.lt(y, z)));
  Expr some = pool.make(Op::Exists, {b, set({x, y}), pool.lt(b, z)});
  EXPECT_EQ(expanded(some), pool.disj(pool.lt(x, z), pool.lt(y, z)));
}

TEST_F(ExpandTest, SetsOfEnumerationsHaveKnownCandidates) {
  Type color = pool.enum_type("Color", {"Red", "Green"});
  Expr a = variable("a", pool.set_type(color));
  Expr red = pool.constant(Value(EnumValue{0}), color);
  auto member = [&](Expr e) { return pool.make(Op::Member, {e, a}); };
  Expr b = variable("b", color);
  EXPECT_EQ(expanded(pool.make(Op::Exists, {b, a, pool.eq(b, red)})),
            pool.conj(member(red), pool.boolean(true)));
  Expr size = expanded(pool.make(Op::Card, {a}));
  for (int mask = 0; mask < 4; ++mask) {
    SetValue content;
    if ((mask & 1) != 0) content.elements.insert(Value(EnumValue{0}));
    if ((mask & 2) != 0) content.elements.insert(Value(EnumValue{1}));
    Value value = Value::set(content);
    auto result = Evaluator(pool)(size, [&](SymbolId, std::span<const Value>) { return value; });
    EXPECT_EQ(*result, Value(mask == 0 ? 0 : mask == 3 ? 2 : 1));
  }
}

TEST_F(ExpandTest, UnknownElementsAreRefused) {
  Expr a = variable("a", pool.set_type(Type::integer()));
  Expr b = variable("b", Type::integer());
  EXPECT_THROW((void)expanded(pool.make(Op::Card, {a})), Unsupported);
  EXPECT_THROW((void)expanded(pool.make(Op::Forall, {b, a, pool.lt(b, x)})), Unsupported);
  // Intersected with what is known, they are known.
  EXPECT_NO_THROW(expanded(pool.make(Op::Card, {pool.make(Op::Intersection, {set({x, y}), a})})));
}

TEST_F(ExpandTest, LongUnionsDoNotRecurse) {
  Expr all = set({x});
  for (int i = 0; i < 20'000; ++i) all = pool.make(Op::Union, {all, set({pool.add(y, number(i))})});
  EXPECT_NO_THROW(expanded(pool.make(Op::Member, {z, all})));
}

// The meaning stays: random terms, random values.
TEST(ExpandRandomTest, ExpansionsMeanTheSame) {
  int compared = 0;
  for (int round = 0; round < 300 * whittle::test::effort(); ++round) {
    ExprPool pool;
    whittle::test::RandomTermOptions options;
    options.partial = false;
    whittle::test::RandomTerms random(pool, static_cast<std::uint64_t>(round), options);
    Type type = round % 2 == 0 ? Type::boolean() : Type::integer();
    Expr term = random.term(type, 25);
    Expr plain;
    try {
      plain = Expander(pool)(term);
    } catch (const Unsupported&) {
      continue;
    }
    auto values = random.assignment();
    Evaluator evaluator(pool);
    auto expected = evaluator(term, whittle::test::lookup(values));
    if (!expected) continue;
    auto result = evaluator(plain, whittle::test::lookup(values));
    ASSERT_TRUE(result) << "round " << round << ": " << to_string(pool, term);
    EXPECT_EQ(*result, *expected) << "round " << round << ": " << to_string(pool, term);
    ++compared;
  }
  EXPECT_GT(compared, 150);
}

}  // namespace
}  // namespace whittle::smt::test
