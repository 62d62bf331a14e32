// SPDX-License-Identifier: Apache-2.0
// A set of states, described from outside: a shape of PPL over the numbers and a set of values per
// Bool and enumeration. `Shape` is NNC_Polyhedron or Rational_Box; PPL gives them one interface.
#pragma once

#include <cstdint>
#include <optional>
#include <ppl.hh>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "absint/abandon.h"
#include "absint/linear_form.h"
#include "expr/gmp_number.h"
#include "ir/transition_system.h"

namespace whittle::absint {

namespace ppl = Parma_Polyhedra_Library;

inline constexpr std::size_t kMaxFinite = 64;  // values of an enumeration that is followed

template <class Shape>
struct AbstractState {
  Shape numbers;
  std::vector<std::uint64_t> finite;  // by finite variable: possible values as bits

  void join(const AbstractState& other) {
    numbers.upper_bound_assign(other.numbers);
    if constexpr (std::is_same_v<Shape, ppl::NNC_Polyhedron>) {
      // PPL only puts the generators of both together. Unions of unions would double them each
      // time, and copy all of them, without a place to abandon it.
      (void)numbers.minimized_generators();
    }
    for (std::size_t i = 0; i < finite.size(); ++i) finite[i] |= other.finite[i];
  }
  [[nodiscard]] bool contains(const AbstractState& other) const {
    for (std::size_t i = 0; i < finite.size(); ++i) {
      if ((other.finite[i] & ~finite[i]) != 0) return false;
    }
    return numbers.contains(other.numbers);
  }
};

// Which variables a state is about.
class StateLayout {
 public:
  // `located`: locations are told apart elsewhere.
  StateLayout(const TransitionSystem& system, bool located) : pool_(*system.pool) {
    for (std::uint32_t v = 0; v < system.variables.size(); ++v) {
      const StateVariable& variable = system.variables[v];
      const TypeKind kind = pool_.kind(variable.type);
      if (kind == TypeKind::Int || kind == TypeKind::Real) numbers.push_back(v);
      if (variable.is_location && located) continue;
      std::size_t count = kind == TypeKind::Bool ? 2 : 0;
      if (kind == TypeKind::Enum) count = pool_.info(variable.type).values.size();
      if (count == 0 || count > kMaxFinite) continue;
      finite_of[variable.current] = finite.size();
      finite.push_back(v);
      all.push_back(count == kMaxFinite ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1);
    }
  }
  std::vector<std::uint32_t> numbers;  // state variables by dimension
  std::vector<std::uint32_t> finite;   // state variables by finite variable
  std::vector<std::uint64_t> all;      // by finite variable: all its values
  std::unordered_map<SymbolId, std::size_t> finite_of;

 private:
  const ExprPool& pool_;
};

inline std::uint64_t value_bit(const Value& value) {
  return std::uint64_t{1} << (value.is_bool() ? (value.as_bool() ? 1U : 0U)
                                              : value.as_enum().index);
}

// A form times a positive number that makes all its factors integers.
inline ppl::Linear_Expression linear_expression(const LinearForm& form) {
  Integer common(1);
  auto include = [&](const Rational& r) {
    const Integer& d = r.denominator();
    common = euclidean_div(common * d, gcd(common, d));
  };
  include(form.constant);
  for (const auto& entry : form.factors) include(entry.second);
  auto whole = [&](const Rational& r) {
    return to_mpz(euclidean_div(r.numerator() * common, r.denominator()));
  };
  ppl::Linear_Expression result(whole(form.constant));
  for (const auto& [dimension, factor] : form.factors) {
    result += whole(factor) * ppl::Variable(dimension);
  }
  return result;
}

// Restricts states by conditions. Dimensions must have been made for all terms before the first
// call, and the state's shape must have them (`ready`).
template <class Shape>
class Assumer {
 public:
  Assumer(const ExprPool& pool, const StateLayout& layout, Dimensions& dimensions)
      : pool_(pool), layout_(layout), dimensions_(dimensions) {}

  // The condition (negated if not `positive`) holds in the state. False: nothing is left.
  bool assume(AbstractState<Shape>& state, Expr condition, bool positive = true,
              unsigned depth = 0) {
    if (depth > kMaxDepth) return true;
    look_whether_to_abandon();  // branches of branches
    const auto children = pool_.children(condition);
    switch (pool_.op(condition)) {
      case Op::Const:
        return pool_.value(condition).as_bool() == positive;
      case Op::Not:
        return assume(state, children[0], !positive, depth + 1);
      case Op::And:
      case Op::Or: {
        if ((pool_.op(condition) == Op::And) == positive) {
          for (Expr child : children) {
            if (!assume(state, child, positive, depth + 1)) return false;
          }
          return true;
        }
        return either(state, children, positive, depth);
      }
      case Op::Implies: {
        if (!positive) {
          return assume(state, children[0], true, depth + 1) &&
                 assume(state, children[1], false, depth + 1);
        }
        AbstractState<Shape> left = state;
        const bool left_possible = assume(left, children[0], false, depth + 1);
        const bool right_possible = assume(state, children[1], true, depth + 1);
        return merge(state, right_possible, left, left_possible);
      }
      case Op::Ite: {
        AbstractState<Shape> left = state;
        const bool left_possible = assume(left, children[0], true, depth + 1) &&
                                   assume(left, children[1], positive, depth + 1);
        const bool right_possible = assume(state, children[0], false, depth + 1) &&
                                    assume(state, children[2], positive, depth + 1);
        return merge(state, right_possible, left, left_possible);
      }
      case Op::Apply:
        if (pool_.is_variable(condition)) return restrict_bool(state, condition, positive);
        return true;
      case Op::Eq:
        return equal(state, children[0], children[1], positive, depth);
      case Op::Lt:
      case Op::Le: {
        const bool strict = pool_.op(condition) == Op::Lt;
        // a < b, a <= b; negated: b <= a, b < a
        if (positive) return below(state, children[0], children[1], strict);
        return below(state, children[1], children[0], !strict);
      }
      default:
        return true;
    }
  }

  // What is known about products and quotients, given the bounds of what they are made of.
  bool relate(AbstractState<Shape>& state) {
    for (const QuotientDimension& quotient : dimensions_.quotients()) {
      LinearForm rest = quotient.dividend;  // dividend - divisor * quotient is in [0, divisor)
      LinearForm alone;
      alone.factors[quotient.dimension] = Rational(Integer(1));
      rest.add(alone, -quotient.divisor);
      state.numbers.refine_with_constraint(linear_expression(rest) >= 0);
      rest.constant = rest.constant - quotient.divisor;
      state.numbers.refine_with_constraint(linear_expression(rest) < 0);
    }
    for (const ProductDimension& product : dimensions_.products()) envelope(state, product);
    return !state.numbers.is_empty();
  }

 private:
  static constexpr unsigned kMaxDepth = 100;
  static constexpr std::size_t kMaxBranches = 16;

  static bool merge(AbstractState<Shape>& state, bool possible, AbstractState<Shape>& other,
                    bool other_possible) {
    if (!other_possible) return possible;
    if (!possible) {
      state = std::move(other);
    } else {
      state.join(other);
    }
    return true;
  }

  bool either(AbstractState<Shape>& state, std::span<const Expr> children, bool positive,
              unsigned depth) {
    if (children.size() > kMaxBranches) return true;
    std::optional<AbstractState<Shape>> all;
    for (Expr child : children) {
      AbstractState<Shape> branch = state;
      if (!assume(branch, child, positive, depth + 1)) continue;
      if (all) {
        all->join(branch);
      } else {
        all = std::move(branch);
      }
    }
    if (!all) return false;
    state = std::move(*all);
    return true;
  }

  bool restrict_bool(AbstractState<Shape>& state, Expr variable, bool value) {
    const auto found = layout_.finite_of.find(pool_.symbol_of(variable));
    if (found == layout_.finite_of.end()) return true;
    return (state.finite[found->second] &= value_bit(Value(value))) != 0;
  }

  bool equal(AbstractState<Shape>& state, Expr a, Expr b, bool positive, unsigned depth) {
    const TypeKind kind = pool_.kind(pool_.type(a));
    if (kind == TypeKind::Int || kind == TypeKind::Real) {
      if (positive) {
        LinearForm difference = dimensions_.form(a);
        difference.add(dimensions_.form(b), Rational(Integer(-1)));
        state.numbers.refine_with_constraint(linear_expression(difference) == 0);
        return !state.numbers.is_empty();
      }
      AbstractState<Shape> more = state;
      const bool less_possible = below(state, a, b, true);
      const bool more_possible = below(more, b, a, true);
      return merge(state, less_possible, more, more_possible);
    }
    if (kind != TypeKind::Bool && kind != TypeKind::Enum) return true;
    if (pool_.is_const(a)) std::swap(a, b);
    if (kind == TypeKind::Bool) {
      if (!pool_.is_const(b)) return true;
      return assume(state, a, pool_.value(b).as_bool() == positive, depth + 1);
    }
    if (!pool_.is_variable(a)) return true;
    const auto left = layout_.finite_of.find(pool_.symbol_of(a));
    if (left == layout_.finite_of.end()) return true;
    std::uint64_t& values = state.finite[left->second];
    if (pool_.is_const(b)) {
      const std::uint64_t bit = value_bit(pool_.value(b));
      return (values &= positive ? bit : ~bit) != 0;
    }
    if (!positive || !pool_.is_variable(b)) return true;
    const auto right = layout_.finite_of.find(pool_.symbol_of(b));
    if (right == layout_.finite_of.end()) return true;
    values &= state.finite[right->second];
    return (state.finite[right->second] &= values) != 0;
  }

  // a < b or a <= b. Between integers, a < b is a + 1 <= b.
  bool below(AbstractState<Shape>& state, Expr a, Expr b, bool strict) {
    LinearForm difference = dimensions_.form(a);
    difference.add(dimensions_.form(b), Rational(Integer(-1)));
    if (strict && dimensions_.integer(difference)) {
      difference.constant = difference.constant + Rational(Integer(1));
      strict = false;
    }
    const ppl::Linear_Expression left = linear_expression(difference);
    if (strict) {
      state.numbers.refine_with_constraint(left < 0);
    } else {
      state.numbers.refine_with_constraint(left <= 0);
    }
    return !state.numbers.is_empty();
  }

  struct Bounds {
    std::optional<Rational> low, high;
  };

  static Bounds bounds(const Shape& shape, const LinearForm& form) {
    Bounds result;
    LinearForm scaled = form;  // the constant apart, because scaling would change it
    scaled.constant = Rational();
    Integer common(1);
    for (const auto& entry : scaled.factors) {
      const Integer& d = entry.second.denominator();
      common = euclidean_div(common * d, gcd(common, d));
    }
    const ppl::Linear_Expression expression = linear_expression(scaled);
    ppl::Coefficient numerator, denominator;
    bool attained = false;
    auto value = [&] {
      return Rational(from_mpz(mpz_class(numerator)), from_mpz(mpz_class(denominator)) * common) +
             form.constant;
    };
    if (shape.minimize(expression, numerator, denominator, attained)) result.low = value();
    if (shape.maximize(expression, numerator, denominator, attained)) result.high = value();
    return result;
  }

  // (x - a)(y - b) >= 0 for bounds a, b on the same side, <= 0 for bounds on different sides.
  void envelope(AbstractState<Shape>& state, const ProductDimension& product) {
    const Bounds x = bounds(state.numbers, product.left);
    const Bounds y = bounds(state.numbers, product.right);
    auto corner = [&](const std::optional<Rational>& a, const std::optional<Rational>& b,
                      bool positive) {
      if (!a || !b) return;
      LinearForm form;  // w - b x - a y + a b
      form.factors[product.dimension] = Rational(Integer(1));
      form.add(product.left, -*b);
      form.add(product.right, -*a);
      form.constant = form.constant + *a * *b;
      const ppl::Linear_Expression e = linear_expression(form);
      if (positive) {
        state.numbers.refine_with_constraint(e >= 0);
      } else {
        state.numbers.refine_with_constraint(e <= 0);
      }
    };
    if (state.numbers.is_empty()) return;
    corner(x.low, y.low, true);
    corner(x.high, y.high, true);
    corner(x.low, y.high, false);
    corner(x.high, y.low, false);
    const bool square = product.left.factors == product.right.factors &&
                        product.left.constant == product.right.constant;
    if (square) {
      state.numbers.refine_with_constraint(ppl::Variable(product.dimension) >= 0);
    }
  }

  const ExprPool& pool_;
  const StateLayout& layout_;
  Dimensions& dimensions_;
};

}  // namespace whittle::absint
