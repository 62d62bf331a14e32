// SPDX-License-Identifier: Apache-2.0
// Numbers against GMP, with many operands at the edges of the machine word.
#include "expr/number.h"

#include <gtest/gtest.h>

#include <random>

#include "base/error.h"
#include "expr/gmp_number.h"
#include "support/effort.h"

namespace whittle {
namespace {

class Operands {
 public:
  explicit Operands(std::uint64_t seed) : engine_(seed) {}

  mpz_class integer() {
    mpz_class base;
    switch (engine_() % 5) {
      case 0:
        base = 0;
        break;
      case 1:
        mpz_ui_pow_ui(base.get_mpz_t(), 2, 63);
        break;
      case 2:
        mpz_ui_pow_ui(base.get_mpz_t(), 2, 31 + engine_() % 3);
        break;
      case 3:
        mpz_ui_pow_ui(base.get_mpz_t(), 2, 60 + engine_() % 80);
        break;
      default:
        base = static_cast<long>(engine_());
        break;
    }
    if (engine_() % 2 == 0) base = -base;
    return base + (static_cast<long>(engine_() % 7) - 3);
  }
  mpq_class rational() {
    mpz_class below = engine_() % 2 == 0 ? mpz_class(1 + engine_() % 10) : abs(integer());
    mpq_class q(integer(), below == 0 ? mpz_class(1) : below);
    q.canonicalize();
    return q;
  }

 private:
  std::mt19937_64 engine_;
};

Rational made(const mpq_class& q) { return {from_mpz(q.get_num()), from_mpz(q.get_den())}; }

void expect_equal(const Integer& ours, const mpz_class& theirs) {
  ASSERT_EQ(ours.to_string(), theirs.get_str());
  ASSERT_EQ(ours.to_int64().has_value(), theirs.fits_slong_p() != 0) << "not in normal form";
  ASSERT_EQ(ours, from_mpz(theirs));
  ASSERT_EQ(ours.hash(), from_mpz(theirs).hash());
}

void expect_equal(const Rational& ours, const mpq_class& theirs) {
  expect_equal(ours.numerator(), theirs.get_num());
  expect_equal(ours.denominator(), theirs.get_den());
  ASSERT_EQ(ours, made(theirs));
  ASSERT_EQ(ours.hash(), made(theirs).hash());
}

TEST(IntegerTest, AgreesWithGmp) {
  Operands operands(1);
  for (int round = 0; round < 5000 * test::effort(); ++round) {
    mpz_class x = operands.integer();
    mpz_class y = operands.integer();
    SCOPED_TRACE(x.get_str() + " and " + y.get_str());
    Integer a = from_mpz(x);
    Integer b = from_mpz(y);
    expect_equal(a + b, x + y);
    expect_equal(a - b, x - y);
    expect_equal(a * b, x * y);
    expect_equal(-a, -x);
    expect_equal(gcd(a, b), gcd(x, y));
    expect_equal(pow(a, 3), x * x * x);
    ASSERT_EQ(a < b, x < y);
    ASSERT_EQ(a == b, x == y);
    ASSERT_EQ(a.sign(), sgn(x));
    ASSERT_EQ(a.bit_length(), mpz_sizeinbase(x.get_mpz_t(), 2));
    ASSERT_EQ(Integer::parse(x.get_str()), a);
    if (y != 0) {
      Integer quotient = euclidean_div(a, b);
      Integer remainder = euclidean_mod(a, b);
      mpz_class r;
      mpz_mod(r.get_mpz_t(), x.get_mpz_t(), y.get_mpz_t());
      expect_equal(remainder, r);
      expect_equal(quotient, (x - r) / y);
    }
    Integer copy = a;
    copy = b;
    ASSERT_EQ(copy, b);
    copy += a;
    expect_equal(copy, x + y);
    if (HasFailure()) return;
  }
}

TEST(IntegerTest, Edges) {
  Integer least(INT64_MIN);
  EXPECT_EQ((-least).to_string(), "9223372036854775808");
  EXPECT_EQ(-(-least), least);
  EXPECT_EQ(euclidean_div(least, Integer(-1)).to_string(), "9223372036854775808");
  EXPECT_EQ(euclidean_mod(least, Integer(-1)), Integer(0));
  EXPECT_EQ(euclidean_div(Integer(-7), Integer(2)), Integer(-4));
  EXPECT_EQ(euclidean_div(Integer(-7), Integer(-2)), Integer(4));
  EXPECT_EQ(euclidean_mod(Integer(-7), Integer(-2)), Integer(1));
  EXPECT_EQ(euclidean_mod(Integer(5), least), Integer(5));
  EXPECT_EQ(Integer(~0UL).to_string(), "18446744073709551615");
  EXPECT_THROW((void)euclidean_div(Integer(1), Integer(0)), InternalError);
}

TEST(IntegerTest, ParsesDigitsOnly) {
  EXPECT_EQ(Integer::parse("-0"), Integer(0));
  EXPECT_EQ(Integer::parse("007"), Integer(7));
  for (const char* text : {"", "-", "+1", "1 ", " 1", "1x", "--1", "0x1", "1.0"}) {
    EXPECT_FALSE(Integer::parse(text)) << text;
  }
}

TEST(RationalTest, AgreesWithGmp) {
  Operands operands(2);
  for (int round = 0; round < 3000 * test::effort(); ++round) {
    mpq_class x = operands.rational();
    mpq_class y = operands.rational();
    SCOPED_TRACE(x.get_str() + " and " + y.get_str());
    Rational a = made(x);
    Rational b = made(y);
    expect_equal(a + b, x + y);
    expect_equal(a - b, x - y);
    expect_equal(a * b, x * y);
    expect_equal(-a, -x);
    if (y != 0) expect_equal(a / b, x / y);
    ASSERT_EQ(a < b, x < y);
    ASSERT_EQ(a == b, x == y);
    mpz_class floor;
    mpz_fdiv_q(floor.get_mpz_t(), x.get_num_mpz_t(), x.get_den_mpz_t());
    expect_equal(a.floor(), floor);
    ASSERT_EQ(Rational::parse(a.to_string()), a) << a.to_string();
    if (HasFailure()) return;
  }
}

TEST(RationalTest, Text) {
  auto text = [](const char* input) {
    auto r = Rational::parse(input);
    return r ? r->to_string() : "none";
  };
  EXPECT_EQ(text("12"), "12");
  EXPECT_EQ(text("-12.50"), "-12.5");
  EXPECT_EQ(text("-0.05"), "-0.05");
  EXPECT_EQ(text("3/4"), "0.75");
  EXPECT_EQ(text("1/3"), "1/3");
  EXPECT_EQ(text("-2/6"), "-1/3");
  EXPECT_EQ(text("0.0"), "0");
  for (const char* bad : {"", ".", "1.", ".5", "1/0", "1/-2", "1/2/3", "1.2.3", "a", "1.-2"}) {
    EXPECT_EQ(text(bad), "none") << bad;
  }
}

}  // namespace
}  // namespace whittle
