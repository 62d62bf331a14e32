// SPDX-License-Identifier: Apache-2.0
#include "simplify/network/single_bounds.h"

#include <algorithm>
#include <unordered_map>

#include "expr/interval.h"
#include "expr/linear.h"
#include "expr/traverse.h"

namespace whittle::simplify {

namespace {

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
    const Expr constant = swapped ? left : right;
    if (!pool_.is_const(constant) || !is_number(pool_, constant) || !pool_.is_variable(variable))
      return false;
    const Rational limit = rational(pool_.value(constant));
    Interval& range = ranges_[variable];
    range.integral = pool_.type(variable) == Type::integer();
    if (op == Op::Eq) {
      if (!positive) return false;
      range.restrict_low(limit);
      range.restrict_high(limit);
      return true;
    }
    // x < c is a bound from above; with the sides exchanged, or negated, one from below.
    const bool open = (op == Op::Lt) == positive;
    if (swapped == positive) {
      range.restrict_low(limit, open);
    } else {
      range.restrict_high(limit, open);
    }
    return true;
  }

  [[nodiscard]] bool satisfiable() const {
    return possible_ && std::none_of(ranges_.begin(), ranges_.end(),
                                     [](const auto& entry) { return entry.second.empty(); });
  }

 private:
  const ExprPool& pool_;
  std::unordered_map<Expr, Interval> ranges_;
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
