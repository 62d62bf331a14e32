// SPDX-License-Identifier: Apache-2.0
// Eliminating one symbol without a solver, where the shape of the conditions allows it:
//   p == t              the other conditions with t for p
//   l < p, p <= u, ...  every lower bound against every upper one (Fourier and Motzkin; for whole
//                       numbers with bounds made non-strict, so that it is exact there, too)
//   p != t, ...         always, if the type has infinitely many values and one side is open
#include <algorithm>

#include "expr/traverse.h"
#include "simplify/network/free_inputs.h"

namespace whittle::simplify {

namespace {

constexpr std::size_t kMaxPairs = 6;  // of bounds: more would make the condition grow

struct Bound {
  Expr term;
  bool strict = false;
};

class Shapes {
 public:
  Shapes(ExprPool& pool, SymbolId symbol) : pool_(pool), p_(pool.symbol(symbol)), symbol_(symbol) {}

  std::optional<Expr> run(std::span<const Expr> parts) {
    for (Expr part : parts)
      if (!pool_.total(part)) return std::nullopt;
    if (auto point = one_point(parts)) return point;
    for (Expr part : parts)
      if (!sort(part)) return std::nullopt;
    const bool both = !lower_.empty() && !upper_.empty();
    const TypeKind kind = pool_.kind(pool_.type(p_));
    const bool number = kind == TypeKind::Int || kind == TypeKind::Real;
    if (different_ && both) return std::nullopt;
    if (different_ && !number && kind != TypeKind::String) return std::nullopt;
    if (lower_.size() * upper_.size() > kMaxPairs) return std::nullopt;
    std::vector<Expr> result;
    for (const Bound& l : lower_)
      for (const Bound& u : upper_) result.push_back(room(l, u, kind == TypeKind::Int));
    return pool_.conj(result);
  }

 private:
  [[nodiscard]] bool mentions(Expr e) const {
    const auto all = symbols(pool_, e);
    return std::find(all.begin(), all.end(), symbol_) != all.end();
  }

  // The one-point rule.
  std::optional<Expr> one_point(std::span<const Expr> parts) {
    for (Expr part : parts) {
      if (pool_.op(part) != Op::Eq) continue;
      Expr a = pool_.child(part, 0);
      Expr b = pool_.child(part, 1);
      if (b == p_) std::swap(a, b);
      if (a != p_ || mentions(b)) continue;
      Substitution replace(pool_);
      replace.set(symbol_, b);
      std::vector<Expr> rest;
      for (Expr other : parts)
        if (other != part) rest.push_back(replace(other));
      return pool_.conj(rest);
    }
    return std::nullopt;
  }

  // Puts a part where it belongs; false: it has another shape.
  bool sort(Expr part) {
    const bool negated = pool_.op(part) == Op::Not;
    const Expr atom = negated ? pool_.child(part, 0) : part;
    const Op op = pool_.op(atom);
    if (op != Op::Eq && op != Op::Lt && op != Op::Le) return false;
    const Expr a = pool_.child(atom, 0);
    const Expr b = pool_.child(atom, 1);
    if ((a == p_) == (b == p_)) return false;
    const Expr other = a == p_ ? b : a;
    if (mentions(other)) return false;
    if (op == Op::Eq) {
      different_ = true;
      return negated;
    }
    // !(a < b) is b <= a, and the other way round.
    const bool strict = (op == Op::Lt) != negated;
    const bool above = (a == p_) == negated;  // p is the greater one
    (above ? lower_ : upper_).push_back({other, strict});
    return true;
  }

  Expr room(const Bound& l, const Bound& u, bool whole) {
    if (!whole) {
      return l.strict || u.strict ? pool_.lt(l.term, u.term) : pool_.le(l.term, u.term);
    }
    const Expr from = l.strict ? pool_.add(l.term, pool_.integer(1)) : l.term;
    return u.strict ? pool_.lt(from, u.term) : pool_.le(from, u.term);
  }

  ExprPool& pool_;
  Expr p_;
  SymbolId symbol_;
  std::vector<Bound> lower_, upper_;
  bool different_ = false;
};

}  // namespace

std::optional<Expr> solvable(ExprPool& pool, std::span<const Expr> parts, SymbolId symbol) {
  return Shapes(pool, symbol).run(parts);
}

}  // namespace whittle::simplify
