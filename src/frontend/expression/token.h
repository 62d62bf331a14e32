// SPDX-License-Identifier: Apache-2.0
// Tokens of the languages that share our lexical rules (STS, PROC): names `[A-Za-z_][A-Za-z0-9_]*`,
// text in double quotes, numbers of any size, operators (those of logic also as
// the signs of mathematics: U+2227, U+2228, U+00AC, U+2192, U+21D2, U+25A1, U+25C7), `//` and
// `/* */` comments.
#pragma once

#include <cstdint>
#include <string_view>

namespace whittle::frontend {

enum class TokenKind : std::uint8_t {
  End,
  Word,     // a name or a keyword; which one is for the parser to say
  Text,     // "..." with its quotes
  Integer,  // 12
  Decimal,  // 12.5
  // Brackets and punctuation.
  OpenParen,
  CloseParen,
  OpenBracket,
  CloseBracket,
  OpenBrace,
  CloseBrace,
  Comma,
  Semicolon,
  Colon,
  Dot,
  DotDot,
  At,
  Prime,
  Becomes,  // :=
  Assign,   // =
  // Operators.
  Arrow,  // ->
  Or,     // ||
  And,    // &&
  Equal,  // ==
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Not,
  Plus,
  Minus,
  PlusPlus,
  Star,
  Slash,
  Percent,
  Caret,
  // Parts of formulas of temporal logic.
  DoubleArrow,  // =>
  LessGreater,  // <>
  Box,          // U+25A1; `[]` is two brackets
  // What people write who come from other languages; never part of a correct text.
  Ampersand,  // &
  Bar,        // |
  Bad,        // characters that start no token; already reported
};

// Offsets in the file; the text is cut out when somebody looks.
struct Token {
  TokenKind kind = TokenKind::End;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// How a kind is named in messages: "`->`", "a name", "the end of the file".
[[nodiscard]] std::string_view describe(TokenKind kind);

}  // namespace whittle::frontend
