// SPDX-License-Identifier: Apache-2.0
// A set of values, coarsely: an interval of numbers, a subset of a small finite type, or anything.
// The range of an array is what all its elements are in.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "expr/expr.h"
#include "expr/interval.h"

namespace whittle {

// Numeric: the values in the interval, whose bounds are closed.
struct ValueRange : Interval {
  enum class Kind : std::uint8_t { Any, Finite, Numeric };

  Kind kind = Kind::Any;
  std::uint64_t mask = 0;  // Finite: bit i for the i-th value (false, true; enum values)

  static ValueRange all(const ExprPool& pool, Type type);
  static ValueRange only(const ExprPool& pool, const Value& value, Type type);
  static ValueRange truth(bool may_be_false, bool may_be_true);

  [[nodiscard]] bool empty() const;
  [[nodiscard]] bool may_be(bool value) const { return (mask >> (value ? 1U : 0U) & 1U) != 0; }
  // The one value it has, if it has exactly one.
  [[nodiscard]] std::optional<Value> single(const ExprPool& pool, Type type) const;
  bool operator==(const ValueRange&) const = default;
};

[[nodiscard]] ValueRange join(const ValueRange& a, const ValueRange& b);
[[nodiscard]] ValueRange meet(const ValueRange& a, const ValueRange& b);

// The term has a value in the range. requires: it is no array
[[nodiscard]] Expr in_range(ExprPool& pool, Expr term, const ValueRange& range);

// All values of the operator on arguments from these ranges, and perhaps more.
[[nodiscard]] ValueRange applied(const ExprPool& pool, Op op, Type type,
                                 std::span<const ValueRange> arguments);

}  // namespace whittle
