// SPDX-License-Identifier: Apache-2.0
// Intervals of numbers, and arithmetic on them. Bounds of integers are integers that are included.
//
//   Interval i{.integral = true};
//   i.restrict_low(Rational(0), true);                // 1..
#pragma once

#include <optional>

#include "expr/number.h"

namespace whittle {

struct Interval {
  bool integral = false;
  std::optional<Rational> low, high;  // empty: unbounded
  bool low_open = false, high_open = false;

  // Keeps the numbers above (below) the limit; the limit itself unless `open`.
  void restrict_low(Rational limit, bool open = false);
  void restrict_high(Rational limit, bool open = false);
  [[nodiscard]] bool empty() const;
  [[nodiscard]] bool is_point() const { return low && high && *low == *high && !empty(); }
  bool operator==(const Interval&) const = default;
};

// The smallest interval that contains both, and what both contain.
[[nodiscard]] Interval hull(const Interval& a, const Interval& b);
[[nodiscard]] Interval intersection(const Interval& a, const Interval& b);

// Contain the results of the operations on all members, and perhaps more: bounds of the results are
// closed, and those that do not fit machine words are left out, since repeated squaring would
// double their digits each time.
[[nodiscard]] std::optional<Rational> machine_sized(Rational value);
[[nodiscard]] Interval operator-(const Interval& a);
[[nodiscard]] Interval operator+(const Interval& a, const Interval& b);
[[nodiscard]] Interval operator*(const Interval& a, const Interval& b);
[[nodiscard]] Interval operator/(const Interval& a, const Interval& b);  // of reals
[[nodiscard]] Interval euclidean_div(const Interval& a, const Interval& b);
[[nodiscard]] Interval euclidean_mod(const Interval& a, const Interval& b);
[[nodiscard]] Interval floor(const Interval& a);

}  // namespace whittle
