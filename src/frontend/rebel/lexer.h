// SPDX-License-Identifier: Apache-2.0
// Tokens of Rebel, made on demand from any offset, so that a parser may look ahead as far as it
// likes without a token ever being stored. Words are never keywords here: nearly every word of the
// language occurs as the name of an event, a field or a state in real files, so the parser decides.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/diagnostics.h"
#include "base/source.h"

namespace whittle::rebel {

enum class TokenKind : std::uint8_t {
  End,
  Word,     // identifier, keyword, currency, IBAN: [A-Za-z_][A-Za-z0-9_]*'*
  Int,      // 42
  Percent,  // 10%
  Decimal,  // 50.00: an amount of money without its currency
  Time,     // 16:42 or 16:42:07, no blanks
  String,   // "..." with its quotes
  LBrace,
  RBrace,
  LBracket,
  RBracket,
  LParen,
  RParen,
  Comma,
  Semicolon,
  Colon,
  Dot,
  DotDot,
  Ellipsis,  // ...: schematic text
  Arrow,     // ->
  FatArrow,  // =>
  Assign,    // =
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  AndAnd,
  OrOr,
  Bar,
  Plus,
  Minus,
  Star,
  Slash,
  PercentSign,
  Question,
  At,
  Bang,     // `!`: not Rebel, but often written for `not`
  Amp,      // `&`
  Box,      // U+25A1
  Diamond,  // U+25C7
  Bad,      // reported already
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// How a message names a token kind: "'{'", "a name", ...
[[nodiscard]] std::string_view spelled(TokenKind kind);

class Lexer {
 public:
  Lexer(std::string_view text, FileId file, Diagnostics& diagnostics)
      : text_(text), file_(file), diagnostics_(diagnostics) {}

  // The first token at or after an offset. Problems are reported the first time an offset is seen.
  Token next(std::uint32_t offset);
  // `offset` is just behind `@doc`: the end of the balanced `{...}` that follows (the offset behind
  // its closing brace), or `offset` itself if there is none.
  std::uint32_t tag_end(std::uint32_t offset);

  // Whether the signs of mathematics are operators, as in formulas of temporal logic.
  void read_formulas(bool wanted) { formulas_ = wanted; }

  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::string_view text(Token token) const {
    return text_.substr(token.begin, token.end - token.begin);
  }
  [[nodiscard]] FileId file() const { return file_; }

 private:
  std::uint32_t skip_layout(std::uint32_t at);
  Token number(std::uint32_t begin);
  Token word(std::uint32_t begin) const;
  Token string(std::uint32_t begin);
  Token stray(std::uint32_t begin);
  void report(std::string_view id, std::uint32_t begin, std::uint32_t end, std::string message,
              std::string hint = "");

  [[nodiscard]] char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }

  std::string_view text_;
  FileId file_;
  Diagnostics& diagnostics_;
  bool formulas_ = false;
  std::uint32_t reported_ = 0;  // problems before this offset have been reported
};

}  // namespace whittle::rebel
