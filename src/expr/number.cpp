// SPDX-License-Identifier: Apache-2.0
// Arithmetic: the machine word first, GMP when an operation overflows it.
#include "expr/number.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "expr/big_integer.h"
#include "expr/hash.h"

namespace whittle {

static_assert(sizeof(long) == sizeof(std::int64_t), "GMP's long functions are used for int64");

namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

std::uint64_t magnitude(std::int64_t value) {
  return value < 0 ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
}

bool all_digits(std::string_view text) {
  if (text.empty()) return false;
  for (char c : text) {
    if (c < '0' || c > '9') return false;
  }
  return true;
}

mpz_class to_mpz(const Integer& value) { return value.to_big().value; }
Integer from_mpz(const mpz_class& value) { return Integer(BigInteger{value}); }

}  // namespace

// ---------------------------------------------------------------------------------- Integer

Integer::Integer(unsigned long value) : small_(static_cast<std::int64_t>(value)) {
  if (small_ < 0) {
    big_.reset(new Big{mpz_class(value)});
    small_ = 0;
  }
}

Integer::Integer(const Big& value) {
  if (value.value.fits_slong_p()) {
    small_ = value.value.get_si();
  } else {
    big_ = copied(value);
  }
}

void Integer::Release::operator()(Big* big) const { delete big; }

Integer::BigPointer Integer::copied(const Big& big) { return BigPointer(new Big(big)); }

std::optional<Integer> Integer::parse(std::string_view text) {
  std::string_view digits = text;
  if (!digits.empty() && digits.front() == '-') digits.remove_prefix(1);
  if (!all_digits(digits)) return std::nullopt;
  if (digits.size() <= 18) {
    std::int64_t value = 0;
    for (char c : digits) value = value * 10 + (c - '0');
    return Integer(static_cast<long>(text.front() == '-' ? -value : value));
  }
  mpz_class value;
  value.set_str(std::string(text), 10);
  return from_mpz(value);
}

Integer::Big Integer::to_big() const {
  return big_ ? *big_ : Big{mpz_class(static_cast<long>(small_))};
}

std::string Integer::to_string() const {
  return big_ ? big_->value.get_str() : std::to_string(small_);
}

int Integer::big_sign() const { return sgn(big_->value); }

bool Integer::equal_big(const Integer& a, const Integer& b) {
  return a.big_ && b.big_ && a.big_->value == b.big_->value;
}

std::size_t Integer::bit_length() const {
  if (big_) return mpz_sizeinbase(big_->value.get_mpz_t(), 2);
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::bit_width(magnitude(small_))));
}

std::size_t Integer::hash() const {
  if (!big_) return hash_mix(0, static_cast<std::size_t>(small_));
  mpz_srcptr z = big_->value.get_mpz_t();
  std::size_t h = mpz_sgn(z) < 0 ? 3 : 5;
  for (std::size_t i = 0; i < mpz_size(z); ++i)
    h = hash_mix(h, mpz_getlimbn(z, static_cast<long>(i)));
  return h;
}

Integer operator+(const Integer& a, const Integer& b) {
  std::int64_t sum = 0;
  if (!a.big_ && !b.big_ && !__builtin_add_overflow(a.small_, b.small_, &sum)) {
    return Integer(static_cast<long>(sum));
  }
  return from_mpz(to_mpz(a) + to_mpz(b));
}

Integer operator-(const Integer& a, const Integer& b) {
  std::int64_t difference = 0;
  if (!a.big_ && !b.big_ && !__builtin_sub_overflow(a.small_, b.small_, &difference)) {
    return Integer(static_cast<long>(difference));
  }
  return from_mpz(to_mpz(a) - to_mpz(b));
}

Integer operator*(const Integer& a, const Integer& b) {
  std::int64_t product = 0;
  if (!a.big_ && !b.big_ && !__builtin_mul_overflow(a.small_, b.small_, &product)) {
    return Integer(static_cast<long>(product));
  }
  return from_mpz(to_mpz(a) * to_mpz(b));
}

Integer Integer::operator-() const {
  if (!big_ && small_ != kMin) return Integer(static_cast<long>(-small_));
  return from_mpz(-to_mpz(*this));
}

std::strong_ordering operator<=>(const Integer& a, const Integer& b) {
  if (!a.big_ && !b.big_) return a.small_ <=> b.small_;
  // A big number lies outside the range of small ones, so its sign decides against them.
  if (!b.big_) return a.sign() <=> 0;
  if (!a.big_) return 0 <=> b.sign();
  return cmp(a.big_->value, b.big_->value) <=> 0;
}

Integer euclidean_div(const Integer& a, const Integer& b) {
  WHITTLE_REQUIRE(!b.is_zero(), "division by zero");
  auto x = a.to_int64();
  auto y = b.to_int64();
  if (x && y && !(*x == kMin && *y == -1)) {
    std::int64_t quotient = *x / *y;
    if (*x % *y < 0) quotient += *y > 0 ? -1 : 1;
    return Integer(static_cast<long>(quotient));
  }
  mpz_class quotient;
  mpz_class n = to_mpz(a);
  mpz_class d = to_mpz(b);
  // The remainder must not be negative: round down for positive divisors, up for negative ones.
  if (sgn(d) > 0) {
    mpz_fdiv_q(quotient.get_mpz_t(), n.get_mpz_t(), d.get_mpz_t());
  } else {
    mpz_cdiv_q(quotient.get_mpz_t(), n.get_mpz_t(), d.get_mpz_t());
  }
  return from_mpz(quotient);
}

Integer euclidean_mod(const Integer& a, const Integer& b) {
  WHITTLE_REQUIRE(!b.is_zero(), "division by zero");
  auto x = a.to_int64();
  auto y = b.to_int64();
  if (x && y && *y != kMin) {
    if (*y == -1) return Integer(0);
    std::int64_t remainder = *x % *y;
    if (remainder < 0) remainder += *y > 0 ? *y : -*y;
    return Integer(static_cast<long>(remainder));
  }
  mpz_class remainder;
  mpz_class n = to_mpz(a);
  mpz_class d = to_mpz(b);
  mpz_mod(remainder.get_mpz_t(), n.get_mpz_t(), d.get_mpz_t());
  return from_mpz(remainder);
}

Integer gcd(const Integer& a, const Integer& b) {
  auto x = a.to_int64();
  auto y = b.to_int64();
  if (x && y) return Integer(static_cast<unsigned long>(std::gcd(magnitude(*x), magnitude(*y))));
  return from_mpz(gcd(to_mpz(a), to_mpz(b)));
}

Integer pow(const Integer& base, unsigned exponent) {
  mpz_class result;
  mpz_pow_ui(result.get_mpz_t(), to_mpz(base).get_mpz_t(), exponent);
  return from_mpz(result);
}

// --------------------------------------------------------------------------------- Rational

Rational::Rational(Integer numerator, Integer denominator)
    : num_(std::move(numerator)), den_(std::move(denominator)) {
  WHITTLE_REQUIRE(!den_.is_zero(), "a fraction needs a denominator other than zero");
  if (den_.sign() < 0) {
    num_ = -num_;
    den_ = -den_;
  }
  if (den_ == Integer(1)) return;
  Integer common = gcd(num_, den_);
  if (common == Integer(1)) return;
  num_ = euclidean_div(num_, common);
  den_ = euclidean_div(den_, common);
}

std::optional<Rational> Rational::parse(std::string_view text) {
  if (auto slash = text.find('/'); slash != std::string_view::npos) {
    auto numerator = Integer::parse(text.substr(0, slash));
    std::string_view below = text.substr(slash + 1);
    auto denominator = all_digits(below) ? Integer::parse(below) : std::nullopt;
    if (!numerator || !denominator || denominator->is_zero()) return std::nullopt;
    return Rational(std::move(*numerator), std::move(*denominator));
  }
  auto point = text.find('.');
  if (point == std::string_view::npos) {
    auto value = Integer::parse(text);
    if (!value) return std::nullopt;
    return Rational(std::move(*value));
  }
  std::string_view fraction = text.substr(point + 1);
  std::string_view whole = text.substr(0, point);
  std::string_view unsigned_whole = whole;
  if (!unsigned_whole.empty() && unsigned_whole.front() == '-') unsigned_whole.remove_prefix(1);
  if (!all_digits(unsigned_whole) || !all_digits(fraction)) return std::nullopt;
  auto digits = Integer::parse(std::string(whole) + std::string(fraction));
  return Rational(std::move(*digits), pow(Integer(10), static_cast<unsigned>(fraction.size())));
}

Integer Rational::floor() const { return is_integer() ? num_ : euclidean_div(num_, den_); }

std::string Rational::to_string() const {
  if (is_integer()) return num_.to_string();
  // Finite in decimal notation exactly if the denominator has no prime factor but 2 and 5.
  mpz_class rest = to_mpz(den_);
  mp_bitcnt_t twos = mpz_remove(rest.get_mpz_t(), rest.get_mpz_t(), mpz_class(2).get_mpz_t());
  mp_bitcnt_t fives = mpz_remove(rest.get_mpz_t(), rest.get_mpz_t(), mpz_class(5).get_mpz_t());
  if (rest != 1) return num_.to_string() + "/" + den_.to_string();
  std::size_t places = std::max(twos, fives);
  Integer scaled = euclidean_div(num_ * pow(Integer(10), static_cast<unsigned>(places)), den_);
  std::string digits = (scaled.sign() < 0 ? -scaled : scaled).to_string();
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  digits.insert(digits.size() - places, ".");
  return (scaled.sign() < 0 ? "-" : "") + digits;
}

std::size_t Rational::hash() const {
  return is_integer() ? num_.hash() : hash_mix(num_.hash(), den_.hash());
}

Rational operator+(const Rational& a, const Rational& b) {
  if (a.is_integer() && b.is_integer()) return Rational(a.num_ + b.num_);
  return Rational(a.num_ * b.den_ + b.num_ * a.den_, a.den_ * b.den_);
}

Rational operator-(const Rational& a, const Rational& b) {
  if (a.is_integer() && b.is_integer()) return Rational(a.num_ - b.num_);
  return Rational(a.num_ * b.den_ - b.num_ * a.den_, a.den_ * b.den_);
}

Rational operator*(const Rational& a, const Rational& b) {
  if (a.is_integer() && b.is_integer()) return Rational(a.num_ * b.num_);
  return Rational(a.num_ * b.num_, a.den_ * b.den_);
}

Rational operator/(const Rational& a, const Rational& b) {
  return Rational(a.num_ * b.den_, a.den_ * b.num_);
}

Rational Rational::operator-() const {
  Rational result = *this;
  result.num_ = -result.num_;
  return result;
}

std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
  if (a.den_ == b.den_) return a.num_ <=> b.num_;
  return a.num_ * b.den_ <=> b.num_ * a.den_;
}

bool operator==(const Rational& a, const Rational& b) {
  return a.num_ == b.num_ && a.den_ == b.den_;
}

}  // namespace whittle
