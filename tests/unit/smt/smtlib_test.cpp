// SPDX-License-Identifier: Apache-2.0
#include "smt/smtlib.h"

#include <gtest/gtest.h>

#include "smt/string_literal.h"
#include "unit/smt/fixture.h"

namespace whittle::smt::test {
namespace {

class SmtLibTest : public ::testing::Test, protected Symbols {
 protected:
  std::string out;
};

TEST_F(SmtLibTest, WritesTermsWithTheirDeclarations) {
  SmtLibWriter writer(pool, out);
  EXPECT_EQ(writer.term(pool.conj(pool.lt(x, number(-3)), p)), "(and (< x (- 3)) p)");
  EXPECT_EQ(out, "(declare-fun x () Int)\n(declare-fun p () Bool)\n");
}

TEST_F(SmtLibTest, SharesLongSubterms) {
  Expr e = x;
  for (int i = 0; i < 1000; ++i) e = pool.add(e, pool.mul(number(i), e));
  SmtLibWriter writer(pool, out);
  std::string text = writer.term(e);
  EXPECT_LT(out.size() + text.size(), 400'000U);
}

TEST_F(SmtLibTest, KeepsNamesApart) {
  SmtLibWriter writer(pool, out);
  Expr again = variable("x", Type::integer());
  Expr reserved = variable("let", Type::integer());
  std::string text = writer.term(pool.lt(pool.add(x, again), reserved));
  EXPECT_NE(writer.symbol(pool.symbol_of(x)), writer.symbol(pool.symbol_of(again)));
  EXPECT_NE(writer.symbol(pool.symbol_of(reserved)), "let");
  SmtLibWriter named(pool, out);
  named.set_name(pool.symbol_of(again), "y.next");
  EXPECT_EQ(named.term(pool.lt(x, again)), "(< x y.next)");
}

TEST_F(SmtLibTest, WritesNumbers) {
  EXPECT_EQ(smtlib_integer(Integer(-5)), "(- 5)");
  EXPECT_EQ(smtlib_real(Rational(Integer(3))), "3.0");
  EXPECT_EQ(smtlib_real(Rational(Integer(-1), Integer(3))), "(- (/ 1.0 3.0))");
}

TEST_F(SmtLibTest, QuotesSymbols) {
  EXPECT_EQ(smtlib_symbol("a.b-c"), "a.b-c");
  EXPECT_EQ(smtlib_symbol("a b"), "|a b|");
  EXPECT_EQ(smtlib_symbol("1st"), "|1st|");
  EXPECT_EQ(smtlib_symbol("a|b\\c\n"), "|a_b_c_|");
  EXPECT_EQ(smtlib_symbol(""), "||");
}

TEST(StringLiteralTest, EscapesAndBack) {
  for (std::string text : {"", "plain", "\\u{41} \\", "tab\tnul", "é水\U0002F800"}) {
    auto there = escaped(text);
    ASSERT_TRUE(there) << text;
    for (char c : *there) EXPECT_TRUE(c >= ' ' && c < 0x7F);
    EXPECT_EQ(unescaped(*there), text);
  }
  EXPECT_EQ(unescaped("\\u0041\\u{42}\\u{}\\x"), "AB\\u{}\\x");
  EXPECT_FALSE(escaped("\xFF"));
  EXPECT_FALSE(escaped("\xC3"));
  EXPECT_FALSE(escaped("\xED\xA0\x80"));
  EXPECT_FALSE(escaped("\U0010FFFF"));
}

}  // namespace
}  // namespace whittle::smt::test
