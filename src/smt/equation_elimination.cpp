// SPDX-License-Identifier: Apache-2.0
#include "smt/equation_elimination.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "expr/traverse.h"

namespace whittle::smt {

namespace {

constexpr unsigned kMaxDepth = 100;
constexpr std::size_t kMaxLiterals = 30;  // with the variable; each equation makes three cases

enum class Relation : std::uint8_t { Equal, Less, LessEqual };

// factor * x + rest ~ 0, where neither part mentions x.
struct Literal {
  Expr factor, rest;
  Relation relation = Relation::Equal;
};

class OneVariable {
 public:
  OneVariable(ExprPool& pool, SymbolId symbol)
      : pool_(pool), x_(pool.symbol(symbol)), type_(pool.type(x_)) {}

  std::optional<Expr> eliminate(Expr formula) {
    if (type_ != Type::real() && type_ != Type::integer()) return std::nullopt;
    for_each_subterm(pool_, formula, [&](Expr e) {
      bool mentions = e == x_;
      for (Expr child : pool_.children(e)) mentions = mentions || mentions_.contains(child);
      if (mentions) mentions_.insert(e);
    });
    std::vector<Expr> others;
    std::vector<Literal> literals;
    for (Expr part : conjuncts(pool_, formula)) {
      if (!mentions_.contains(part)) {
        others.push_back(part);
        continue;
      }
      std::optional<Literal> literal = literal_of(part);
      if (!literal || literals.size() == kMaxLiterals) return std::nullopt;
      literals.push_back(*literal);
    }
    std::optional<Expr> result = solved(literals);
    if (!result) return std::nullopt;
    others.push_back(*result);
    return pool_.conj(others);
  }

 private:
  struct Sum {
    Expr factor, rest;
  };

  [[nodiscard]] Expr number(int value) {
    return type_ == Type::real() ? pool_.real(Rational(Integer(value))) : pool_.integer(value);
  }

  // The term as factor * x + rest.
  std::optional<Sum> sum_of(Expr term, unsigned depth) {
    if (!mentions_.contains(term)) return Sum{number(0), term};
    if (term == x_) return Sum{number(1), number(0)};
    if (depth > kMaxDepth) return std::nullopt;
    const auto children = pool_.children(term);
    switch (pool_.op(term)) {
      case Op::Neg: {
        auto inner = sum_of(children[0], depth + 1);
        if (!inner) return std::nullopt;
        return Sum{pool_.minus(inner->factor), pool_.minus(inner->rest)};
      }
      case Op::Add:
      case Op::Sub: {
        std::optional<Sum> result;
        for (Expr child : children) {
          auto inner = sum_of(child, depth + 1);
          if (!inner) return std::nullopt;
          if (!result) {
            result = inner;
          } else if (pool_.op(term) == Op::Add) {
            result =
                Sum{pool_.add(result->factor, inner->factor), pool_.add(result->rest, inner->rest)};
          } else {
            result =
                Sum{pool_.sub(result->factor, inner->factor), pool_.sub(result->rest, inner->rest)};
          }
        }
        return result;
      }
      case Op::Mul: {
        Sum result{number(0), number(1)};
        bool seen = false;
        for (Expr child : children) {
          if (mentions_.contains(child)) {
            if (seen) return std::nullopt;  // a square
            seen = true;
            auto inner = sum_of(child, depth + 1);
            if (!inner) return std::nullopt;
            // result.factor is zero so far
            result =
                Sum{pool_.mul(result.rest, inner->factor), pool_.mul(result.rest, inner->rest)};
          } else {
            result = Sum{pool_.mul(result.factor, child), pool_.mul(result.rest, child)};
          }
        }
        return result;
      }
      default:
        return std::nullopt;
    }
  }

  std::optional<Literal> literal_of(Expr part) {
    bool positive = true;
    if (pool_.op(part) == Op::Not) {
      positive = false;
      part = pool_.child(part, 0);
    }
    const Op op = pool_.op(part);
    if (op != Op::Eq && op != Op::Lt && op != Op::Le) return std::nullopt;
    Expr left = pool_.child(part, 0);
    Expr right = pool_.child(part, 1);
    if (pool_.type(left) != type_) return std::nullopt;
    Relation relation = Relation::Equal;
    if (op == Op::Eq) {
      if (!positive) return std::nullopt;
    } else {
      // not (a < b) is b <= a, not (a <= b) is b < a
      if (!positive) std::swap(left, right);
      relation = (op == Op::Lt) == positive ? Relation::Less : Relation::LessEqual;
    }
    auto a = sum_of(left, 0);
    auto b = sum_of(right, 0);
    if (!a || !b) return std::nullopt;
    return Literal{pool_.sub(a->factor, b->factor), pool_.sub(a->rest, b->rest), relation};
  }

  // term ~ 0
  Expr compared(Expr term, Relation relation) {
    switch (relation) {
      case Relation::Equal:
        return pool_.eq(term, number(0));
      case Relation::Less:
        return pool_.lt(term, number(0));
      case Relation::LessEqual:
        return pool_.le(term, number(0));
    }
    return {};
  }

  // There is an x that satisfies all of them.
  std::optional<Expr> solved(std::vector<Literal> literals) {
    const auto equation = std::find_if(literals.begin(), literals.end(), [](const Literal& l) {
      return l.relation == Relation::Equal;
    });
    if (equation == literals.end()) return bounded(literals);
    const Literal chosen = *equation;
    literals.erase(equation);
    if (type_ == Type::integer()) {
      // x has to be an integer: only where the equation surely gives one.
      if (chosen.factor != number(1) && chosen.factor != number(-1)) return std::nullopt;
    }
    // a x + b = 0, so a (f x + r) is a r - f b, which compares with 0 as f x + r does if a > 0.
    std::vector<Expr> above = {pool_.gt(chosen.factor, number(0))};
    std::vector<Expr> below = {pool_.lt(chosen.factor, number(0))};
    for (const Literal& literal : literals) {
      const Expr left = pool_.mul(chosen.factor, literal.rest);
      const Expr right = pool_.mul(literal.factor, chosen.rest);
      above.push_back(compared(pool_.sub(left, right), literal.relation));
      below.push_back(compared(pool_.sub(right, left), literal.relation));
    }
    std::vector<Expr> cases = {pool_.conj(above), pool_.conj(below)};
    const Expr vanishes = pool_.eq(chosen.factor, number(0));
    if (!pool_.is_false(vanishes)) {
      std::optional<Expr> rest = solved(std::move(literals));
      if (!rest) return std::nullopt;
      cases.push_back(pool_.conj(vanishes, pool_.conj(pool_.eq(chosen.rest, number(0)), *rest)));
    }
    return pool_.disj(cases);
  }

  // Every lower bound is below every upper bound. The reals are dense, so that is enough.
  std::optional<Expr> bounded(const std::vector<Literal>& literals) {
    if (type_ != Type::real()) {
      if (literals.empty()) return pool_.boolean(true);
      return std::nullopt;
    }
    std::vector<Expr> parts;
    std::vector<const Literal*> upper, lower;
    for (const Literal& literal : literals) {
      if (!pool_.is_const(literal.factor)) return std::nullopt;
      const int sign = pool_.value(literal.factor).as_real().sign();
      if (sign == 0) {
        parts.push_back(compared(literal.rest, literal.relation));
      } else {
        (sign > 0 ? upper : lower).push_back(&literal);
      }
    }
    // c x + r <= 0 and -d x + s <= 0 with c, d > 0: s / d <= x <= -r / c.
    for (const Literal* up : upper) {
      for (const Literal* low : lower) {
        const Expr sum = pool_.add(pool_.mul(up->factor, low->rest),
                                   pool_.mul(pool_.minus(low->factor), up->rest));
        const bool strict = up->relation == Relation::Less || low->relation == Relation::Less;
        parts.push_back(compared(sum, strict ? Relation::Less : Relation::LessEqual));
      }
    }
    return pool_.conj(parts);
  }

  ExprPool& pool_;
  Expr x_;
  Type type_;
  std::unordered_set<Expr> mentions_;
};

}  // namespace

std::optional<Expr> eliminated_by_equations(ExprPool& pool, Expr formula,
                                            std::span<const SymbolId> bound) {
  // In whatever order it works: an equation with a plain coefficient keeps the conjunction one.
  std::vector<SymbolId> left(bound.begin(), bound.end());
  while (!left.empty()) {
    const std::size_t before = left.size();
    for (std::size_t i = 0; i < left.size();) {
      if (std::optional<Expr> result = OneVariable(pool, left[i]).eliminate(formula)) {
        formula = *result;
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
    if (left.size() == before) return std::nullopt;
  }
  return formula;
}

}  // namespace whittle::smt
