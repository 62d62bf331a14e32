// SPDX-License-Identifier: Apache-2.0
// The traps: `EUR50.00` is a currency and an amount,
// `EUR 50.00.amount` an amount with an accessor, `{1..5}` holds two integers, `12:30` without
// blanks is a time, `10%` is a percentage but `10 % 3` and `10%3` are remainders.
#include "frontend/rebel/lexer.h"

#include <array>

#include "base/checkpoint.h"
#include "base/text.h"

namespace whittle::rebel {

namespace {

// Classes of characters, as bits.
constexpr std::uint8_t kBlank = 1;
constexpr std::uint8_t kWordStart = 2;
constexpr std::uint8_t kDigit = 4;
constexpr std::uint8_t kWord = 8;

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> table{};
  for (int c = 'a'; c <= 'z'; ++c) table[static_cast<std::size_t>(c)] = kWordStart | kWord;
  for (int c = 'A'; c <= 'Z'; ++c) table[static_cast<std::size_t>(c)] = kWordStart | kWord;
  for (int c = '0'; c <= '9'; ++c) table[static_cast<std::size_t>(c)] = kDigit | kWord;
  table['_'] = kWordStart | kWord;
  for (char c : {' ', '\t', '\n', '\r', '\f', '\v'}) table[static_cast<unsigned char>(c)] = kBlank;
  return table;
}

constexpr std::array<std::uint8_t, 256> kClasses = make_classes();

bool is(char c, std::uint8_t cls) { return (kClasses[static_cast<unsigned char>(c)] & cls) != 0; }

bool unicode_blank(char32_t c) {
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
         c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000 || c == 0xFEFF;
}

// What somebody who writes this character probably wants.
std::string meant_by(char32_t c) {
  switch (c) {
    case U'#':
      return "comments begin with '//'";
    case U'\'':
    case 0x2018:
    case 0x2019:
    case 0x201C:
    case 0x201D:
    case 0x201E:
      return "strings stand in straight quotation marks: \"text\"";
    case 0x2212:
    case 0x2013:
    case 0x2014:
      return "write '-'";
    case 0x2260:
      return "write '!='";
    case 0x2264:
      return "write '<='";
    case 0x2265:
      return "write '>='";
    case 0x20AC:
      return "write EUR, as in EUR 10.00";
    case U'$':
      return "write USD, as in USD 10.00";
    default:
      return "";
  }
}

TokenKind sign_of_formula(char32_t code) {
  switch (code) {
    case 0x2227:
      return TokenKind::AndAnd;
    case 0x2228:
      return TokenKind::OrOr;
    case 0x00AC:
      return TokenKind::Bang;
    case 0x2192:
      return TokenKind::Arrow;
    case 0x21D2:
      return TokenKind::FatArrow;
    case 0x25A1:
      return TokenKind::Box;
    case 0x25C7:
      return TokenKind::Diamond;
    default:
      return TokenKind::Bad;
  }
}

}  // namespace

std::string_view spelled(TokenKind kind) {
  switch (kind) {
    case TokenKind::End:
      return "the end of the file";
    case TokenKind::Word:
      return "a name";
    case TokenKind::Int:
      return "a number";
    case TokenKind::Percent:
      return "a percentage";
    case TokenKind::Decimal:
      return "an amount";
    case TokenKind::Time:
      return "a time";
    case TokenKind::String:
      return "a string";
    case TokenKind::LBrace:
      return "'{'";
    case TokenKind::RBrace:
      return "'}'";
    case TokenKind::LBracket:
      return "'['";
    case TokenKind::RBracket:
      return "']'";
    case TokenKind::LParen:
      return "'('";
    case TokenKind::RParen:
      return "')'";
    case TokenKind::Comma:
      return "','";
    case TokenKind::Semicolon:
      return "';'";
    case TokenKind::Colon:
      return "':'";
    case TokenKind::Dot:
      return "'.'";
    case TokenKind::DotDot:
      return "'..'";
    case TokenKind::Ellipsis:
      return "'...'";
    case TokenKind::Arrow:
      return "'->'";
    case TokenKind::FatArrow:
      return "'=>'";
    case TokenKind::Assign:
      return "'='";
    case TokenKind::Eq:
      return "'=='";
    case TokenKind::Ne:
      return "'!='";
    case TokenKind::Lt:
      return "'<'";
    case TokenKind::Le:
      return "'<='";
    case TokenKind::Gt:
      return "'>'";
    case TokenKind::Ge:
      return "'>='";
    case TokenKind::AndAnd:
      return "'&&'";
    case TokenKind::OrOr:
      return "'||'";
    case TokenKind::Bar:
      return "'|'";
    case TokenKind::Plus:
      return "'+'";
    case TokenKind::Minus:
      return "'-'";
    case TokenKind::Star:
      return "'*'";
    case TokenKind::Slash:
      return "'/'";
    case TokenKind::PercentSign:
      return "'%'";
    case TokenKind::Question:
      return "'?'";
    case TokenKind::At:
      return "'@'";
    case TokenKind::Bang:
      return "'!'";
    case TokenKind::Amp:
      return "'&'";
    case TokenKind::Box:
      return "'[]'";
    case TokenKind::Diamond:
      return "'<>'";
    case TokenKind::Bad:
      return "something unreadable";
  }
  return "a token";
}

void Lexer::report(std::string_view id, std::uint32_t begin, std::uint32_t end, std::string message,
                   std::string hint) {
  if (end <= reported_) return;  // the parser looked here before
  reported_ = end;
  diagnostics_.report(id, Span{file_, begin, end}, std::move(message), std::move(hint));
}

std::uint32_t Lexer::skip_layout(std::uint32_t i) {
  const auto size = static_cast<std::uint32_t>(text_.size());
  while (i < size) {
    const char c = text_[i];
    if (is(c, kBlank)) {
      ++i;
    } else if (c == '/' && at(i + 1U) == '/') {
      const std::size_t end = text_.find('\n', i);
      i = end == std::string_view::npos ? size : static_cast<std::uint32_t>(end);
    } else if (c == '/' && at(i + 1U) == '*') {
      const std::size_t end = text_.find("*/", i + 2U);
      if (end == std::string_view::npos) {
        report("lex-003", i, i + 2, "this comment is not closed", "close it with '*/'");
        return size;
      }
      i = static_cast<std::uint32_t>(end) + 2;
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      const Character character = decode_utf8(text_.substr(i));
      if (!character.valid || !unicode_blank(character.code)) return i;
      i += static_cast<std::uint32_t>(character.bytes);
    } else {
      return i;
    }
  }
  return i;
}

Token Lexer::next(std::uint32_t offset) {
  checkpoint();
  const std::uint32_t i = skip_layout(offset);
  if (i >= text_.size()) {
    const auto size = static_cast<std::uint32_t>(text_.size());
    return {TokenKind::End, size, size};
  }
  const char c = text_[i];
  if (is(c, kWordStart)) return word(i);
  if (is(c, kDigit)) return number(i);
  const char d = at(i + 1U);
  auto one = [&](TokenKind kind) { return Token{kind, i, i + 1}; };
  auto two = [&](TokenKind kind) { return Token{kind, i, i + 2}; };
  switch (c) {
    case '{':
      return one(TokenKind::LBrace);
    case '}':
      return one(TokenKind::RBrace);
    case '[':
      return one(TokenKind::LBracket);
    case ']':
      return one(TokenKind::RBracket);
    case '(':
      return one(TokenKind::LParen);
    case ')':
      return one(TokenKind::RParen);
    case ',':
      return one(TokenKind::Comma);
    case ';':
      return one(TokenKind::Semicolon);
    case ':':
      return one(TokenKind::Colon);
    case '.':
      if (d == '.')
        return at(i + 2U) == '.' ? Token{TokenKind::Ellipsis, i, i + 3} : two(TokenKind::DotDot);
      return one(TokenKind::Dot);
    case '-':
      return d == '>' ? two(TokenKind::Arrow) : one(TokenKind::Minus);
    case '=':
      return d == '='   ? two(TokenKind::Eq)
             : d == '>' ? two(TokenKind::FatArrow)
                        : one(TokenKind::Assign);
    case '!':
      return d == '=' ? two(TokenKind::Ne) : one(TokenKind::Bang);
    case '<':
      return d == '=' ? two(TokenKind::Le) : one(TokenKind::Lt);
    case '>':
      return d == '=' ? two(TokenKind::Ge) : one(TokenKind::Gt);
    case '&':
      return d == '&' ? two(TokenKind::AndAnd) : one(TokenKind::Amp);
    case '|':
      return d == '|' ? two(TokenKind::OrOr) : one(TokenKind::Bar);
    case '+':
      return one(TokenKind::Plus);
    case '*':
      return one(TokenKind::Star);
    case '/':
      return one(TokenKind::Slash);
    case '%':
      return one(TokenKind::PercentSign);
    case '?':
      return one(TokenKind::Question);
    case '@':
      return one(TokenKind::At);
    case '"':
      return string(i);
    default:
      return stray(i);
  }
}

Token Lexer::word(std::uint32_t begin) const {
  const char* const data = text_.data();
  const auto size = static_cast<std::uint32_t>(text_.size());
  std::uint32_t i = begin + 1;
  while (i < size && is(data[i], kWord)) ++i;
  // EUR50.00, CUR_ABC50.00: the word ends where the amount begins.
  if (i + 2 < size && data[i] == '.' && is(data[i + 1], kDigit) && is(data[i - 1], kDigit)) {
    const std::string_view text = text_.substr(begin, i - begin);
    const std::size_t head = text.starts_with("EUR") || text.starts_with("USD") ? 3
                             : text.starts_with("CUR_")                         ? 7
                                                                                : 0;
    if (head != 0 && text.size() > head &&
        text.find_first_not_of("0123456789", head) == std::string_view::npos) {
      return {TokenKind::Word, begin, begin + static_cast<std::uint32_t>(head)};
    }
  }
  while (i < size && data[i] == '\'') ++i;
  return {TokenKind::Word, begin, i};
}

Token Lexer::number(std::uint32_t begin) {
  std::uint32_t i = begin + 1;
  while (is(at(i), kDigit)) ++i;
  if (at(i) == '%' && !is(at(i + 1U), kWord) && at(i + 1U) != '(') {
    return {TokenKind::Percent, begin, i + 1};
  }
  if (at(i) == '.' && is(at(i + 1U), kDigit)) {
    std::uint32_t j = i + 1;
    while (is(at(j), kDigit)) ++j;
    if (j - i - 1 != 2 && j - i - 1 != 3) {
      report("lex-004", begin, j, "an amount of money has two or three decimals",
             "write EUR 1.50, for example");
    }
    return {TokenKind::Decimal, begin, j};
  }
  if (at(i) == ':' && is(at(i + 1U), kDigit) && i - begin <= 2) {
    std::uint32_t j = i + 1;
    while (is(at(j), kDigit)) ++j;
    if (j - i - 1 <= 2) {
      if (at(j) == ':' && is(at(j + 1U), kDigit)) {
        ++j;
        while (is(at(j), kDigit)) ++j;
      }
      return {TokenKind::Time, begin, j};
    }
  }
  if (is(at(i), kWordStart)) {
    std::uint32_t j = i;
    while (is(at(j), kWord)) ++j;
    report("lex-004", begin, j, "a number may not run into a word",
           "put a blank between them, or begin a name with a letter");
    return {TokenKind::Bad, begin, j};
  }
  return {TokenKind::Int, begin, i};
}

Token Lexer::string(std::uint32_t begin) {
  const std::size_t close = text_.find('"', begin + 1U);
  if (close != std::string_view::npos) {
    return {TokenKind::String, begin, static_cast<std::uint32_t>(close) + 1};
  }
  std::size_t line = text_.find('\n', begin);
  if (line == std::string_view::npos) line = text_.size();
  report("lex-002", begin, begin + 1, "this string is not closed", "close it with '\"'");
  return {TokenKind::String, begin, static_cast<std::uint32_t>(line)};
}

Token Lexer::stray(std::uint32_t begin) {
  const Character character = decode_utf8(text_.substr(begin));
  const auto end = begin + static_cast<std::uint32_t>(character.bytes);
  if (formulas_ && character.valid) {
    if (const TokenKind sign = sign_of_formula(character.code); sign != TokenKind::Bad)
      return {sign, begin, end};
  }
  if (!character.valid) {
    report("lex-006", begin, end, "this is not UTF-8 text");
  } else if (character.code < 0x20 || character.code == 0x7F) {
    report("lex-007", begin, end, "a control character");
  } else {
    report("lex-001", begin, end,
           "the character '" + safe_text(text_.substr(begin, character.bytes)) +
               "' does not occur in Rebel",
           meant_by(character.code));
  }
  return {TokenKind::Bad, begin, end};
}

std::uint32_t Lexer::tag_end(std::uint32_t offset) {
  std::uint32_t i = offset;
  while (is(at(i), kBlank)) ++i;
  if (at(i) != '{') return offset;
  const std::uint32_t open = i;
  std::uint32_t depth = 0;
  for (; i < text_.size(); ++i) {
    const char c = text_[i];
    if (c == '\\') {
      ++i;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return i + 1;
    }
  }
  report("parse-005", open, open + 1, "the text of this annotation is not closed",
         "close it with '}'");
  return static_cast<std::uint32_t>(text_.size());
}

}  // namespace whittle::rebel
