// SPDX-License-Identifier: Apache-2.0
// Terms as text that the expression parser reads back as the same terms. Differs from
// expr/print.h in what the languages leave implicit: Int is widened to Real without a word, so a
// widening is written only where the neighbours do not show it, and a Real constant always looks
// like one.
#pragma once

#include <functional>
#include <string>

#include "expr/expr.h"

namespace whittle::frontend {

// How a symbol is written.
using SymbolWriter = std::function<std::string(SymbolId)>;

// How much the place of a term demands: 0 nothing, higher more (see expression_parser.h); weaker
// terms get parentheses. The numbers are those of the parser.
enum class Strength : int {
  Weakest = 0,
  Iff = 1,  // formulas only
  Implies = 2,
  Or = 3,
  And = 4,
  TemporalBinary = 5,  // formulas only
  Unary = 6,           // formulas only: temporal operators and `!`
  Equality = 7,
  Comparison = 8,
  Not = 9,
  Sum = 10,
  Product = 11,
  Power = 12,
  Sign = 13,
  Atom = 14,
};

struct PrintPlace {
  Strength needs = Strength::Weakest;
  bool widened = false;  // the neighbour shows that a Real is meant
};

// Exact: read back, the text gives the same term. ForPeople: one that means the same; what a Real
// is compared with is written as people do, `balance >= 0`. Formula: exact as a part of a formula
// of temporal logic, where `!` binds weaker than comparisons.
enum class PrintMode { Exact, ForPeople, Formula };

// Linear in the text. Operators that the languages do not have are written as expr/print.h does.
[[nodiscard]] std::string print_expression(const ExprPool& pool, Expr e, const SymbolWriter& symbol,
                                           PrintPlace place = {},
                                           PrintMode mode = PrintMode::Exact);
// A value of that type; Real values for people are written without a needless point unless `exact`.
[[nodiscard]] std::string print_value(const ExprPool& pool, const Value& value, Type type,
                                      bool exact);

}  // namespace whittle::frontend
