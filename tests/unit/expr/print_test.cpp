// SPDX-License-Identifier: Apache-2.0
#include "expr/print.h"

#include <gtest/gtest.h>

namespace whittle {
namespace {

class PrintTest : public ::testing::Test {
 protected:
  Expr variable(const std::string& name, Type type) {
    return pool.symbol(pool.declare(name, type));
  }
  Expr i(long n) { return pool.integer(Integer(n)); }
  std::string text(Expr e) { return to_string(pool, e); }

  ExprPool pool;
  Expr x = variable("x", Type::integer());
  Expr y = variable("y", Type::integer());
  Expr z = variable("z", Type::integer());
  Expr r = variable("r", Type::real());
  Expr p = variable("p", Type::boolean());
  Expr q = variable("q", Type::boolean());
  Expr s = variable("s", Type::boolean());
};

TEST_F(PrintTest, Comparisons) {
  EXPECT_EQ(text(pool.lt(x, y)), "x < y");
  EXPECT_EQ(text(pool.le(i(0), x)), "x >= 0");
  EXPECT_EQ(text(pool.lt(i(0), x)), "x > 0");
  EXPECT_EQ(text(pool.le(x, i(3))), "x <= 3");
  EXPECT_EQ(text(pool.ne(x, y)), "x != y");
  EXPECT_EQ(text(pool.eq(i(3), x)), "x == 3");
  EXPECT_EQ(text(pool.eq(x, i(-3))), "x == -3");
  EXPECT_EQ(text(pool.eq(pool.lt(x, y), p)), "x < y == p");
  EXPECT_EQ(text(pool.eq(pool.eq(x, y), p)), "(x == y) == p");
}

TEST_F(PrintTest, Connectives) {
  EXPECT_EQ(text(pool.implies(pool.conj(p, q), pool.disj(q, s))), "p && q -> q || s");
  EXPECT_EQ(text(pool.conj(pool.disj(p, q), s)), "(p || q) && s");
  EXPECT_EQ(text(pool.disj(pool.conj(p, q), s)), "p && q || s");
  EXPECT_EQ(text(pool.implies(p, pool.implies(q, s))), "p -> q -> s");
  EXPECT_EQ(text(pool.implies(pool.implies(p, q), s)), "(p -> q) -> s");
  EXPECT_EQ(text(pool.negate(p)), "!p");
  EXPECT_EQ(text(pool.negate(pool.conj(p, q))), "!(p && q)");
  EXPECT_EQ(text(pool.ite(p, x, y)), "p ? x : y");
  EXPECT_EQ(text(pool.add(pool.ite(p, x, y), i(1))), "(p ? x : y) + 1");
}

TEST_F(PrintTest, Arithmetic) {
  EXPECT_EQ(text(pool.add(pool.mul(i(2), x), y)), "2 * x + y");
  EXPECT_EQ(text(pool.mul(pool.add(x, y), z)), "(x + y) * z");
  EXPECT_EQ(text(pool.sub(x, i(1))), "x - 1");
  EXPECT_EQ(text(pool.add(x, i(-1))), "x - 1");
  EXPECT_EQ(text(pool.sub(x, pool.sub(y, z))), "x - (y - z)");
  EXPECT_EQ(text(pool.sub(pool.sub(x, y), z)), "x - y - z");
  EXPECT_EQ(text(pool.sub(i(5), x)), "5 - x");
  EXPECT_EQ(text(pool.add(x, pool.sub(y, z))), "x + (y - z)");
  EXPECT_EQ(text(pool.minus(pool.add(x, y))), "-(x + y)");
  EXPECT_EQ(text(pool.sub(x, pool.minus(y))), "x - (-y)");
  EXPECT_EQ(text(pool.make(Op::Mod, {pool.add(x, y), i(4)})), "(x + y) % 4");
  EXPECT_EQ(text(pool.make(Op::IDiv, {x, pool.make(Op::Mod, {y, z})})), "x / (y % z)");
  EXPECT_EQ(text(pool.make(Op::Mod, {x, i(-4)})), "x % (-4)");
  EXPECT_EQ(text(pool.make(Op::Pow, {x, i(2)})), "x ^ 2");
  EXPECT_EQ(text(pool.make(Op::Pow, {pool.minus(x), i(2)})), "(-x) ^ 2");
  EXPECT_EQ(text(pool.mul(i(-2), x)), "-2 * x");
  EXPECT_EQ(text(pool.mul(i(-1), x)), "-x");
  EXPECT_EQ(text(pool.add(x, pool.minus(y))), "x - y");
  EXPECT_EQ(text(pool.add(x, pool.mul(i(-2), y))), "x - 2 * y");
  EXPECT_EQ(text(pool.add(x, pool.minus(pool.add(y, z)))), "x - (y + z)");
}

TEST_F(PrintTest, Reals) {
  EXPECT_EQ(text(pool.real(*Rational::parse("12.50"))), "12.5");
  Expr third = pool.real(Rational(Integer(1), Integer(3)));
  EXPECT_EQ(text(third), "1/3");
  EXPECT_EQ(text(pool.add(r, third)), "r + 1/3");
  EXPECT_EQ(text(pool.sub(r, third)), "r - 1/3");
  EXPECT_EQ(text(pool.make(Op::Div, {r, third})), "r / (1/3)");
  EXPECT_EQ(text(pool.lt(pool.to_real(x), r)), "real(x) < r");
  EXPECT_EQ(text(pool.make(Op::ToInt, {r})), "floor(r)");
}

TEST_F(PrintTest, ArraysAndSets) {
  Type ints = pool.array_type(Type::integer(), Type::integer(), 3);
  Expr a = variable("a", ints);
  EXPECT_EQ(text(pool.select(a, pool.add(x, i(1)))), "a[x + 1]");
  EXPECT_EQ(text(pool.store(a, x, y)), "a[x := y]");
  EXPECT_EQ(text(pool.const_array(ints, i(7))), "[7, 7, 7]");
  Type set = pool.set_type(Type::integer());
  Expr elements[] = {i(1), i(2), i(3)};
  Expr range = pool.set_of(set, elements);
  EXPECT_EQ(text(range), "{1, 2, 3}");
  EXPECT_EQ(text(pool.make(Op::Member, {x, range})), "x in {1, 2, 3}");
  Expr k = variable("k", Type::integer());
  Expr all = pool.make(Op::Forall, {k, range, pool.lt(k, x)});
  EXPECT_EQ(text(all), "forall k in 1..3: k < x");
  EXPECT_EQ(text(pool.conj(all, p)), "(forall k in 1..3: k < x) && p");
  Type color = pool.enum_type("Color", {"Red", "Green"});
  Expr c = variable("c", color);
  Expr colors[] = {pool.constant(EnumValue{0}, color), pool.constant(EnumValue{1}, color)};
  Expr every = pool.set_of(pool.set_type(color), colors);
  EXPECT_EQ(text(pool.make(Op::Exists, {c, every, pool.eq(c, colors[1])})),
            "exists c in Color: c == Green");
  EXPECT_EQ(text(pool.make(Op::Filter, {k, range, pool.lt(k, x)})), "{k in 1..3 | k < x}");
}

TEST_F(PrintTest, Strings) {
  EXPECT_EQ(text(pool.string("a\"b\n")), "\"a\\\"b\\n\"");
  Expr t = variable("t", Type::string());
  EXPECT_EQ(text(pool.make(Op::Concat, {t, pool.string("x")})), "t ++ \"x\"");
}

TEST_F(PrintTest, Styles) {
  SymbolId f = pool.declare("f", Type::integer(), {Type::integer(), Type::integer()});
  Expr inner[] = {x, i(1)};
  Expr outer[] = {pool.apply(f, inner), y};
  Expr e = pool.apply(f, outer);
  EXPECT_EQ(text(e), "f(f(x, 1), y)");
  PrintStyle style;
  style.symbol = [&](SymbolId id, std::span<const std::string> arguments) {
    std::string out = pool.info(id).name + "'";
    for (const std::string& a : arguments) out += "<" + a + ">";
    return out;
  };
  EXPECT_EQ(to_string(pool, e, style), "f'<f'<x'><1>><y'>");
}

TEST_F(PrintTest, SharedSubtermsAreNamed) {
  Expr e = x;
  for (int n = 0; n < 100; ++n) e = pool.mul(pool.add(e, y), pool.sub(e, z));
  std::string shared = to_string_shared(pool, e);
  EXPECT_LT(shared.size(), 10000U);
  EXPECT_NE(shared.find("let $1 = "), std::string::npos);
  EXPECT_EQ(to_string_shared(pool, pool.add(x, y)), "x + y");
}

}  // namespace
}  // namespace whittle
