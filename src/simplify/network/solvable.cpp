// SPDX-License-Identifier: Apache-2.0
// Eliminating one symbol without a solver, where the shape of the conditions allows it:
//   p == t              the other conditions with t for p
//   l < p, p <= u, ...  every lower bound against every upper one (Fourier and Motzkin; for whole
//                       numbers with bounds made non-strict, so that it is exact there, too)
//   p != t, ...         always, if the type has infinitely many values and one side is open
#include <algorithm>

#include "expr/fourier_motzkin.h"
#include "expr/traverse.h"
#include "simplify/network/free_inputs.h"

namespace whittle::simplify {

namespace {

constexpr std::size_t kMaxPairs = 6;  // of bounds: more would make the condition grow

class Shapes {
 public:
  Shapes(ExprPool& pool, SymbolId symbol) : pool_(pool), p_(pool.symbol(symbol)), symbol_(symbol) {}

  std::optional<Expr> run(std::span<const Expr> parts) {
    for (Expr part : parts)
      if (!pool_.total(part)) return std::nullopt;
    if (auto point = one_point(parts)) return point;
    for (Expr part : parts)
      if (!sort(part)) return std::nullopt;
    const TypeKind kind = pool_.kind(pool_.type(p_));
    const bool number = kind == TypeKind::Int || kind == TypeKind::Real;
    if (bounds_.excludes_values && !number && kind != TypeKind::String) return std::nullopt;
    return within_bounds(pool_, bounds_, pool_.type(p_), kMaxPairs);
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
      bounds_.excludes_values = true;
      return negated;
    }
    // !(a < b) is b <= a, and the other way round.
    const bool strict = (op == Op::Lt) != negated;
    const bool above = (a == p_) == negated;  // p is the greater one
    const Expr one =
        pool_.type(p_) == Type::real() ? pool_.real(Rational(Integer(1))) : pool_.integer(1);
    (above ? bounds_.lower : bounds_.upper).push_back({one, other, strict});
    return true;
  }

  ExprPool& pool_;
  Expr p_;
  SymbolId symbol_;
  LinearBounds bounds_;
};

}  // namespace

std::optional<Expr> solvable(ExprPool& pool, std::span<const Expr> parts, SymbolId symbol) {
  return Shapes(pool, symbol).run(parts);
}

}  // namespace whittle::simplify
