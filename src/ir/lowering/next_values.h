// SPDX-License-Identifier: Apache-2.0
// Next values of the variables that a step writes: assignments, and equations among the conjuncts
// of its relations, solved by substitution. What is no equation stays a relation.
//
//   NextValues next(pool, flat);
//   next.assign(x, x + 1);  next.open(y);  next.require({y' == x'});
//   next.solve();                         // updates: x := x + 1, y := x + 1
#pragma once

#include <array>
#include <map>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/lowering/flat_terms.h"

namespace whittle::lowering {

// A conjunct of a relation. Where the model itself writes it as an equation for next values of its
// own, these are the targets; the interpreter finds such values by itself, so a trace need not
// give them. What becomes an equation only by being made flat is left to the relation.
struct RelationConjunct {
  Expr condition;  // total, over next symbols too
  std::array<std::uint32_t, 2> targets{kNoVariable, kNoVariable};
};

class NextValues {
 public:
  NextValues(ExprPool& pool, FlatTerms& flat) : pool_(pool), flat_(flat) {}

  // Of state variables.
  void move(std::uint32_t location, Expr value) { next_.emplace(location, value); }
  void assign(std::uint32_t variable, Expr value);
  void open(std::span<const std::uint32_t> variables);
  void require(std::span<const RelationConjunct> conjuncts);
  // False: no next values satisfy the relation.
  [[nodiscard]] bool solve();

  // What has to hold before the step.
  [[nodiscard]] const std::vector<Expr>& guard() const { return guard_; }
  [[nodiscard]] std::vector<std::pair<std::uint32_t, Expr>> updates() const;
  // Variables without a value, ascending, and what restricts them. After solve().
  [[nodiscard]] std::vector<std::uint32_t> still_open() const;
  [[nodiscard]] Expr relation() const;

 private:
  [[nodiscard]] bool take_equation(const RelationConjunct& conjunct);
  [[nodiscard]] bool define(Expr next_symbol, Expr value, const RelationConjunct& conjunct);
  [[nodiscard]] bool substitute_known();

  ExprPool& pool_;
  FlatTerms& flat_;
  std::map<std::uint32_t, Expr> next_;  // of what changes; ordered, so that the result is too
  std::unordered_set<std::uint32_t> open_;
  std::vector<RelationConjunct> relation_;  // that is not solved yet
  std::vector<Expr> guard_;
};

}  // namespace whittle::lowering
