// SPDX-License-Identifier: Apache-2.0
#include "simplify/network/single_bounds.h"

#include <unordered_map>

#include "expr/traverse.h"

namespace whittle::simplify {

namespace {

// low <= x <= high, or < where it is open.
struct Range {
  std::optional<Rational> low, high;
  bool low_open = false, high_open = false;

  void above(const Rational& limit, bool open) {
    if (low && (*low > limit || (*low == limit && (low_open || !open)))) return;
    low = limit;
    low_open = open;
  }
  void below(const Rational& limit, bool open) {
    if (high && (*high < limit || (*high == limit && (high_open || !open)))) return;
    high = limit;
    high_open = open;
  }
  [[nodiscard]] bool empty(bool integer) const {
    if (!low || !high) return false;
    if (!integer) return *low > *high || (*low == *high && (low_open || high_open));
    Integer first = -(-*low).floor();
    if (low_open && low->is_integer()) first = first + Integer(1);
    Integer last = high->floor();
    if (high_open && high->is_integer()) last = last - Integer(1);
    return first > last;
  }
};

class Ranges {
 public:
  explicit Ranges(const ExprPool& pool) : pool_(pool) {}

  // False: not of the form.
  bool add(Expr e) {
    bool positive = true;
    while (pool_.op(e) == Op::Not) {
      e = pool_.child(e, 0);
      positive = !positive;
    }
    if (pool_.is_const(e)) {
      possible_ = possible_ && pool_.value(e).as_bool() == positive;
      return true;
    }
    const Op op = pool_.op(e);
    if (op != Op::Lt && op != Op::Le && op != Op::Eq) return false;
    const Expr left = pool_.child(e, 0);
    const Expr right = pool_.child(e, 1);
    const bool swapped = pool_.is_const(left);
    const Expr variable = swapped ? right : left;
    const auto limit = number(swapped ? left : right);
    if (!limit || !pool_.is_variable(variable)) return false;
    Range& range = ranges_[variable];
    if (op == Op::Eq) {
      if (!positive) return false;
      range.above(*limit, false);
      range.below(*limit, false);
      return true;
    }
    // x < c is a bound from above; with the sides exchanged, or negated, one from below.
    const bool open = (op == Op::Lt) == positive;
    if (swapped == positive) {
      range.above(*limit, open);
    } else {
      range.below(*limit, open);
    }
    return true;
  }

  [[nodiscard]] bool satisfiable() const {
    for (const auto& [variable, range] : ranges_)
      if (range.empty(pool_.type(variable) == Type::integer())) return false;
    return possible_;
  }

 private:
  [[nodiscard]] std::optional<Rational> number(Expr e) const {
    if (!pool_.is_const(e)) return std::nullopt;
    const Type type = pool_.type(e);
    if (type == Type::integer()) return Rational(pool_.value(e).as_integer());
    if (type == Type::real()) return pool_.value(e).as_real();
    return std::nullopt;
  }

  const ExprPool& pool_;
  std::unordered_map<Expr, Range> ranges_;
  bool possible_ = true;
};

}  // namespace

std::optional<bool> bounds_satisfiable(const ExprPool& pool, std::span<const Expr> conditions) {
  Ranges ranges(pool);
  for (Expr condition : conditions)
    for (Expr part : conjuncts(pool, condition))
      if (!ranges.add(part)) return std::nullopt;
  return ranges.satisfiable();
}

}  // namespace whittle::simplify
