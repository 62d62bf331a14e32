// SPDX-License-Identifier: Apache-2.0
// Exact numbers. An Integer is a machine word while it fits and a GMP number when it does not;
// a Rational is a reduced fraction of two of them with a positive denominator. GMP's header is as
// long as all others together, so it is behind a pointer; expr/gmp_number.h converts.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace whittle {

struct BigInteger;  // a number of GMP: expr/big_integer.h

class Integer {
 public:
  using Big = BigInteger;

  Integer() = default;
  Integer(int value) : small_(value) {}
  Integer(long value) : small_(value) {}
  Integer(long long value) : small_(value) {}
  Integer(unsigned value) : small_(static_cast<std::int64_t>(value)) {}
  Integer(unsigned long value);
  explicit Integer(const Big& value);
  Integer(const Integer& other) : small_(other.small_) {
    if (other.big_) big_ = copied(*other.big_);
  }
  Integer(Integer&&) noexcept = default;
  Integer& operator=(const Integer& other) {
    if (this == &other) return *this;
    small_ = other.small_;
    big_ = other.big_ ? copied(*other.big_) : nullptr;
    return *this;
  }
  Integer& operator=(Integer&&) noexcept = default;
  ~Integer() = default;

  // Decimal digits with an optional leading '-'; empty when the text is not a number.
  static std::optional<Integer> parse(std::string_view text);

  [[nodiscard]] std::optional<std::int64_t> to_int64() const {
    if (big_) return std::nullopt;
    return small_;
  }
  [[nodiscard]] Big to_big() const;
  [[nodiscard]] std::string to_string() const;
  [[nodiscard]] int sign() const {  // -1, 0, 1
    if (big_) return big_sign();
    return small_ < 0 ? -1 : (small_ > 0 ? 1 : 0);
  }
  [[nodiscard]] bool is_zero() const { return sign() == 0; }
  // Binary digits of the absolute value; 1 for zero.
  [[nodiscard]] std::size_t bit_length() const;
  [[nodiscard]] std::size_t hash() const;

  friend Integer operator+(const Integer& a, const Integer& b);
  friend Integer operator-(const Integer& a, const Integer& b);
  friend Integer operator*(const Integer& a, const Integer& b);
  Integer operator-() const;
  Integer& operator+=(const Integer& b) { return *this = *this + b; }
  Integer& operator-=(const Integer& b) { return *this = *this - b; }
  Integer& operator*=(const Integer& b) { return *this = *this * b; }
  friend std::strong_ordering operator<=>(const Integer& a, const Integer& b);
  friend bool operator==(const Integer& a, const Integer& b) {
    return a.small_ == b.small_ && ((!a.big_ && !b.big_) || equal_big(a, b));
  }

 private:
  struct Release {
    void operator()(Big* big) const;
  };
  using BigPointer = std::unique_ptr<Big, Release>;

  static BigPointer copied(const Big& big);
  static bool equal_big(const Integer& a, const Integer& b);
  [[nodiscard]] int big_sign() const;

  std::int64_t small_ = 0;  // the value; zero when big_ is set
  BigPointer big_;          // set only when the value does not fit small_
};

// SMT-LIB's div and mod: a = b * div(a, b) + mod(a, b) and 0 <= mod(a, b) < |b|. requires: b != 0
[[nodiscard]] Integer euclidean_div(const Integer& a, const Integer& b);
[[nodiscard]] Integer euclidean_mod(const Integer& a, const Integer& b);
[[nodiscard]] Integer gcd(const Integer& a, const Integer& b);  // never negative
[[nodiscard]] Integer pow(const Integer& base, unsigned exponent);

class Rational {
 public:
  Rational() : den_(1) {}
  Rational(Integer value) : num_(std::move(value)), den_(1) {}
  Rational(Integer numerator, Integer denominator);  // requires: denominator != 0

  // "12", "-12.50", "3/4"; empty when the text is not a number.
  static std::optional<Rational> parse(std::string_view text);

  [[nodiscard]] const Integer& numerator() const { return num_; }
  [[nodiscard]] const Integer& denominator() const { return den_; }
  [[nodiscard]] bool is_integer() const { return den_ == Integer(1); }
  [[nodiscard]] Integer floor() const;
  [[nodiscard]] int sign() const { return num_.sign(); }
  // Decimal where it is finite ("12.5"), otherwise "1/3".
  [[nodiscard]] std::string to_string() const;
  [[nodiscard]] std::size_t hash() const;

  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b);
  friend Rational operator*(const Rational& a, const Rational& b);
  friend Rational operator/(const Rational& a, const Rational& b);  // requires: b != 0
  Rational operator-() const;
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b);
  friend bool operator==(const Rational& a, const Rational& b);

 private:
  Integer num_;
  Integer den_;
};

}  // namespace whittle
