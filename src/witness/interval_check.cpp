// SPDX-License-Identifier: Apache-2.0
#include "witness/interval_check.h"

#include <map>
#include <optional>
#include <vector>

namespace whittle {

namespace {

constexpr unsigned kMaxDepth = 50;
constexpr int kRounds = 3;
constexpr std::size_t kMaxBranches = 32;  // in all

// Sum of factor * term + constant; terms are whatever is not a sum.
struct Sum {
  std::map<std::uint32_t, Rational> factors;  // by id of the term
  Rational constant;
};

// sum < 0, sum <= 0 or sum == 0
struct Comparison {
  Sum sum;
  bool strict = false;
  bool equation = false;
};

struct Bound {
  Rational value;
  bool strict = false;
};

struct TermRange {
  std::optional<Bound> low, high;
};

class Refuter {
 public:
  explicit Refuter(const ExprPool& pool) : pool_(pool) {}

  bool refute(Expr condition) {
    add(condition, true, 0);
    return impossible();
  }

 private:
  // Takes the condition apart; what it cannot express is left out, which is safe.
  void add(Expr condition, bool positive, unsigned depth) {
    if (depth > kMaxDepth || contradiction_) return;
    const auto children = pool_.children(condition);
    switch (pool_.op(condition)) {
      case Op::Const:
        contradiction_ = pool_.value(condition).as_bool() != positive;
        return;
      case Op::Not:
        add(children[0], !positive, depth + 1);
        return;
      case Op::And:
      case Op::Or:
        if ((pool_.op(condition) == Op::And) == positive) {
          for (Expr child : children) add(child, positive, depth + 1);
        } else {
          std::vector<std::pair<Expr, bool>> choice;
          for (Expr child : children) choice.emplace_back(child, positive);
          choices_.push_back(std::move(choice));
        }
        return;
      case Op::Implies:
        if (positive) {
          choices_.push_back({{children[0], false}, {children[1], true}});
        } else {
          add(children[0], true, depth + 1);
          add(children[1], false, depth + 1);
        }
        return;
      case Op::Lt:
      case Op::Le: {
        // not (a < b) is b <= a
        const bool strict = (pool_.op(condition) == Op::Lt) == positive;
        compare(children[positive ? 0 : 1], children[positive ? 1 : 0], strict, false);
        return;
      }
      case Op::Eq:
        equal(condition, positive);
        return;
      case Op::Apply:
        fact(condition, positive);
        return;
      default:
        return;
    }
  }

  void fact(Expr atom, bool value) {
    const auto [known, fresh] = facts_.try_emplace(atom.id(), value);
    if (!fresh && known->second != value) contradiction_ = true;
  }

  void equal(Expr condition, bool positive) {
    Expr a = pool_.child(condition, 0);
    Expr b = pool_.child(condition, 1);
    const TypeKind kind = pool_.kind(pool_.type(a));
    if (kind == TypeKind::Int || kind == TypeKind::Real) {
      if (positive) compare(a, b, false, true);
      return;
    }
    fact(condition, positive);
    if (!positive || kind != TypeKind::Enum) return;
    if (pool_.is_const(a)) std::swap(a, b);
    if (!pool_.is_const(b)) return;
    const auto [known, fresh] = places_.try_emplace(a.id(), b.id());
    if (!fresh && known->second != b.id()) contradiction_ = true;
  }

  void compare(Expr a, Expr b, bool strict, bool equation) {
    Comparison result;
    result.strict = strict;
    result.equation = equation;
    const Rational one(Integer(1));
    include(a, one, result.sum, 0);
    include(b, -one, result.sum, 0);
    if (strict && integral(result.sum)) {
      result.sum.constant = result.sum.constant + one;
      result.strict = false;
    }
    comparisons_.push_back(std::move(result));
  }

  [[nodiscard]] bool integral(const Sum& sum) const {
    if (!sum.constant.is_integer()) return false;
    for (const auto& [term, factor] : sum.factors) {
      if (!factor.is_integer() || !whole_.at(term)) return false;
    }
    return true;
  }

  void include(Expr term, const Rational& times, Sum& sum, unsigned depth) {
    const auto children = pool_.children(term);
    if (depth < kMaxDepth) {
      switch (pool_.op(term)) {
        case Op::Const: {
          const Value& value = pool_.value(term);
          sum.constant = sum.constant + times * (value.is_integer() ? Rational(value.as_integer())
                                                                    : value.as_real());
          return;
        }
        case Op::Neg:
          include(children[0], -times, sum, depth + 1);
          return;
        case Op::Add:
          for (Expr child : children) include(child, times, sum, depth + 1);
          return;
        case Op::Sub:
          include(children[0], times, sum, depth + 1);
          for (Expr child : children.subspan(1)) include(child, -times, sum, depth + 1);
          return;
        case Op::ToReal:
          include(children[0], times, sum, depth + 1);
          return;
        case Op::Mul:
          if (children.size() == 2 && pool_.is_const(children[0])) {
            Sum factor;
            include(children[0], times, factor, depth + 1);
            include(children[1], factor.constant, sum, depth + 1);
            return;
          }
          break;
        default:
          break;
      }
    }
    whole_[term.id()] = pool_.type(term) == Type::integer();
    Rational& mine = sum.factors[term.id()];
    mine = mine + times;
    if (mine.sign() == 0) sum.factors.erase(term.id());
  }

  // The least value of a sum without one of its terms; empty: there is none.
  [[nodiscard]] std::optional<Bound> least(const Sum& sum, std::optional<std::uint32_t> without) {
    Bound result{sum.constant, false};
    for (const auto& [term, factor] : sum.factors) {
      if (term == without) continue;
      const TermRange& range = ranges_[term];
      const std::optional<Bound>& bound = factor.sign() > 0 ? range.low : range.high;
      if (!bound) return std::nullopt;
      result.value = result.value + factor * bound->value;
      result.strict = result.strict || bound->strict;
    }
    return result;
  }

  void tighten(TermRange& range, Bound bound, bool upper, bool whole) {
    if (whole) {
      // An integer that is less than 3.5 is at most 3, one that is less than 3 at most 2.
      const Rational& v = bound.value;
      Integer rounded = upper ? v.floor() : -((-v).floor());
      if (bound.strict && v.is_integer()) rounded = rounded + Integer(upper ? -1 : 1);
      bound = {Rational(rounded), false};
    }
    std::optional<Bound>& mine = upper ? range.high : range.low;
    const bool better = !mine || (upper ? bound.value < mine->value : bound.value > mine->value) ||
                        (bound.value == mine->value && bound.strict && !mine->strict);
    if (better) mine = bound;
    if (!range.low || !range.high) return;
    if (range.low->value > range.high->value ||
        (range.low->value == range.high->value && (range.low->strict || range.high->strict))) {
      contradiction_ = true;
    }
  }

  // factor * term <= -(the least value of the rest)
  void propagate(const Comparison& comparison, bool negated) {
    Sum sum = comparison.sum;
    if (negated) {
      sum.constant = -sum.constant;
      for (auto& entry : sum.factors) entry.second = -entry.second;
    }
    const std::optional<Bound> all = least(sum, std::nullopt);
    if (all) {
      const bool strict = all->strict || comparison.strict;
      contradiction_ = all->value.sign() > 0 || (all->value.sign() == 0 && strict);
      if (contradiction_) return;
    }
    for (const auto& [term, factor] : sum.factors) {
      const std::optional<Bound> rest = least(sum, term);
      if (!rest) continue;
      const Bound bound{-rest->value / factor, rest->strict || comparison.strict};
      tighten(ranges_[term], bound, factor.sign() > 0, whole_.at(term));
      if (contradiction_) return;
    }
  }

  bool impossible() {
    for (int round = 0; round < kRounds && !contradiction_; ++round) {
      for (const Comparison& comparison : comparisons_) {
        if (contradiction_) break;
        propagate(comparison, false);
        if (comparison.equation && !contradiction_) propagate(comparison, true);
      }
    }
    if (contradiction_) return true;
    // Some choice of which every branch is impossible.
    const std::vector<std::vector<std::pair<Expr, bool>>> choices = std::move(choices_);
    for (const auto& choice : choices) {
      bool all = true;
      for (const auto& [branch, positive] : choice) {
        if (branches_ + 1 > kMaxBranches) return false;
        ++branches_;
        Refuter inner = *this;
        inner.choices_.clear();
        inner.add(branch, positive, 0);
        all = inner.impossible();
        branches_ = inner.branches_;
        if (!all) break;
      }
      if (all) return true;
    }
    return false;
  }

  const ExprPool& pool_;
  std::vector<Comparison> comparisons_;
  std::vector<std::vector<std::pair<Expr, bool>>> choices_;
  std::map<std::uint32_t, TermRange> ranges_;  // by id of the term
  std::map<std::uint32_t, bool> whole_;        // the term is an integer
  std::map<std::uint32_t, bool> facts_;
  std::map<std::uint32_t, std::uint32_t> places_;  // enumeration: its value
  std::size_t branches_ = 0;
  bool contradiction_ = false;
};

}  // namespace

bool refuted_by_intervals(const ExprPool& pool, Expr condition) {
  return Refuter(pool).refute(condition);
}

}  // namespace whittle
