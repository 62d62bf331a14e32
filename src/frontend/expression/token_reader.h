// SPDX-License-Identifier: Apache-2.0
// A place in the tokens of a file, and what parsers do there: look, take, demand and complain.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/checkpoint.h"
#include "base/diagnostics.h"
#include "frontend/expression/syntax_tree.h"

namespace whittle::frontend {

// A name as written, with quotes removed.
struct Name {
  std::string text;
  Span span;
  bool quoted = false;
};

class TokenReader {
 public:
  TokenReader(SyntaxTree& tree, Diagnostics& diagnostics)
      : tree_(tree), diagnostics_(diagnostics) {}

  // The token so far ahead; End for everything beyond the end.
  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const {
    const auto& tokens = tree_.tokens();
    return at_ + ahead < tokens.size() ? tokens[at_ + ahead] : tokens.back();
  }
  [[nodiscard]] bool is(TokenKind kind, std::size_t ahead = 0) const {
    return peek(ahead).kind == kind;
  }
  [[nodiscard]] bool is_word(std::string_view word, std::size_t ahead = 0) const {
    return is(TokenKind::Word, ahead) && text(ahead) == word;
  }
  [[nodiscard]] bool is_name(std::size_t ahead = 0) const {
    return is(TokenKind::Word, ahead) || is(TokenKind::Text, ahead);
  }
  // Whether the token is the first one on its line.
  [[nodiscard]] bool begins_line(std::size_t ahead = 0) const;
  [[nodiscard]] bool at_end() const { return is(TokenKind::End); }
  [[nodiscard]] std::string_view text(std::size_t ahead = 0) const {
    return tree_.text(peek(ahead));
  }
  [[nodiscard]] Span span(std::size_t ahead = 0) const { return tree_.span_of(peek(ahead)); }
  [[nodiscard]] std::uint32_t index() const { return static_cast<std::uint32_t>(at_); }
  // Of the last taken token.
  [[nodiscard]] Span previous_span() const {
    return at_ == 0 ? span() : tree_.span_of(tree_.token(at_ - 1));
  }
  // Where the last taken token ends: things that are missing are missing there.
  [[nodiscard]] Span after_previous() const;

  void skip() {
    checkpoint();
    if (!at_end()) ++at_;
  }
  bool accept(TokenKind kind) {
    if (!is(kind)) return false;
    skip();
    return true;
  }
  bool accept_word(std::string_view word) {
    if (!is_word(word)) return false;
    skip();
    return true;
  }
  // Takes the token or reports that it was expected; `hint` may be empty.
  bool expect(TokenKind kind, std::string_view hint = "");
  bool expect_word(std::string_view word, std::string_view hint = "");
  // A word, or text in quotes where `quotes`. Reports and returns an empty name when there is none.
  Name expect_name(std::string_view what, bool quotes);

  // "expected <what>, found `x`", at the token at hand.
  Diagnostic& report_expected(std::string_view what, std::string_view hint = "");

  [[nodiscard]] SyntaxTree& tree() const { return tree_; }
  [[nodiscard]] Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  SyntaxTree& tree_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
};

// Keywords are not reserved, so a language says which words cannot be operands where they stand:
// those that begin its next declaration or clause.
using StopsExpression = bool (*)(const TokenReader& reader, std::size_t ahead);

// A token as messages show it: "`withdraw`", "the end of the file".
[[nodiscard]] std::string shown(const SyntaxTree& tree, const Token& token);

}  // namespace whittle::frontend
