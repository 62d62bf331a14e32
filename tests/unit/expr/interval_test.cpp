// SPDX-License-Identifier: Apache-2.0
#include "expr/interval.h"

#include <gtest/gtest.h>

#include <random>

#include "support/effort.h"

namespace whittle {
namespace {

Rational ratio(int numerator, int denominator = 1) {
  return {Integer(numerator), Integer(denominator)};
}

Interval between(std::optional<int> low, std::optional<int> high, bool integral = true) {
  Interval result{integral, {}, {}, false, false};
  if (low) result.restrict_low(ratio(*low));
  if (high) result.restrict_high(ratio(*high));
  return result;
}

bool contains(const Interval& interval, const Rational& value) {
  if (interval.integral && !value.is_integer()) return false;
  if (interval.low && (value < *interval.low || (interval.low_open && value == *interval.low)))
    return false;
  return !interval.high || value < *interval.high ||
         (!interval.high_open && value == *interval.high);
}

TEST(Interval, BoundsOfIntegersAreIncluded) {
  Interval i{true, {}, {}, false, false};
  i.restrict_low(ratio(1), true);
  i.restrict_high(ratio(7, 2), true);
  EXPECT_EQ(i, between(2, 3));
  i.restrict_low(ratio(5, 2));
  EXPECT_TRUE(i.is_point());
  i.restrict_high(ratio(3), true);
  EXPECT_TRUE(i.empty());
  EXPECT_FALSE(i.is_point());
}

TEST(Interval, BoundsOfRealsMayBeOpen) {
  Interval i;
  i.restrict_low(ratio(1), true);
  i.restrict_low(ratio(1), false);  // says less
  EXPECT_TRUE(i.low_open);
  i.restrict_high(ratio(1));
  EXPECT_TRUE(i.empty());
  Interval j;
  j.restrict_low(ratio(1));
  j.restrict_high(ratio(1));
  EXPECT_TRUE(j.is_point());
  EXPECT_EQ(hull(i, j).low_open, false);
  EXPECT_TRUE(intersection(i, j).empty());
}

TEST(Interval, LargeNumbersAreNoBounds) {
  Interval i = between(2, 3'000'000);
  for (int k = 0; k < 5; ++k) i = i * i;
  EXPECT_FALSE(i.high);
  EXPECT_TRUE(i.low);
}

TEST(Interval, DivisionByWhatMayBeZeroSaysNothing) {
  EXPECT_EQ(between(1, 2, false) / between(-1, 1, false), Interval());
  EXPECT_FALSE(euclidean_div(between(1, 9), between(2, 3)).low);
  EXPECT_EQ(euclidean_div(between(-7, 9), between(2, 2)), between(-4, 4));
  EXPECT_EQ(euclidean_mod(between(-7, 9), between(-3, -3)), between(0, 2));
}

// Results of operations on members are members of the result.
TEST(Interval, OperationsKeepTheirResults) {
  std::mt19937 random(5);
  const auto any = [&](bool integral) {
    const auto bound = [&]() -> std::optional<int> {
      if (random() % 4 == 0) return std::nullopt;
      return static_cast<int>(random() % 13) - 6;
    };
    return between(bound(), bound(), integral);
  };
  unsigned compared = 0;
  for (int round = 0; round < 2000 * test::effort(); ++round) {
    const bool integral = random() % 2 == 0;
    const Interval a = any(integral);
    const Interval b = any(integral);
    const Rational x = ratio(static_cast<int>(random() % 21) - 10, integral ? 1 : 2);
    const Rational y = ratio(static_cast<int>(random() % 21) - 10, integral ? 1 : 2);
    EXPECT_EQ(contains(intersection(a, b), x), contains(a, x) && contains(b, x));
    EXPECT_TRUE(contains(hull(a, b), x) || !(contains(a, x) || contains(b, x)));
    if (!contains(a, x) || !contains(b, y)) continue;
    ++compared;
    EXPECT_TRUE(contains(a + b, x + y));
    EXPECT_TRUE(contains(a * b, x * y));
    EXPECT_TRUE(contains(-a, -x));
    EXPECT_TRUE(contains(floor(a), Rational(x.floor())));
    if (y.sign() == 0) continue;
    if (!integral) {
      EXPECT_TRUE(contains(a / b, x / y));
    } else {
      const Rational quotient(euclidean_div(x.numerator(), y.numerator()));
      EXPECT_TRUE(contains(euclidean_div(a, b), quotient));
      EXPECT_TRUE(
          contains(euclidean_mod(a, b), Rational(euclidean_mod(x.numerator(), y.numerator()))));
    }
  }
  EXPECT_GT(compared, 200U);
}

}  // namespace
}  // namespace whittle
