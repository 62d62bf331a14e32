// SPDX-License-Identifier: Apache-2.0
#include "expr/interval.h"

#include <algorithm>
#include <utility>

namespace whittle {

namespace {

using Bound = std::optional<Rational>;

Interval closed(bool integral, Bound low, Bound high) {
  return {integral, std::move(low), std::move(high), false, false};
}

Bound sum(const Bound& a, const Bound& b) {
  if (!a || !b) return std::nullopt;
  return machine_sized(*a + *b);
}

// Of bounds that may be included or not.
bool is_single(const Interval& a) { return a.low && a.high && *a.low == *a.high; }

Interval scaled(const Interval& a, const Rational& factor, bool integral) {
  if (factor.sign() == 0) return closed(integral, Rational(), Rational());
  Bound low = a.low ? machine_sized(*a.low * factor) : Bound();
  Bound high = a.high ? machine_sized(*a.high * factor) : Bound();
  if (factor.sign() < 0) std::swap(low, high);
  return closed(integral, std::move(low), std::move(high));
}

}  // namespace

void Interval::restrict_low(Rational limit, bool open) {
  if (integral) {
    const bool exact = limit.is_integer();
    if (!exact) limit = -Rational((-limit).floor());
    if (exact && open) limit = limit + Rational(Integer(1));
    open = false;
  }
  if (low && (*low > limit || (*low == limit && (low_open || !open)))) return;
  low = std::move(limit);
  low_open = open;
}

void Interval::restrict_high(Rational limit, bool open) {
  if (integral) {
    const bool exact = limit.is_integer();
    if (!exact) limit = Rational(limit.floor());
    if (exact && open) limit = limit - Rational(Integer(1));
    open = false;
  }
  if (high && (*high < limit || (*high == limit && (high_open || !open)))) return;
  high = std::move(limit);
  high_open = open;
}

bool Interval::empty() const {
  if (!low || !high) return false;
  return *low > *high || (*low == *high && (low_open || high_open));
}

Interval hull(const Interval& a, const Interval& b) {
  Interval result = a;
  if (result.low && (!b.low || *b.low < *result.low || (*b.low == *result.low && !b.low_open))) {
    result.low = b.low;
    result.low_open = b.low_open;
  }
  if (result.high &&
      (!b.high || *b.high > *result.high || (*b.high == *result.high && !b.high_open))) {
    result.high = b.high;
    result.high_open = b.high_open;
  }
  return result;
}

Interval intersection(const Interval& a, const Interval& b) {
  Interval result = a;
  if (b.low) result.restrict_low(*b.low, b.low_open);
  if (b.high) result.restrict_high(*b.high, b.high_open);
  return result;
}

Bound machine_sized(Rational value) {
  if (!value.numerator().to_int64() || !value.denominator().to_int64()) return std::nullopt;
  return value;
}

Interval operator-(const Interval& a) {
  return closed(a.integral, a.high ? Bound(-*a.high) : Bound(), a.low ? Bound(-*a.low) : Bound());
}

Interval operator+(const Interval& a, const Interval& b) {
  return closed(a.integral, sum(a.low, b.low), sum(a.high, b.high));
}

// Exact for finite intervals and for a constant factor; sign alone otherwise.
Interval operator*(const Interval& a, const Interval& b) {
  if (a.low && a.high && b.low && b.high) {
    const Rational corners[] = {*a.low * *b.low, *a.low * *b.high, *a.high * *b.low,
                                *a.high * *b.high};
    return closed(a.integral,
                  machine_sized(*std::min_element(std::begin(corners), std::end(corners))),
                  machine_sized(*std::max_element(std::begin(corners), std::end(corners))));
  }
  if (is_single(a)) return scaled(b, *a.low, a.integral);
  if (is_single(b)) return scaled(a, *b.low, a.integral);
  const bool positive = a.low && a.low->sign() >= 0 && b.low && b.low->sign() >= 0;
  return closed(a.integral, positive ? machine_sized(*a.low * *b.low) : Bound(), std::nullopt);
}

Interval operator/(const Interval& a, const Interval& b) {
  const bool positive = b.low && b.low->sign() > 0;
  const bool negative = b.high && b.high->sign() < 0;
  if (!(positive || negative) || !b.low || !b.high) return {};
  const Rational one(Integer(1));
  return a * closed(false, machine_sized(one / *b.high), machine_sized(one / *b.low));
}

// By a positive constant: SMT-LIB's div rounds down there.
Interval euclidean_div(const Interval& a, const Interval& b) {
  if (!is_single(b) || b.low->sign() <= 0) return closed(true, {}, {});
  const auto down = [&](const Bound& bound) {
    return bound ? Bound(Rational((*bound / *b.low).floor())) : Bound();
  };
  return closed(true, down(a.low), down(a.high));
}

Interval euclidean_mod(const Interval& /*a*/, const Interval& b) {
  Interval result = closed(true, {}, {});
  const bool not_zero = (b.low && b.low->sign() > 0) || (b.high && b.high->sign() < 0);
  if (not_zero) result.low = Rational();
  if (is_single(b) && b.low->sign() != 0) {
    const Rational size = b.low->sign() > 0 ? *b.low : -*b.low;
    result.high = size - Rational(Integer(1));
  }
  return result;
}

Interval floor(const Interval& a) {
  const auto down = [](const Bound& bound) {
    return bound ? Bound(Rational(bound->floor())) : Bound();
  };
  return closed(true, down(a.low), down(a.high));
}

}  // namespace whittle
