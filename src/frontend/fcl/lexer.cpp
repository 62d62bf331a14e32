// SPDX-License-Identifier: Apache-2.0
#include "frontend/fcl/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/checkpoint.h"
#include "base/error.h"
#include "base/text.h"

namespace whittle::fcl {

namespace {

using frontend::Token;
using frontend::TokenKind;

// Longer ones before their beginnings.
constexpr std::array<std::pair<std::string_view, TokenKind>, 40> kSigns = {{
    {":=", TokenKind::Becomes},
    {"..", TokenKind::DotDot},
    {"->", TokenKind::Arrow},
    {"||", TokenKind::Or},
    {"&&", TokenKind::And},
    {"!=", TokenKind::NotEqual},
    {"/=", TokenKind::NotEqual},
    {"<>", TokenKind::LessGreater},
    {"<=", TokenKind::LessEqual},
    {">=", TokenKind::GreaterEqual},
    {"=>", TokenKind::DoubleArrow},
    {"(", TokenKind::OpenParen},
    {")", TokenKind::CloseParen},
    {"[", TokenKind::OpenBracket},
    {"]", TokenKind::CloseBracket},
    {"{", TokenKind::OpenBrace},
    {"}", TokenKind::CloseBrace},
    {",", TokenKind::Comma},
    {";", TokenKind::Semicolon},
    {":", TokenKind::Colon},
    {".", TokenKind::Dot},
    {"@", TokenKind::At},
    {"=", TokenKind::Assign},
    {"<", TokenKind::Less},
    {">", TokenKind::Greater},
    {"!", TokenKind::Not},
    {"+", TokenKind::Plus},
    {"-", TokenKind::Minus},
    {"*", TokenKind::Star},
    {"/", TokenKind::Slash},
    {"%", TokenKind::Percent},
    {"&", TokenKind::Ampersand},
    {"|", TokenKind::Bar},
    // As people write formulas.
    {"\u2227", TokenKind::And},
    {"\u2228", TokenKind::Or},
    {"\u00ac", TokenKind::Not},
    {"\u21d2", TokenKind::DoubleArrow},
    {"\u2192", TokenKind::Arrow},
    {"\u25c7", TokenKind::LessGreater},
    {"\u25a1", TokenKind::Box},
}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

class Lexer {
 public:
  Lexer(std::string_view text, FileId file, Diagnostics& diagnostics)
      : text_(text), file_(file), diagnostics_(diagnostics) {
    WHITTLE_REQUIRE(text.size() < UINT32_MAX, "file too large for 32-bit offsets");
  }

  Tokens run() {
    while (at_ < text_.size() && !diagnostics_.saturated()) {
      checkpoint();
      next();
    }
    at_ = std::min(at_, text_.size());
    take_number();
    push(TokenKind::End, at_);
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool starts(std::string_view what) const {
    return text_.substr(at_, what.size()) == what;
  }

  void next() {
    const char c = text_[at_];
    if (c == '\n') take_number();
    if (is_space(c)) {
      ++at_;
    } else if (starts(";;")) {
      take_number();
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (is_letter(c)) {
      word();
    } else if (is_digit(c)) {
      const std::size_t begin = at_;
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
      push(TokenKind::Integer, begin);
    } else if (c == '?') {
      ++at_;
      push(TokenKind::Word, at_ - 1);
    } else {
      sign();
    }
  }

  void word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    if (at_ < text_.size() && text_[at_] == '?') ++at_;
    push(TokenKind::Word, begin);
  }

  void sign() {
    for (const auto& [text, kind] : kSigns) {
      if (!starts(text)) continue;
      const std::size_t begin = at_;
      at_ += text.size();
      return push(kind, begin);
    }
    const std::size_t begin = at_++;
    // The rest of a character of several bytes belongs to it.
    while (at_ < text_.size() && (static_cast<unsigned char>(text_[at_]) & 0xc0U) == 0x80U) ++at_;
    diagnostics_.report("lex-001", span(begin, at_),
                        fmt::format("`{}` is not part of the language",
                                    safe_text(text_.substr(begin, at_ - begin))));
    push(TokenKind::Bad, begin);
  }

  // At the end of a line: the last three tokens may be the number of a statement.
  void take_number() {
    auto& tokens = result_.tokens;
    if (tokens.size() < 3) return;
    const Token open = tokens[tokens.size() - 3];
    const Token digits = tokens[tokens.size() - 2];
    const Token close = tokens.back();
    if (open.kind != TokenKind::OpenBracket || digits.kind != TokenKind::Integer ||
        close.kind != TokenKind::CloseBracket)
      return;
    std::uint64_t number = 0;
    for (std::uint32_t i = digits.begin; i < digits.end && number < 1'000'000'000; ++i)
      number = number * 10 + static_cast<std::uint64_t>(text_[i] - '0');
    tokens.resize(tokens.size() - 3);
    result_.numbers.push_back(
        {static_cast<std::uint32_t>(tokens.size()), number, {file_, open.begin, close.end}});
  }

  [[nodiscard]] Span span(std::size_t begin, std::size_t end) const {
    return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }
  void push(TokenKind kind, std::size_t begin) {
    result_.tokens.push_back(
        {kind, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)});
  }

  std::string_view text_;
  FileId file_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  Tokens result_;
};

}  // namespace

Tokens tokenize(const Sources& sources, FileId file, Diagnostics& diagnostics) {
  return Lexer(sources.file(file).text(), file, diagnostics).run();
}

}  // namespace whittle::fcl
