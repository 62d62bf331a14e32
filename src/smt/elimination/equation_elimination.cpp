// SPDX-License-Identifier: Apache-2.0
#include "smt/elimination/equation_elimination.h"

#include <algorithm>
#include <optional>

#include "expr/fourier_motzkin.h"
#include "expr/linear.h"
#include "expr/traverse.h"

namespace whittle::smt {

namespace {

constexpr std::size_t kMaxLiterals = 30;   // with the variable
constexpr std::size_t kMaxBranches = 200;  // per variable
constexpr std::size_t kMaxPairs = 64;      // of lower and upper bounds
constexpr std::size_t kMaxValues = 16;
constexpr long kMaxRange = 64;  // integers that are tried one by one

enum class Relation : std::uint8_t { Equal, Less, LessEqual };

// factor * x + rest ~ 0, where neither part mentions x.
struct Literal {
  Expr factor, rest;
  Relation relation = Relation::Equal;
  int sign = 0;  // of the factor, where it is known and not zero
};

using Parts = std::vector<Expr>;  // a conjunction

class OneVariable {
 public:
  OneVariable(ExprPool& pool, SymbolId symbol)
      : pool_(pool),
        symbol_(symbol),
        x_(pool.symbol(symbol)),
        type_(pool.type(x_)),
        linear_(pool, symbol) {}

  std::optional<Expr> eliminate(Expr formula) {
    if (!mentioned(formula)) return formula;
    switch (pool_.kind(type_)) {
      case TypeKind::Bool:
        return pool_.disj(replaced(formula, pool_.boolean(true)),
                          replaced(formula, pool_.boolean(false)));
      case TypeKind::Enum:
        return by_values(formula);
      case TypeKind::Int:
      case TypeKind::Real:
      case TypeKind::String:
        return by_branches(formula);
      default:
        return std::nullopt;
    }
  }

 private:
  [[nodiscard]] bool real() const { return type_ == Type::real(); }
  [[nodiscard]] Expr number(int value) {
    return real() ? pool_.real(Rational(Integer(value))) : pool_.integer(value);
  }

  bool mentioned(Expr e) { return linear_.mentions(e); }

  Expr replaced(Expr formula, Expr by) {
    Substitution substitution(pool_);
    substitution.set(symbol_, by);
    return substitution(formula);
  }

  std::optional<Expr> by_values(Expr formula) {
    const std::size_t count = pool_.info(type_).values.size();
    if (count > kMaxValues) return std::nullopt;
    Parts cases;
    for (std::uint32_t i = 0; i < count; ++i) {
      cases.push_back(replaced(formula, pool_.constant(Value(EnumValue{i}), type_)));
    }
    return pool_.disj(cases);
  }

  // Some of the alternatives of the formula holds.
  std::optional<Expr> by_branches(Expr formula) {
    std::vector<Parts> work = {conjuncts(pool_, formula)};
    Parts results;
    for (std::size_t branches = 1; !work.empty();) {
      Parts parts = std::move(work.back());
      work.pop_back();
      std::vector<Parts> alternatives;
      std::size_t i = 0;
      for (; i < parts.size() && alternatives.empty(); ++i) {
        if (mentioned(parts[i])) alternatives = split(parts[i]);
      }
      if (alternatives.empty()) {
        std::optional<Expr> result = conjunction(parts);
        if (!result) return std::nullopt;
        results.push_back(*result);
        continue;
      }
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i) - 1);
      branches += alternatives.size() - 1;
      if (branches > kMaxBranches) return std::nullopt;
      for (Parts& alternative : alternatives) {
        for (Expr part : parts) alternative.push_back(part);
        const bool possible = std::none_of(alternative.begin(), alternative.end(),
                                           [&](Expr part) { return pool_.is_false(part); });
        if (possible) work.push_back(std::move(alternative));
      }
    }
    return pool_.disj(results);
  }

  // The alternatives of a condition that is no literal; none: it is one.
  std::vector<Parts> split(Expr part) {
    const bool positive = pool_.op(part) != Op::Not;
    const Expr inner = positive ? part : pool_.child(part, 0);
    const auto children = pool_.children(inner);
    auto signed_child = [&](std::size_t i, bool sign) {
      return sign == positive ? children[i] : pool_.negate(children[i]);
    };
    switch (pool_.op(inner)) {
      case Op::And:
      case Op::Or: {
        Parts all;
        for (std::size_t i = 0; i < children.size(); ++i) all.push_back(signed_child(i, true));
        if ((pool_.op(inner) == Op::And) == positive) return {all};
        std::vector<Parts> result;
        for (Expr each : all) result.push_back({each});
        return result;
      }
      case Op::Implies:
        if (!positive) return {{children[0], pool_.negate(children[1])}};
        return {{pool_.negate(children[0])}, {children[1]}};
      case Op::Ite:
        return {{children[0], signed_child(1, true)},
                {pool_.negate(children[0]), signed_child(2, true)}};
      case Op::Eq:
        if (pool_.kind(pool_.type(children[0])) == TypeKind::Bool) {
          return {{children[0], signed_child(1, true)},
                  {pool_.negate(children[0]), signed_child(1, false)}};
        }
        if (auto lifted = without_choice(part); !lifted.empty()) return lifted;
        if (!positive && pool_.type(children[0]) == type_ && pool_.kind(type_) != TypeKind::String)
          return {{pool_.lt(children[0], children[1])}, {pool_.lt(children[1], children[0])}};
        return {};
      default:
        return without_choice(part);
    }
  }

  // A literal in which a term depends on a condition, by cases of that condition.
  std::vector<Parts> without_choice(Expr literal) {
    Expr choice;
    for_each_subterm(pool_, literal, [&](Expr e) {
      if (!choice.valid() && pool_.op(e) == Op::Ite && mentioned(e)) choice = e;
    });
    if (!choice.valid()) return {};
    auto with = [&](std::size_t side) {
      const Expr by = pool_.child(choice, side);
      Rewriter rewriter(pool_,
                        [&](Expr e, std::span<const Expr>) { return e == choice ? by : Expr(); });
      return rewriter(literal);
    };
    const Expr condition = pool_.child(choice, 0);
    return {{condition, with(1)}, {pool_.negate(condition), with(2)}};
  }

  std::optional<Expr> conjunction(const Parts& parts) {
    Parts others;
    Parts about;
    for (Expr part : parts) (mentioned(part) ? about : others).push_back(part);
    if (about.empty()) return pool_.conj(others);
    if (auto value = fixed(about)) {
      return replaced(pool_.conj(parts), *value);
    }
    if (auto result = divided(parts)) return result;
    std::optional<Expr> result = separated(about);
    if (!result) return one_by_one(about, pool_.conj(parts));
    others.push_back(*result);
    return pool_.conj(others);
  }

  // Conditions that all mention x.
  std::optional<Expr> separated(const Parts& about) {
    if (pool_.kind(type_) == TypeKind::String) {
      // Finitely many strings are excluded, which leaves some.
      for (Expr part : about) {
        if (pool_.op(part) != Op::Not || !solved_for(pool_.child(part, 0))) return std::nullopt;
      }
      return pool_.boolean(true);
    }
    std::vector<Literal> literals;
    for (Expr part : about) {
      std::optional<Literal> literal = literal_of(part);
      if (!literal || literals.size() == kMaxLiterals) return std::nullopt;
      literals.push_back(*literal);
    }
    return solved(literals);
  }

  // An integer x with f x + r = 0: f divides r, and x is the quotient; if f can be zero, r is zero
  // then, and the others decide about x.
  std::optional<Expr> divided(const Parts& parts) {
    if (pool_.kind(type_) != TypeKind::Int) return std::nullopt;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (pool_.op(parts[i]) != Op::Eq || !mentioned(parts[i])) continue;
      const std::optional<Literal> literal = literal_of(parts[i]);
      if (!literal) continue;
      const Expr vanishes = pool_.eq(literal->factor, number(0));
      Parts others = parts;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      const Expr divisor = pool_.ite(vanishes, number(1), literal->factor);
      const Expr quotient = pool_.make(Op::IDiv, {pool_.minus(literal->rest), divisor});
      const Expr rest = pool_.make(Op::Mod, {literal->rest, divisor});
      const Expr result = pool_.conj(Parts{pool_.negate(vanishes), pool_.eq(rest, number(0)),
                                           replaced(pool_.conj(others), quotient)});
      if (pool_.is_false(vanishes)) return result;
      const std::optional<Expr> anything = conjunction(others);
      if (!anything) return std::nullopt;
      const Expr nothing_said = pool_.eq(literal->rest, number(0));
      return pool_.disj(result, pool_.conj(Parts{vanishes, nothing_said, *anything}));
    }
    return std::nullopt;
  }

  // An integer between two numbers that are not far apart is one of few, whatever else is said.
  std::optional<Expr> one_by_one(const Parts& about, Expr all) {
    if (pool_.kind(type_) != TypeKind::Int) return std::nullopt;
    std::optional<Integer> least, greatest;
    for (Expr part : about) {
      const std::optional<Literal> literal = literal_of(part);
      if (!literal || literal->relation == Relation::Equal || !pool_.is_const(literal->factor) ||
          !pool_.is_const(literal->rest))
        continue;
      const Integer factor = pool_.value(literal->factor).as_integer();
      const Integer rest = pool_.value(closed(*literal)).as_integer();
      if (factor.sign() > 0) {  // f x <= -r
        const Integer bound = euclidean_div(-rest, factor);
        if (!greatest || bound < *greatest) greatest = bound;
      } else if (factor.sign() < 0) {  // r <= -f x
        const Integer bound = -euclidean_div(-rest, -factor);
        if (!least || bound > *least) least = bound;
      }
    }
    if (!least || !greatest || *greatest - *least >= Integer(kMaxRange)) return std::nullopt;
    Parts cases;
    for (Integer value = *least; value <= *greatest; value = value + Integer(1))
      cases.push_back(replaced(all, pool_.integer(value)));
    return pool_.disj(cases);
  }

  // `x == t` or the other way around, where t does not mention x.
  std::optional<Expr> solved_for(Expr part) {
    if (pool_.op(part) != Op::Eq) return std::nullopt;
    for (const std::size_t side : {0, 1}) {
      const Expr other = pool_.child(part, 1 - side);
      if (pool_.child(part, side) == x_ && !mentioned(other)) return other;
    }
    return std::nullopt;
  }

  // The value that one of the conditions gives to x, whatever the others say.
  std::optional<Expr> fixed(const Parts& parts) {
    for (Expr part : parts) {
      if (auto value = solved_for(part)) return value;
    }
    if (pool_.kind(type_) == TypeKind::String) return std::nullopt;
    for (Expr part : parts) {
      if (pool_.op(part) != Op::Eq) continue;
      const std::optional<Literal> literal = literal_of(part);
      if (!literal || !pool_.is_const(literal->factor)) continue;
      if (literal->factor == number(1)) return pool_.minus(literal->rest);
      if (literal->factor == number(-1)) return literal->rest;
      if (!real()) continue;
      const Rational factor = pool_.value(literal->factor).as_real();
      if (factor.sign() == 0) continue;
      return pool_.mul(pool_.real(Rational(Integer(-1)) / factor), literal->rest);
    }
    return std::nullopt;
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
    auto a = linear_.form(left);
    auto b = linear_.form(right);
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
    if (!real()) return std::nullopt;  // x has to be an integer
    const Literal chosen = *equation;
    literals.erase(equation);
    // a x + b = 0, so a (f x + r) is a r - f b, which compares with 0 as f x + r does if a > 0.
    Parts above = {pool_.gt(chosen.factor, number(0))};
    Parts below = {pool_.lt(chosen.factor, number(0))};
    for (const Literal& literal : literals) {
      const Expr left = pool_.mul(chosen.factor, literal.rest);
      const Expr right = pool_.mul(literal.factor, chosen.rest);
      above.push_back(compared(pool_.sub(left, right), literal.relation));
      below.push_back(compared(pool_.sub(right, left), literal.relation));
    }
    Parts cases = {pool_.conj(above), pool_.conj(below)};
    const Expr vanishes = pool_.eq(chosen.factor, number(0));
    if (!pool_.is_false(vanishes)) {
      std::optional<Expr> rest = solved(std::move(literals));
      if (!rest) return std::nullopt;
      cases.push_back(pool_.conj(vanishes, pool_.conj(pool_.eq(chosen.rest, number(0)), *rest)));
    }
    return pool_.disj(cases);
  }

  struct Case {
    std::vector<Literal> literals;
    Parts given;
  };

  // Inequalities only: by cases of the signs of their factors.
  std::optional<Expr> bounded(const std::vector<Literal>& literals) {
    Case first;
    for (Literal literal : literals) {
      if (pool_.is_const(literal.factor)) literal.sign = sign_of(literal.factor);
      if (pool_.is_const(literal.factor) && literal.sign == 0) {
        first.given.push_back(compared(literal.rest, literal.relation));
      } else {
        first.literals.push_back(literal);
      }
    }
    std::vector<Case> work = {std::move(first)};
    Parts results;
    for (std::size_t branches = 1; !work.empty();) {
      Case now = std::move(work.back());
      work.pop_back();
      const auto open = std::find_if(now.literals.begin(), now.literals.end(),
                                     [](const Literal& literal) { return literal.sign == 0; });
      if (open == now.literals.end()) {
        std::optional<Expr> joined = joined_bounds(now.literals);
        if (!joined) return std::nullopt;
        now.given.push_back(*joined);
        results.push_back(pool_.conj(now.given));
        continue;
      }
      branches += 2;
      if (branches > kMaxBranches) return std::nullopt;
      const Literal chosen = *open;
      for (const int sign : {-1, 1}) {
        open->sign = sign;
        work.push_back(now);
        work.back().given.push_back(sign > 0 ? pool_.gt(chosen.factor, number(0))
                                             : pool_.lt(chosen.factor, number(0)));
      }
      now.literals.erase(open);
      now.given.push_back(pool_.eq(chosen.factor, number(0)));
      now.given.push_back(compared(chosen.rest, chosen.relation));
      work.push_back(std::move(now));
    }
    return pool_.disj(results);
  }

  [[nodiscard]] int sign_of(Expr constant) const {
    const Value& value = pool_.value(constant);
    return real() ? value.as_real().sign() : value.as_integer().sign();
  }

  // f x + r <= 0 is a bound of x: f x <= -r or, where f < 0, -f x >= r.
  std::optional<Expr> joined_bounds(const std::vector<Literal>& literals) {
    LinearBounds bounds;
    for (const Literal& literal : literals) {
      const bool strict = literal.relation == Relation::Less;
      if (literal.sign > 0) {
        bounds.upper.push_back({literal.factor, pool_.minus(literal.rest), strict});
      } else {
        bounds.lower.push_back({pool_.minus(literal.factor), literal.rest, strict});
      }
    }
    return within_bounds(pool_, bounds, type_, kMaxPairs);
  }

  // The rest of a literal; of integers as if it were `<= 0`.
  Expr closed(const Literal& literal) {
    if (real() || literal.relation == Relation::LessEqual) return literal.rest;
    return pool_.add(literal.rest, number(1));
  }

  ExprPool& pool_;
  SymbolId symbol_;
  Expr x_;
  Type type_;
  LinearIn linear_;
};

}  // namespace

PartlyEliminated eliminated_by_equations(ExprPool& pool, Expr formula,
                                         std::span<const SymbolId> bound) {
  // In whatever order it works: an equation with a plain coefficient keeps the conjunction one.
  PartlyEliminated result{formula, {bound.begin(), bound.end()}};
  for (std::size_t before = SIZE_MAX; result.left.size() < before;) {
    before = result.left.size();
    std::erase_if(result.left, [&](SymbolId symbol) {
      std::optional<Expr> without = OneVariable(pool, symbol).eliminate(result.formula);
      if (without) result.formula = *without;
      return without.has_value();
    });
  }
  return result;
}

}  // namespace whittle::smt
