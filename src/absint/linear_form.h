// SPDX-License-Identifier: Apache-2.0
// Numeric terms as linear forms over dimensions. What is not linear becomes a dimension of its own,
// with as much as is known about it: a product is bounded by the bounds of its factors (McCormick's
// envelopes), a quotient and a remainder by what they are defined by.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "expr/linear.h"

namespace whittle::absint {

using LinearForm = whittle::LinearForm<std::size_t>;  // by dimension

// Two forms whose product is a dimension.
struct ProductDimension {
  std::size_t dimension;
  LinearForm left, right;
};

// quotient * divisor <= dividend < (quotient + 1) * divisor, divisor a positive constant.
struct QuotientDimension {
  std::size_t dimension;
  LinearForm dividend;
  Rational divisor;
};

class Dimensions {
 public:
  explicit Dimensions(const ExprPool& pool) : pool_(pool) {}

  // A dimension for a variable; the same one when asked again.
  std::size_t of(SymbolId symbol);
  [[nodiscard]] bool contains(SymbolId symbol) const { return of_symbol_.contains(symbol); }
  std::size_t fresh(bool integer);
  [[nodiscard]] std::size_t size() const { return integer_.size(); }
  [[nodiscard]] bool integer(std::size_t dimension) const { return integer_[dimension] != 0; }
  [[nodiscard]] bool integer(const LinearForm& form) const;
  // requires: Int or Real
  const LinearForm& form(Expr term);

  [[nodiscard]] const std::vector<ProductDimension>& products() const { return products_; }
  [[nodiscard]] const std::vector<QuotientDimension>& quotients() const { return quotients_; }

 private:
  LinearForm form(Expr term, unsigned depth);
  LinearForm product(LinearForm a, LinearForm b, bool integer);
  LinearForm alone(std::size_t dimension);
  LinearForm opaque(Expr term);

  const ExprPool& pool_;
  std::unordered_map<SymbolId, std::size_t> of_symbol_;
  std::unordered_map<Expr, std::size_t> of_term_;  // terms that are only themselves
  std::unordered_map<Expr, LinearForm> forms_;     // so that none gets new dimensions later
  std::vector<char> integer_;
  std::vector<ProductDimension> products_;
  std::vector<QuotientDimension> quotients_;
};

}  // namespace whittle::absint
