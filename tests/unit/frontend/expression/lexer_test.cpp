// SPDX-License-Identifier: Apache-2.0
#include "frontend/expression/lexer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace whittle::frontend {
namespace {

struct Result {
  Sources sources;
  FileId file;
  Diagnostics diagnostics;
  std::vector<Token> tokens;

  explicit Result(std::string text) {
    file = sources.add("text", std::move(text));
    tokens = tokenize(sources, file, diagnostics);
  }
  std::string text(std::size_t i) {
    return std::string(sources.text({file, tokens[i].begin, tokens[i].end}));
  }
  std::vector<TokenKind> kinds() {
    std::vector<TokenKind> result;
    for (const Token& t : tokens) result.push_back(t.kind);
    return result;
  }
  std::vector<std::string> ids() {
    std::vector<std::string> result;
    for (const Diagnostic& d : diagnostics.all()) result.push_back(d.id);
    return result;
  }
};

using Kinds = std::vector<TokenKind>;
using enum TokenKind;

TEST(Lexer, NothingButTheEnd) {
  EXPECT_EQ(Result("").kinds(), Kinds{End});
  EXPECT_EQ(Result(" \t\r\n // c\n/* d */ ").kinds(), Kinds{End});
}

TEST(Lexer, EveryOperator) {
  Result r("( ) [ ] { } , ; : . .. @ ' := = -> || && == != < <= > >= ! + - ++ * / % ^ & | => <>");
  EXPECT_EQ(r.kinds(),
            (Kinds{OpenParen, CloseParen, OpenBracket, CloseBracket, OpenBrace,   CloseBrace,
                   Comma,     Semicolon,  Colon,       Dot,          DotDot,      TokenKind::At,
                   Prime,     Becomes,    Assign,      Arrow,        Or,          And,
                   Equal,     NotEqual,   Less,        LessEqual,    Greater,     GreaterEqual,
                   Not,       Plus,       Minus,       PlusPlus,     Star,        Slash,
                   Percent,   Caret,      Ampersand,   Bar,          DoubleArrow, LessGreater,
                   End}));
  EXPECT_TRUE(r.diagnostics.empty());
}

TEST(Lexer, OperatorsNeedNoSpace) {
  EXPECT_EQ(Result("a'==-b->c").kinds(),
            (Kinds{Word, Prime, Equal, Minus, Word, Arrow, Word, End}));
}

TEST(Lexer, NumbersAndRanges) {
  Result r("0 12.50 1..3 1.5..2 123456789012345678901234567890");
  EXPECT_EQ(r.kinds(), (Kinds{Integer, Decimal, Integer, DotDot, Integer, Decimal, DotDot, Integer,
                              Integer, End}));
  EXPECT_EQ(r.text(1), "12.50");
  EXPECT_EQ(r.text(8), "123456789012345678901234567890");
}

TEST(Lexer, MalformedNumbers) {
  Result r("12abc 3. 4.x");
  EXPECT_EQ(r.ids(), (std::vector<std::string>{"lex-004", "lex-004", "lex-004", "lex-004"}));
  EXPECT_EQ(r.tokens[0].kind, Bad);
}

TEST(Lexer, Texts) {
  Result r(R"("i is even" "a\"b\\c\n\u{e9}" "ü" "")");
  ASSERT_EQ(r.kinds(), (Kinds{Text, Text, Text, Text, End}));
  EXPECT_EQ(unquoted(r.text(0)), "i is even");
  EXPECT_EQ(unquoted(r.text(1)), "a\"b\\c\n\xc3\xa9");
  EXPECT_EQ(unquoted(r.text(2)), "ü");
  EXPECT_EQ(unquoted(r.text(3)), "");
  EXPECT_TRUE(r.diagnostics.empty());
}

TEST(Lexer, QuotingIsTheInverseOfUnquoting) {
  for (const std::string text : {"", "a b", "\"\\\n\t\r", "\x01\x7f", "ü€😀"}) {
    EXPECT_EQ(unquoted(in_quotes(text)), text);
    EXPECT_TRUE(Result(in_quotes(text)).diagnostics.empty());
  }
}

TEST(Lexer, UnclosedThingsSpoilLittle) {
  Result text("\"abc\nx");
  EXPECT_EQ(text.kinds(), (Kinds{Text, Word, End}));
  EXPECT_EQ(text.ids(), std::vector<std::string>{"lex-002"});
  Result comment("x /* y");
  EXPECT_EQ(comment.kinds(), (Kinds{Word, End}));
  EXPECT_EQ(comment.ids(), std::vector<std::string>{"lex-003"});
  EXPECT_EQ(comment.diagnostics.all()[0].span.begin, 2U);
}

TEST(Lexer, WrongEscapes) {
  EXPECT_EQ(Result(R"("\q \u{110000} \u{d800} \u{zz}")").ids(),
            (std::vector<std::string>{"lex-005", "lex-005", "lex-005", "lex-005"}));
}

TEST(Lexer, RubbishIsReportedOncePerRun) {
  Result r("a $$$ b \x01\x02 \xff\xfe é c");
  EXPECT_EQ(r.kinds(), (Kinds{Word, Bad, Word, Bad, Bad, Bad, Word, End}));
  EXPECT_EQ(r.ids(), (std::vector<std::string>{"lex-001", "lex-007", "lex-006", "lex-001"}));
}

TEST(Lexer, BinaryInputEndsQuickly) {
  std::string bytes;
  for (unsigned i = 0; i < 1'000'000; ++i) bytes += static_cast<char>((i * 7919) % 251);
  Result r(bytes);
  EXPECT_TRUE(r.diagnostics.saturated());
  EXPECT_LE(r.diagnostics.all().size(), Diagnostics::kMaxErrors + 2);
  EXPECT_EQ(r.diagnostics.all().back().id, "parse-007");
  EXPECT_EQ(r.tokens.back().kind, End);
}

TEST(Lexer, SpansAreExact) {
  Result r("  abc\n\"d e\" 4.5");
  EXPECT_EQ(r.text(0), "abc");
  EXPECT_EQ(r.tokens[0].begin, 2U);
  EXPECT_EQ(r.text(1), "\"d e\"");
  EXPECT_EQ(r.text(2), "4.5");
}

TEST(Lexer, PlainNames) {
  EXPECT_TRUE(is_plain_name("a_1"));
  EXPECT_TRUE(is_plain_name("_"));
  EXPECT_FALSE(is_plain_name(""));
  EXPECT_FALSE(is_plain_name("1a"));
  EXPECT_FALSE(is_plain_name("a b"));
  EXPECT_FALSE(is_plain_name("ü"));
}

}  // namespace
}  // namespace whittle::frontend
