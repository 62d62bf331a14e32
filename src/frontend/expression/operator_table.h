// SPDX-License-Identifier: Apache-2.0
// The operators of expressions and of formulas of temporal logic, and how strongly they bind; the
// numbers are those of `Strength` in expression_printer.h. Languages with expression parsers of
// their own take the words and the strengths of formulas from here.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "frontend/expression/syntax_tree.h"
#include "frontend/expression/token_reader.h"

namespace whittle::frontend {

struct OperatorInfo {
  SyntaxKind kind = SyntaxKind::And;
  int strength = 0;  // higher binds tighter
  bool right = false;
  std::size_t tokens = 1;
};

inline constexpr int kNegateStrength = 13;
inline constexpr int kNotStrength = 9;
inline constexpr int kUnaryFormulaStrength = 6;  // temporal operators, and `!` in formulas
// Operators that bind weaker than this make a formula of formulas.
inline constexpr int kConditionStrength = 7;

// The infix operator that a kind of token is, in every expression.
[[nodiscard]] std::optional<OperatorInfo> infix_operator(TokenKind kind);
// What is meant by an infix operator of other languages, and how it is written here.
[[nodiscard]] std::optional<std::pair<TokenKind, std::string_view>> meant_operator(
    const TokenReader& reader);

// ----- formulas. `names`: the single letters that the model declares, which are names then
[[nodiscard]] std::optional<OperatorInfo> infix_of_formula(const TokenReader& reader,
                                                           std::string_view names);
[[nodiscard]] std::optional<OperatorInfo> prefix_of_formula(const TokenReader& reader,
                                                            std::string_view names);
[[nodiscard]] std::optional<SyntaxKind> temporal_word(std::string_view word);
// Whether the token behind the word at hand can begin an operand and nothing else.
[[nodiscard]] bool begins_operand(const TokenReader& reader, StopsExpression stops);
// How messages name it: "[]", "until".
[[nodiscard]] std::string_view operator_text(SyntaxKind kind);
[[nodiscard]] bool is_past(SyntaxKind kind);

// The single letters among G F X U W R that the file declares as names behind one of these words;
// behind `var` and `enum` stand lists of names.
[[nodiscard]] std::string declared_letters(const SyntaxTree& tree,
                                           std::initializer_list<std::string_view> declarations);

}  // namespace whittle::frontend
