// SPDX-License-Identifier: Apache-2.0
#include "expr/readable.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "expr/traverse.h"

namespace whittle {

namespace {

Rational number_of(const Value& value) {
  return value.is_integer() ? Rational(value.as_integer()) : value.as_real();
}

// A sum as coefficients of terms, in the order in which they occur.
class Sum {
 public:
  explicit Sum(const ExprPool& pool) : pool_(pool) {}

  void add(Expr root, const Rational& factor) {
    std::vector<std::pair<Expr, Rational>> open{{root, factor}};
    while (!open.empty()) {
      const auto [e, by] = open.back();
      open.pop_back();
      const auto parts = pool_.children(e);
      switch (pool_.op(e)) {
        case Op::Const:
          constant_ = constant_ + by * number_of(pool_.value(e));
          break;
        case Op::Add:
          for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
            open.emplace_back(*part, by);
          }
          break;
        case Op::Sub:
          open.emplace_back(parts[1], -by);
          open.emplace_back(parts[0], by);
          break;
        case Op::Neg:
          open.emplace_back(parts[0], -by);
          break;
        case Op::Mul:
          if (parts.size() == 2 && pool_.is_const(parts[0])) {
            open.emplace_back(parts[1], by * number_of(pool_.value(parts[0])));
            break;
          }
          term(e, by);
          break;
        default:
          term(e, by);
          break;
      }
    }
  }

  [[nodiscard]] bool whole() const {
    return constant_.is_integer() &&
           std::all_of(terms_.begin(), terms_.end(),
                       [](const auto& entry) { return entry.second.is_integer(); });
  }

  // What has this sign, as a sum with positive coefficients.
  [[nodiscard]] Expr side(ExprPool& pool, bool positive, Type type) const {
    std::vector<Expr> parts;
    const auto number = [&](const Rational& value) {
      return type == Type::real() ? pool.real(value) : pool.integer(value.numerator());
    };
    for (const auto& [e, factor] : terms_) {
      if (factor.sign() == 0 || (factor.sign() > 0) != positive) continue;
      parts.push_back(pool.mul(number(positive ? factor : -factor), e));
    }
    if (constant_.sign() != 0 && (constant_.sign() > 0) == positive) {
      parts.push_back(number(positive ? constant_ : -constant_));
    }
    if (parts.empty()) return number(Rational());
    return parts.size() == 1 ? parts[0] : pool.make(Op::Add, parts);
  }

  // One term against a number: `x >= -1`. Invalid: there are more, or the number is no integer.
  [[nodiscard]] Expr bound(ExprPool& pool, Op op, Type type) const {
    const std::pair<Expr, Rational>* only = nullptr;
    for (const auto& entry : terms_) {
      if (entry.second.sign() == 0) continue;
      if (only != nullptr) return {};
      only = &entry;
    }
    if (only == nullptr) return {};
    const Rational limit = -constant_ / only->second;
    if (type == Type::integer() && !limit.is_integer()) return {};
    const Expr number = type == Type::real() ? pool.real(limit) : pool.integer(limit.numerator());
    if (op == Op::Eq || only->second.sign() > 0) return pool.make(op, {only->first, number});
    return pool.make(op, {number, only->first});
  }

  // Something is left besides the constant.
  [[nodiscard]] bool any() const {
    return std::any_of(terms_.begin(), terms_.end(),
                       [](const auto& entry) { return entry.second.sign() != 0; });
  }

 private:
  void term(Expr e, const Rational& factor) {
    const auto [it, fresh] = places_.try_emplace(e, terms_.size());
    if (fresh) {
      terms_.emplace_back(e, factor);
    } else {
      terms_[it->second].second = terms_[it->second].second + factor;
    }
  }

  const ExprPool& pool_;
  std::vector<std::pair<Expr, Rational>> terms_;
  std::map<Expr, std::size_t> places_;
  Rational constant_;
};

class Readable {
 public:
  explicit Readable(ExprPool& pool)
      : pool_(pool), rewriter_(pool, [this](Expr original, std::span<const Expr> arguments) {
          return step(original, arguments);
        }) {}

  Expr operator()(Expr condition) {
    std::vector<Expr> parts = conjuncts(pool_, rewriter_(condition));
    // Where one may be undefined, their order matters.
    if (!std::all_of(parts.begin(), parts.end(), [&](Expr e) { return pool_.total(e); })) {
      return pool_.conj(parts);
    }
    parts = equations(std::move(parts));
    parts = exclusions(std::move(parts));
    parts = together(std::move(parts), 0);
    parts = together(std::move(parts), 1);
    return pool_.conj(parts);
  }

 private:
  Expr step(Expr original, std::span<const Expr> arguments) {
    switch (pool_.op(original)) {
      case Op::Eq:
      case Op::Lt:
      case Op::Le:
        return comparison(pool_.op(original), arguments[0], arguments[1]);
      case Op::Not:
        return negation(arguments[0]);
      case Op::Or:
        return clause(arguments);
      default:
        return {};
    }
  }

  // Undefined terms stay where they are: `x / y == x / y` is not the same as `0 == 0`.
  Expr comparison(Op op, Expr a, Expr b) {
    const Type type = pool_.type(a);
    if ((type != Type::integer() && type != Type::real()) || !pool_.total(a) || !pool_.total(b))
      return {};
    Sum sum(pool_);
    sum.add(a, Rational(Integer(1)));
    sum.add(b, Rational(Integer(-1)));
    if (!sum.any() || (type == Type::integer() && !sum.whole())) return {};
    if (const Expr plain = sum.bound(pool_, op, type); plain.valid()) return plain;
    const Expr left = sum.side(pool_, true, type);
    const Expr right = sum.side(pool_, false, type);
    // `0 == x` is for machines.
    if (op == Op::Eq && pool_.is_const(left)) return pool_.eq(right, left);
    return pool_.make(op, {left, right});
  }

  // `!(a || b)` is `!a && !b`, and `!(a && !b)` is `a -> b`.
  Expr negation(Expr a) {
    if (pool_.op(a) != Op::Or && pool_.op(a) != Op::And) return {};
    std::vector<Expr> parts;
    for (Expr part : pool_.op(a) == Op::Or ? disjuncts(pool_, a) : conjuncts(pool_, a))
      parts.push_back(pool_.negate(part));
    return pool_.op(a) == Op::Or ? pool_.conj(parts) : clause(parts);
  }

  // A negated variable, or a negated conjunction.
  [[nodiscard]] bool negative(Expr literal) const {
    if (pool_.op(literal) != Op::Not) return false;
    const Expr inner = pool_.child(literal, 0);
    return pool_.op(inner) == Op::Apply || pool_.op(inner) == Op::And;
  }
  // `x != 1`: a condition where there is a conclusion.
  [[nodiscard]] bool unequal(Expr literal) const {
    return pool_.op(literal) == Op::Not && pool_.op(pool_.child(literal, 0)) == Op::Eq;
  }

  Expr clause(std::span<const Expr> arguments) {
    std::vector<Expr> when;
    std::vector<Expr> then;
    for (Expr part : disjuncts(pool_, pool_.disj(arguments))) {
      if (!pool_.total(part)) return {};  // the order of the disjuncts matters
      if (!negative(part)) {
        then.push_back(part);
      } else {
        when.push_back(pool_.child(part, 0));
      }
    }
    const auto conclusions =
        std::count_if(then.begin(), then.end(), [&](Expr part) { return !unequal(part); });
    if (conclusions > 0) {
      for (Expr part : then) {
        if (unequal(part)) when.push_back(pool_.child(part, 0));
      }
      std::erase_if(then, [&](Expr part) { return unequal(part); });
    }
    // `m || x <= 0`: what holds unless m does.
    if (when.empty() && then.size() == 2) {
      const bool first = pool_.op(then[0]) == Op::Apply;
      const auto compared = [&](Expr e) { return pool_.op(e) == Op::Lt || pool_.op(e) == Op::Le; };
      if (pool_.op(then[first ? 0 : 1]) == Op::Apply && compared(then[first ? 1 : 0])) {
        when.push_back(pool_.negate(then[first ? 0 : 1]));
        then.erase(then.begin() + (first ? 0 : 1));
      }
    }
    if (when.empty()) return {};
    if (then.empty()) return pool_.negate(pool_.conj(when));
    if (then.size() == 1 && pool_.op(then[0]) == Op::Implies) {
      when.push_back(pool_.child(then[0], 0));
      return pool_.implies(pool_.conj(when), pool_.child(then[0], 1));
    }
    return pool_.implies(pool_.conj(when), pool_.disj(then));
  }

  // `a <= b` and `b <= a`: `a == b`.
  std::vector<Expr> equations(std::vector<Expr> parts) {
    std::set<Expr> gone;
    const std::set<Expr> all(parts.begin(), parts.end());
    for (Expr& part : parts) {
      if (pool_.op(part) != Op::Le || gone.contains(part)) continue;
      const Expr a = pool_.child(part, 0), b = pool_.child(part, 1);
      const Expr reverse = pool_.make(Op::Le, {b, a});
      if (reverse == part || !all.contains(reverse)) continue;
      gone.insert(reverse);
      part = pool_.is_const(a) ? pool_.eq(b, a) : pool_.eq(a, b);
    }
    std::erase_if(parts, [&](Expr part) { return gone.contains(part); });
    return parts;
  }

  // Pairs that exclude each other: `!(a && b)` for each a of a group and each b of another one is
  // `a1 || a2 -> !b1 && !b2`.
  std::vector<Expr> exclusions(std::vector<Expr> parts) {
    std::map<Expr, std::set<Expr>> excluded;
    const auto pair = [&](Expr e) {
      if (pool_.op(e) != Op::Not || pool_.op(pool_.child(e, 0)) != Op::And) return false;
      const auto both = pool_.children(pool_.child(e, 0));
      return both.size() == 2 && pool_.op(both[0]) == Op::Apply && pool_.op(both[1]) == Op::Apply;
    };
    for (Expr part : parts) {
      if (!pair(part)) continue;
      const Expr a = pool_.child(pool_.child(part, 0), 0), b = pool_.child(pool_.child(part, 0), 1);
      excluded[a].insert(b);
      excluded[b].insert(a);
    }
    std::vector<Expr> result;
    for (Expr part : parts) {
      if (!pair(part)) {
        result.push_back(part);
        continue;
      }
      Expr a = pool_.child(pool_.child(part, 0), 0), b = pool_.child(pool_.child(part, 0), 1);
      if (!excluded[a].contains(b)) continue;  // said already
      if (group(excluded, b).size() * excluded[b].size() >
          group(excluded, a).size() * excluded[a].size())
        std::swap(a, b);
      const std::vector<Expr> these = group(excluded, a);
      const std::vector<Expr> those(excluded[a].begin(), excluded[a].end());
      std::vector<Expr> none;
      for (Expr other : those) none.push_back(pool_.negate(other));
      result.push_back(none.size() == 1 && these.size() == 1
                           ? part
                           : pool_.implies(pool_.disj(these), pool_.conj(none)));
      for (Expr one : these) {
        for (Expr other : those) {
          excluded[one].erase(other);
          excluded[other].erase(one);
        }
      }
    }
    return result;
  }
  // Those that exclude the same as this one, and not each other.
  static std::vector<Expr> group(const std::map<Expr, std::set<Expr>>& excluded, Expr one) {
    std::vector<Expr> result;
    for (const auto& [other, by] : excluded) {
      if (by == excluded.at(one)) result.push_back(other);
    }
    return result;
  }

  // Implications with the same condition (0) or the same conclusion (1) become one.
  std::vector<Expr> together(std::vector<Expr> parts, std::size_t same) {
    std::map<Expr, std::vector<Expr>> others;
    for (Expr part : parts) {
      if (pool_.op(part) == Op::Implies) {
        others[pool_.child(part, same)].push_back(pool_.child(part, 1 - same));
      }
    }
    std::vector<Expr> result;
    for (Expr part : parts) {
      const bool implication = pool_.op(part) == Op::Implies;
      const Expr key = implication ? pool_.child(part, same) : Expr();
      if (!implication || others.at(key).size() == 1) {
        result.push_back(part);
        continue;
      }
      std::vector<Expr>& all = others.at(key);
      if (all.empty()) continue;  // done with the first of them
      result.push_back(same == 0 ? pool_.implies(key, pool_.conj(all))
                                 : pool_.implies(pool_.disj(all), key));
      all.clear();
    }
    return result;
  }

  ExprPool& pool_;
  Rewriter rewriter_;
};

}  // namespace

Expr readable(ExprPool& pool, Expr condition) { return Readable(pool)(condition); }

}  // namespace whittle
