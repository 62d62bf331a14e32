// SPDX-License-Identifier: Apache-2.0
// Linear arithmetic on terms: linear forms c1 * k1 + ... + cn * kn + c with rational coefficients,
// the summands of a term, and terms as `factor * x + rest` for one symbol x.
//
//   linear_form(pool, 2 * (x - y) + x + 1, 100)       {x: 3, y: -2} + 1
//   LinearIn(pool, x).form(a * x + b)                 factor a, rest b
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "expr/expr.h"
#include "expr/expr_map.h"

namespace whittle {

// By key: a term, a symbol, a dimension of a polyhedron.
template <class Key>
struct LinearForm {
  std::map<Key, Rational> factors;  // none is zero
  Rational constant;

  void add(const Key& key, const Rational& factor) {
    const auto [entry, added] = factors.try_emplace(key, factor);
    if (!added) entry->second = entry->second + factor;
    if (entry->second.sign() == 0) factors.erase(entry);
  }
  void add(const LinearForm& other, const Rational& times) {
    for (const auto& [key, factor] : other.factors) add(key, factor * times);
    constant = constant + other.constant * times;
  }
  void scale(const Rational& times) {
    if (times.sign() == 0) factors.clear();
    for (auto& entry : factors) entry.second = entry.second * times;
    constant = constant * times;
  }
  [[nodiscard]] Rational of(const Key& key) const {
    const auto found = factors.find(key);
    return found == factors.end() ? Rational() : found->second;
  }
  // Divides the factors, not the constant, by a number that makes them integers without a common
  // divisor, the first one positive. Returns that number. requires: there are factors
  Rational make_primitive() {
    Integer denominators(1);
    for (const auto& entry : factors) {
      const Integer& d = entry.second.denominator();
      denominators = denominators * euclidean_div(d, gcd(denominators, d));
    }
    Integer divisor(0);
    for (const auto& entry : factors)
      divisor = gcd(divisor, (entry.second * Rational(denominators)).numerator());
    if (factors.begin()->second.sign() < 0) divisor = -divisor;
    const Rational by(divisor, denominators);
    if (by != Rational(Integer(1))) {
      for (auto& entry : factors) entry.second = entry.second / by;
    }
    return by;
  }
};

[[nodiscard]] bool is_number(const ExprPool& pool, Expr e);  // Int or Real
// requires: an Int or a Real
[[nodiscard]] Rational rational(const Value& value);

struct Summand {
  Rational factor;
  Expr term;
};

// An Int as a Real has the summands of the Int, or is one.
enum class Casts : std::uint8_t { Through, Keep };

// The sum without sums inside, from left to right; constants are summands, too, and the same term
// may occur more than once. Empty: more than `most` subterms were visited, for sums that share
// subterms can be exponentially long. No recursion, so terms may be deep.
[[nodiscard]] std::optional<std::vector<Summand>> summands(const ExprPool& pool,
                                                           std::span<const Summand> sum,
                                                           std::size_t most, Casts casts);

// The same with equal terms put together. What is not linear is a key of its own.
[[nodiscard]] std::optional<LinearForm<Expr>> linear_form(const ExprPool& pool,
                                                          std::span<const Summand> sum,
                                                          std::size_t most);
// Empty also: a key is not a variable.
[[nodiscard]] std::optional<LinearForm<SymbolId>> variables_form(const ExprPool& pool, Expr term,
                                                                 std::size_t most);

// The sum of the keys with their factors, without the constant. requires: the factors are integers
// if the keys are
[[nodiscard]] Expr homogeneous_part(ExprPool& pool, const LinearForm<Expr>& form);

// Terms as `factor * x + rest`, where factor and rest are terms without x: linear in x, whatever
// the degree in other symbols is.
class LinearIn {
 public:
  LinearIn(ExprPool& pool, SymbolId x) : pool_(pool), x_(pool.symbol(x)) {}

  struct Form {
    Expr factor, rest;
  };
  // x occurs in the term. Remembered by subterm.
  [[nodiscard]] bool mentions(Expr term);
  // Empty: not linear in x, or nested too deeply. requires: the type of x, a number
  [[nodiscard]] std::optional<Form> form(Expr term);

 private:
  [[nodiscard]] std::optional<Form> form(Expr term, unsigned depth);
  [[nodiscard]] std::optional<Form> sum(Expr term, unsigned depth);
  [[nodiscard]] std::optional<Form> product(Expr term, unsigned depth);
  [[nodiscard]] Expr number(int value);

  ExprPool& pool_;
  Expr x_;
  ExprMap<bool> mentions_;
};

}  // namespace whittle
