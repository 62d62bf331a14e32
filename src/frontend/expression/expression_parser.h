// SPDX-License-Identifier: Apache-2.0
// From tokens to expressions, for STS and PROC. From strong to weak:
//
//   x' a[i] p.x p@l    unary -    ^ (right)    * / %    + - ++    !    < <= > >=    == !=    && ||
//   -> (right)    forall, exists, if then else (these extend as far to the right as possible)
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "frontend/expression/syntax_tree.h"
#include "frontend/expression/token_reader.h"

namespace whittle::frontend {

// Reads the longest expression that begins at the reader's place; the reader then stands at the
// first token that does not belong to it. Nothing: an error was reported there. Never recurses;
// what is open (parentheses, pending operators) is limited to kMaxNesting.
[[nodiscard]] std::optional<SyntaxId> parse_expression(TokenReader& reader, StopsExpression stops);

// Formulas of temporal logic: expressions with operators weaker than comparisons:
//
//   unary ! [] <> next ...    until weakuntil release since (right)    &&    ||    -> (right) <->
//
// and with the atoms `halt` and `taken(...)`.
struct FormulaGrammar {
  std::string names;      // single letters that are names of the model, not operators
  bool argument = false;  // of a pattern: Boolean and infix temporal operators only in parentheses
};
[[nodiscard]] std::optional<SyntaxId> parse_formula(TokenReader& reader, StopsExpression stops,
                                                    const FormulaGrammar& grammar);

inline constexpr std::size_t kMaxNesting = 10'000;

}  // namespace whittle::frontend
