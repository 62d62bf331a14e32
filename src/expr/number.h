// SPDX-License-Identifier: Apache-2.0
// Exact numbers. An Integer is a machine word while it fits and a GMP number when it does not;
// a Rational is a reduced fraction of two of them with a positive denominator.
#pragma once

#include <gmpxx.h>

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace whittle {

class Integer {
 public:
  Integer() = default;
  Integer(int value) : small_(value) {}
  Integer(long value) : small_(value) {}
  Integer(long long value) : small_(value) {}
  Integer(unsigned value) : small_(static_cast<std::int64_t>(value)) {}
  Integer(unsigned long value);
  explicit Integer(const mpz_class& value);
  Integer(const Integer& other);
  Integer(Integer&&) noexcept = default;
  Integer& operator=(const Integer& other);
  Integer& operator=(Integer&&) noexcept = default;
  ~Integer() = default;

  // Decimal digits with an optional leading '-'; empty when the text is not a number.
  static std::optional<Integer> parse(std::string_view text);

  [[nodiscard]] std::optional<std::int64_t> to_int64() const;
  [[nodiscard]] mpz_class to_mpz() const;
  [[nodiscard]] std::string to_string() const;
  [[nodiscard]] int sign() const;  // -1, 0, 1
  [[nodiscard]] bool is_zero() const { return sign() == 0; }
  [[nodiscard]] std::size_t hash() const;

  friend Integer operator+(const Integer& a, const Integer& b);
  friend Integer operator-(const Integer& a, const Integer& b);
  friend Integer operator*(const Integer& a, const Integer& b);
  Integer operator-() const;
  Integer& operator+=(const Integer& b) { return *this = *this + b; }
  Integer& operator-=(const Integer& b) { return *this = *this - b; }
  Integer& operator*=(const Integer& b) { return *this = *this * b; }
  friend std::strong_ordering operator<=>(const Integer& a, const Integer& b);
  friend bool operator==(const Integer& a, const Integer& b);

 private:
  std::int64_t small_ = 0;          // the value, unless big_ is set
  std::unique_ptr<mpz_class> big_;  // set only when the value does not fit small_
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
