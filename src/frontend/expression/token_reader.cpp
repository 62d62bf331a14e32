// SPDX-License-Identifier: Apache-2.0
#include "frontend/expression/token_reader.h"

#include <fmt/format.h>

#include "base/text.h"
#include "frontend/expression/lexer.h"

namespace whittle::frontend {

std::string shown(const SyntaxTree& tree, const Token& token) {
  if (token.kind == TokenKind::End) return std::string(describe(token.kind));
  return fmt::format("`{}`", ellipsized(safe_text(tree.text(token)), 40));
}

Span TokenReader::after_previous() const {
  if (at_ == 0) return span();
  const Token& previous = tree_.token(at_ - 1);
  return {tree_.file(), previous.end, previous.end};
}

bool TokenReader::begins_line(std::size_t ahead) const {
  if (at_ + ahead == 0 || at_ + ahead >= tree_.tokens().size()) return true;
  return tree_.text({TokenKind::Bad, tree_.token(at_ + ahead - 1).end, peek(ahead).begin})
             .find('\n') != std::string_view::npos;
}

Diagnostic& TokenReader::report_expected(std::string_view what, std::string_view hint) {
  if (at_end()) {
    return diagnostics_.report("parse-002", span(),
                               fmt::format("the file ends where {} is expected", what),
                               std::string(hint));
  }
  return diagnostics_.report("parse-001", span(),
                             fmt::format("expected {}, found {}", what, shown(tree_, peek())),
                             std::string(hint));
}

bool TokenReader::expect(TokenKind kind, std::string_view hint) {
  if (accept(kind)) return true;
  report_expected(describe(kind),
                  hint.empty() ? fmt::format("add {}", describe(kind)) : std::string(hint));
  return false;
}

bool TokenReader::expect_word(std::string_view word, std::string_view hint) {
  if (accept_word(word)) return true;
  report_expected(fmt::format("`{}`", word),
                  hint.empty() ? fmt::format("add `{}`", word) : std::string(hint));
  return false;
}

Name TokenReader::expect_name(std::string_view what, bool quotes) {
  if (is(TokenKind::Word)) {
    Name name{std::string(text()), span(), false};
    skip();
    return name;
  }
  if (is(TokenKind::Text)) {
    Name name{unquoted(text()), span(), true};
    if (!quotes) {
      report_expected(what,
                      "quotes are for the names of systems, nodes, transitions and properties");
      skip();
      return {};
    }
    if (name.text.empty()) {
      diagnostics_.report("lex-008", span(), "a name is empty",
                          "write something between the quotes");
      name.text.assign(1, '?');
    }
    skip();
    return name;
  }
  report_expected(what, "names begin with a letter or `_`");
  return {};
}

}  // namespace whittle::frontend
