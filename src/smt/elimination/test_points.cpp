// SPDX-License-Identifier: Apache-2.0
#include "smt/elimination/test_points.h"

#include <vector>

#include "expr/linear.h"
#include "expr/traverse.h"

namespace whittle::smt {

namespace {

constexpr std::size_t kMostVisited = 100'000;  // subterms, of all points together

class TestPoints {
 public:
  TestPoints(ExprPool& pool, SymbolId bound)
      : pool_(pool), bound_(bound), variable_(pool.symbol(bound)), in_(pool, bound) {}

  std::optional<Expr> operator()(Expr formula) {
    const Type type = pool_.type(variable_);
    const bool bits = pool_.kind(type) == TypeKind::BitVector;
    if (!bits && type != Type::integer()) return std::nullopt;
    if (!find_points(formula, bits)) return std::nullopt;
    std::vector<Expr> parts;
    if (bits) {
      add_bit_borders(type);
    } else {
      parts.push_back(below_all(formula));
    }
    std::size_t size = 0;
    for_each_subterm(pool_, formula, [&](Expr) { ++size; });
    if (size * points_.size() > kMostVisited) return std::nullopt;
    for (const Expr point : points_) {
      Substitution put(pool_);
      put.set(bound_, point);
      parts.push_back(put(formula));
      if (pool_.is_false(parts.back())) return parts.back();
    }
    return pool_.conj(parts);
  }

 private:
  [[nodiscard]] bool is_connective(Expr e) const {
    switch (pool_.op(e)) {
      case Op::Not:
      case Op::And:
      case Op::Or:
      case Op::Implies:
        return true;
      case Op::Ite:
        return pool_.type(e) == Type::boolean();
      case Op::Eq:
        return pool_.type(pool_.child(e, 0)) == Type::boolean();
      default:
        return false;
    }
  }

  // The comparisons that mention the symbol, and where what they say changes.
  bool find_points(Expr formula, bool bits) {
    std::vector<Expr> work{formula};
    while (!work.empty()) {
      const Expr e = work.back();
      work.pop_back();
      if (!in_.mentions(e) || !seen_.insert(e, true)) continue;
      if (is_connective(e)) {
        for (const Expr child : pool_.children(e)) work.push_back(child);
      } else if (!(bits ? compares_bits(e) : compares_numbers(e))) {
        return false;
      }
    }
    return true;
  }

  void add_point(Expr point) {
    if (known_.insert(point, true)) points_.push_back(point);
  }

  bool compares_numbers(Expr atom) {
    const Op op = pool_.op(atom);
    if (op != Op::Eq && op != Op::Lt && op != Op::Le) return false;
    const Expr left = pool_.child(atom, 0);
    if (pool_.type(left) != Type::integer()) return false;
    const auto form = in_.form(pool_.sub(left, pool_.child(atom, 1)));
    if (!form || !pool_.is_const(form->factor)) return false;
    const Integer& factor = pool_.value(form->factor).as_integer();
    const bool up = factor == Integer(1);
    if (!up && factor != Integer(-1)) return false;
    const Expr one = pool_.integer(1);
    const Expr at = up ? pool_.minus(form->rest) : form->rest;
    const Expr behind = pool_.add(at, one);
    below_.insert(atom, op != Op::Eq && up);
    if (op == Op::Eq) {
      add_point(at);
      add_point(behind);
    } else {
      // i <= t, i > t: behind t; i < t, i >= t: at t.
      add_point((op == Op::Le) == up ? behind : at);
    }
    return true;
  }

  bool compares_bits(Expr atom) {
    const Op op = pool_.op(atom);
    if (op != Op::Eq && op != Op::BvULt && op != Op::BvULe && op != Op::BvSLt && op != Op::BvSLe)
      return false;
    const Expr left = pool_.child(atom, 0);
    const Expr right = pool_.child(atom, 1);
    const Expr other = left == variable_ ? right : left;
    if ((left != variable_ && right != variable_) || in_.mentions(other)) return false;
    add_point(other);
    const Expr one = pool_.int_to_bv(pool_.integer(1), pool_.info(pool_.type(other)).width);
    add_point(pool_.make(Op::BvAdd, {other, one}));
    return true;
  }

  // Where the two orders of bit vectors begin.
  void add_bit_borders(Type type) {
    const unsigned width = pool_.info(type).width;
    add_point(pool_.int_to_bv(pool_.integer(0), width));
    add_point(pool_.int_to_bv(pool_.integer(pow(Integer(2), width - 1)), width));
  }

  Expr below_all(Expr formula) {
    Rewriter rewriter(pool_, [&](Expr original, std::span<const Expr>) {
      const bool* value = below_.find(original);
      return value != nullptr ? pool_.boolean(*value) : Expr();
    });
    return rewriter(formula);
  }

  ExprPool& pool_;
  SymbolId bound_;
  Expr variable_;
  LinearIn in_;
  ExprMap<bool> seen_, known_;
  ExprMap<bool> below_;  // comparisons of numbers, and what they say of very small ones
  std::vector<Expr> points_;
};

}  // namespace

std::optional<Expr> holds_at_test_points(ExprPool& pool, Expr formula, SymbolId bound) {
  return TestPoints(pool, bound)(formula);
}

}  // namespace whittle::smt
