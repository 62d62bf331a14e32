// SPDX-License-Identifier: Apache-2.0
#include "engine/preimage/cube_builder.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "expr/print.h"

namespace whittle {
namespace {

class CubeBuilderTest : public ::testing::Test {
 protected:
  ExprPool pool;
  CubeBuilder builder{pool};
  Expr x = pool.symbol(pool.declare("x", Type::integer()));
  Expr y = pool.symbol(pool.declare("y", Type::integer()));
  Expr p = pool.symbol(pool.declare("p", Type::boolean()));
  Expr q = pool.symbol(pool.declare("q", Type::boolean()));

  Expr number(int value) { return pool.integer(value); }

  // Cubes as text, in order.
  std::vector<std::string> shown(const std::optional<std::vector<Cube>>& cubes) {
    if (!cubes) return {"too many"};
    std::vector<std::string> result;
    for (const Cube& cube : *cubes) {
      std::string text;
      for (LiteralId id : cube) text += to_string(pool, builder.condition(id)) + "; ";
      result.push_back(text);
    }
    std::sort(result.begin(), result.end());
    return result;
  }
  std::vector<std::string> ways(Expr condition) { return shown(builder.to_dnf(condition)); }
  Cube only(Expr condition) {
    const auto found = builder.to_dnf(condition);
    EXPECT_TRUE(found && found->size() == 1);
    return found->at(0);
  }
};

using Texts = std::vector<std::string>;

TEST_F(CubeBuilderTest, TakesConnectivesApart) {
  EXPECT_EQ(ways(pool.conj(p, pool.negate(q))), Texts{"p; !q; "});
  EXPECT_EQ(ways(pool.disj(p, q)), (Texts{"p; ", "q; "}));
  EXPECT_EQ(ways(pool.implies(p, q)), (Texts{"!p; ", "q; "}));
  EXPECT_EQ(ways(pool.conj(p, pool.negate(p))), Texts{});
  EXPECT_EQ(ways(pool.boolean(true)), Texts{""});
  EXPECT_EQ(ways(pool.eq(p, q)), (Texts{"!p; !q; ", "p; q; "}));
}

// However a comparison is written, it is the same literal.
TEST_F(CubeBuilderTest, ComparisonsHaveOneForm) {
  const Cube less = only(pool.lt(x, number(4)));
  EXPECT_EQ(less, only(pool.le(pool.add(x, number(1)), number(4))));
  EXPECT_EQ(less, only(pool.negate(pool.le(number(4), x))));
  EXPECT_EQ(less, only(pool.le(pool.mul(number(2), x), number(7))));
  EXPECT_EQ(only(pool.eq(pool.sub(x, y), number(2))), only(pool.eq(y, pool.sub(x, number(2)))));
  EXPECT_EQ(ways(pool.eq(pool.mul(number(2), x), number(7))), Texts{});
  EXPECT_EQ(ways(pool.lt(x, x)), Texts{});
}

TEST_F(CubeBuilderTest, RoundsBoundsToWholeNumbers) {
  // -3x <= 7:  x >= -2
  EXPECT_EQ(only(pool.le(pool.mul(number(-3), x), number(7))), only(pool.le(number(-2), x)));
  EXPECT_EQ(only(pool.le(pool.mul(number(-3), x), number(-7))), only(pool.le(number(3), x)));
}

TEST_F(CubeBuilderTest, BoundsOfOneTermMeet) {
  Cube cube = only(pool.le(number(1), x));
  ASSERT_TRUE(builder.meet(cube, only(pool.le(x, number(1)))));
  EXPECT_EQ(cube, only(pool.eq(x, number(1))));
  EXPECT_FALSE(builder.meet(cube, only(pool.le(x, number(0)))));
  EXPECT_TRUE(builder.implies(cube, only(pool.le(x, number(5)))));
  EXPECT_FALSE(builder.implies(only(pool.le(x, number(5))), cube));
  EXPECT_TRUE(builder.implies(cube, Cube()));
}

TEST_F(CubeBuilderTest, ChoicesInsideTermsAreCases) {
  const Expr least = pool.ite(pool.lt(x, y), x, y);
  EXPECT_EQ(ways(pool.eq(least, number(3))).size(), 2);
  const Type array = pool.array_type(Type::integer(), Type::integer(), 4);
  const Expr a = pool.symbol(pool.declare("a", array));
  // a[x := 7][1] == 7: it is the cell that was written, or it was 7 before.
  const Expr written = pool.select(pool.store(a, x, number(7)), number(1));
  const std::vector<std::string> found = ways(pool.eq(written, number(7)));
  EXPECT_EQ(found.size(), 2);
  EXPECT_NE(std::find(found.begin(), found.end(), "x == 1; "), found.end());
}

TEST_F(CubeBuilderTest, PutsKnownValuesIntoOtherTerms) {
  Cube cube = only(pool.eq(x, number(3)));
  ASSERT_TRUE(builder.meet(cube, only(pool.le(pool.add(x, y), number(5)))));
  EXPECT_EQ(shown(builder.propagated(cube)), Texts{"x == 3; y <= 2; "});
  Cube none = only(pool.eq(x, number(3)));
  ASSERT_TRUE(builder.meet(none, only(pool.lt(pool.mul(x, x), number(9)))));
  EXPECT_EQ(shown(builder.propagated(none)), Texts{});
}

TEST_F(CubeBuilderTest, DifferencesNarrowBounds) {
  Cube cube = only(pool.conj(pool.le(number(3), x), pool.le(x, number(5))));
  ASSERT_TRUE(builder.meet(cube, only(pool.ne(x, number(3)))));
  ASSERT_TRUE(builder.meet(cube, only(pool.ne(x, number(4)))));
  EXPECT_EQ(shown(builder.propagated(cube)), Texts{"x == 5; "});
  ASSERT_TRUE(builder.meet(cube, only(pool.ne(x, number(5)))));
  EXPECT_EQ(shown(builder.propagated(cube)), Texts{});
}

// `x / y` is asked for only where y is not zero.
TEST_F(CubeBuilderTest, KeepsWhatGuardsTheRest) {
  const Expr quotient = pool.make(Op::IDiv, {x, y});
  const Expr safe = pool.conj(pool.ne(y, number(0)), pool.eq(quotient, number(2)));
  const std::vector<std::string> found = ways(pool.negate(safe));
  ASSERT_EQ(found.size(), 2);
  EXPECT_TRUE(std::any_of(found.begin(), found.end(),
                          [](const std::string& way) {
                            return way.find("y == 0") != std::string::npos &&
                                   way.find('/') == std::string::npos;
                          }))
      << found[0] << '\n'
      << found[1];
}

TEST_F(CubeBuilderTest, GivesUpOnTooManyCases) {
  std::vector<Expr> parts;
  for (int i = 0; i < 10; ++i) {
    const Expr z = pool.symbol(pool.declare("z" + std::to_string(i), Type::integer()));
    parts.push_back(pool.disj(pool.lt(z, number(0)), pool.lt(number(9), z)));
  }
  EXPECT_EQ(ways(pool.conj(parts)), Texts{"too many"});
  const Expr large = pool.integer(*Integer::parse("123456789012345678901234567890"));
  EXPECT_EQ(ways(pool.le(x, large)), Texts{"too many"});
}

}  // namespace
}  // namespace whittle
