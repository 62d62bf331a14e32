// SPDX-License-Identifier: Apache-2.0
#include "frontend/rebel/lexer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace whittle::rebel {
namespace {

struct Lexed {
  std::vector<TokenKind> kinds;
  std::vector<std::string> texts;
  Diagnostics diagnostics;
};

Lexed lex(const std::string& text) {
  Lexed result;
  Sources sources;
  const FileId file = sources.add("t.ebl", text);
  Lexer lexer(sources.file(file).text(), file, result.diagnostics);
  std::uint32_t at = 0;
  while (true) {
    const Token token = lexer.next(at);
    if (token.kind == TokenKind::End) return result;
    result.kinds.push_back(token.kind);
    result.texts.emplace_back(lexer.text(token));
    at = token.end;
  }
}

using Kinds = std::vector<TokenKind>;

TEST(RebelLexer, AmountThenAccessor) {
  EXPECT_EQ(lex("EUR 50.00.amount").kinds,
            (Kinds{TokenKind::Word, TokenKind::Decimal, TokenKind::Dot, TokenKind::Word}));
}

TEST(RebelLexer, CurrencyWithoutBlank) {
  EXPECT_EQ(lex("EUR50.00").texts, (std::vector<std::string>{"EUR", "50.00"}));
  EXPECT_EQ(lex("CUR_ABC7.125").texts, (std::vector<std::string>{"CUR_ABC", "7.125"}));
  EXPECT_EQ(lex("EUR50").texts, (std::vector<std::string>{"EUR50"}));
}

TEST(RebelLexer, RangeIsNotAnAmount) {
  EXPECT_EQ(lex("{1..5}").kinds, (Kinds{TokenKind::LBrace, TokenKind::Int, TokenKind::DotDot,
                                        TokenKind::Int, TokenKind::RBrace}));
}

TEST(RebelLexer, TimeHasNoBlanks) {
  EXPECT_EQ(lex("12:30").kinds, (Kinds{TokenKind::Time}));
  EXPECT_EQ(lex("16:42:07").kinds, (Kinds{TokenKind::Time}));
  EXPECT_EQ(lex("c ? 12 : 30").kinds, (Kinds{TokenKind::Word, TokenKind::Question, TokenKind::Int,
                                             TokenKind::Colon, TokenKind::Int}));
  EXPECT_EQ(lex("(12 : 30)").kinds, (Kinds{TokenKind::LParen, TokenKind::Int, TokenKind::Colon,
                                           TokenKind::Int, TokenKind::RParen}));
}

TEST(RebelLexer, PercentageAgainstRemainder) {
  EXPECT_EQ(lex("10%").kinds, (Kinds{TokenKind::Percent}));
  EXPECT_EQ(lex("10 % 3").kinds, (Kinds{TokenKind::Int, TokenKind::PercentSign, TokenKind::Int}));
  EXPECT_EQ(lex("10%3").kinds, (Kinds{TokenKind::Int, TokenKind::PercentSign, TokenKind::Int}));
  EXPECT_EQ(lex("x%3").kinds, (Kinds{TokenKind::Word, TokenKind::PercentSign, TokenKind::Int}));
  EXPECT_EQ(lex("10%;").kinds, (Kinds{TokenKind::Percent, TokenKind::Semicolon}));
}

TEST(RebelLexer, NamesWithPrimesAndIbans) {
  EXPECT_EQ(lex("e' T NL10INGB0000001").texts,
            (std::vector<std::string>{"e'", "T", "NL10INGB0000001"}));
}

TEST(RebelLexer, CommentsAndUnicodeBlanks) {
  EXPECT_EQ(lex("a // b\n/* c\n d */ \xC2\xA0 e").texts, (std::vector<std::string>{"a", "e"}));
}

TEST(RebelLexer, ReportsEachProblemOnce) {
  for (const auto& [text, id] :
       std::vector<std::pair<std::string, std::string>>{{"a $ b", "lex-001"},
                                                        {"\"open", "lex-002"},
                                                        {"/* open", "lex-003"},
                                                        {"12ab", "lex-004"},
                                                        {"EUR 1.5", "lex-004"},
                                                        {"\xff", "lex-006"},
                                                        {"a \x01 b", "lex-007"}}) {
    Sources sources;
    Diagnostics diagnostics;
    const FileId file = sources.add("t.ebl", text);
    Lexer lexer(sources.file(file).text(), file, diagnostics);
    for (int round = 0; round < 2; ++round) {
      for (std::uint32_t at = 0;;) {
        const Token token = lexer.next(at);
        if (token.kind == TokenKind::End) break;
        at = token.end;
      }
    }
    ASSERT_EQ(diagnostics.all().size(), 1U) << text;
    EXPECT_EQ(diagnostics.all()[0].id, id) << text;
  }
}

TEST(RebelLexer, TagTextBalances) {
  Sources sources;
  Diagnostics diagnostics;
  const std::string text = "@doc { a {b} \\} c } x";
  const FileId file = sources.add("t.ebl", text);
  Lexer lexer(sources.file(file).text(), file, diagnostics);
  EXPECT_EQ(lexer.tag_end(4), text.size() - 2);
  EXPECT_TRUE(diagnostics.empty());
}

}  // namespace
}  // namespace whittle::rebel
