// SPDX-License-Identifier: Apache-2.0
// A loop over a table of character classes. Strings may contain any UTF-8; escapes are \" \\ \n \t
// \r and \u{hex}. A quote must close on its line, so that a forgotten one spoils one line only.
#include "frontend/expression/lexer.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "base/checkpoint.h"
#include "base/error.h"
#include "base/text.h"

namespace whittle::frontend {

namespace {

enum class CharClass : std::uint8_t { Bad, Space, Letter, Digit, Quote, Operator, Control, High };

constexpr std::array<CharClass, 256> make_classes() {
  std::array<CharClass, 256> classes{};
  for (std::size_t c = 0; c < 256; ++c) {
    if (c >= 0x80) {
      classes[c] = CharClass::High;
    } else if (c < 0x20 || c == 0x7f) {
      classes[c] = CharClass::Control;
    } else {
      classes[c] = CharClass::Bad;
    }
  }
  for (char c : {' ', '\t', '\n', '\r', '\f', '\v'}) {
    classes[static_cast<unsigned char>(c)] = CharClass::Space;
  }
  for (char c = 'a'; c <= 'z'; ++c) classes[static_cast<unsigned char>(c)] = CharClass::Letter;
  for (char c = 'A'; c <= 'Z'; ++c) classes[static_cast<unsigned char>(c)] = CharClass::Letter;
  classes['_'] = CharClass::Letter;
  for (char c = '0'; c <= '9'; ++c) classes[static_cast<unsigned char>(c)] = CharClass::Digit;
  classes['"'] = CharClass::Quote;
  for (char c : std::string_view("()[]{},;:.@'=-><|&!+*/%^")) {
    classes[static_cast<unsigned char>(c)] = CharClass::Operator;
  }
  return classes;
}

constexpr std::array<CharClass, 256> kClasses = make_classes();

CharClass class_of(char c) { return kClasses[static_cast<unsigned char>(c)]; }

// The signs of mathematics that are operators.
struct Sign {
  std::string_view text;
  TokenKind kind;
};
constexpr Sign kSigns[] = {
    {"\u2227", TokenKind::And},         {"\u2228", TokenKind::Or},
    {"\u00ac", TokenKind::Not},         {"\u2192", TokenKind::Arrow},
    {"\u21d2", TokenKind::DoubleArrow}, {"\u25a1", TokenKind::Box},
    {"\u25c7", TokenKind::LessGreater},
};

bool continues_name(char c) {
  const CharClass k = class_of(c);
  return k == CharClass::Letter || k == CharClass::Digit;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | (code >> 6));
    put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3f));
    put(0x80 | ((code >> 6) & 0x3f));
    put(0x80 | (code & 0x3f));
  }
}

struct Escape {
  std::size_t length = 0;  // in the source, backslash included
  std::uint32_t code = 0;
  bool valid = false;
};

// `text` begins with a backslash.
Escape read_escape(std::string_view text) {
  if (text.size() < 2) return {text.size(), 0, false};
  switch (text[1]) {
    case '"':
    case '\\':
      return {2, static_cast<std::uint32_t>(text[1]), true};
    case 'n':
      return {2, '\n', true};
    case 't':
      return {2, '\t', true};
    case 'r':
      return {2, '\r', true};
    case 'u':
      break;
    default:
      return {2, 0, false};
  }
  if (text.size() < 3 || text[2] != '{') return {2, 0, false};
  std::size_t at = 3;
  std::uint32_t code = 0;
  while (at < text.size() && is_hex(text[at]) && at < 9) {
    const char c = text[at++];
    const int digit = is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10;
    code = code * 16 + static_cast<std::uint32_t>(digit);
  }
  const bool closed = at > 3 && at < text.size() && text[at] == '}';
  const bool scalar = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return {closed ? at + 1 : at, code, closed && scalar};
}

class Lexer {
 public:
  Lexer(std::string_view text, FileId file, Diagnostics& diagnostics)
      : text_(text), file_(file), diagnostics_(diagnostics) {
    WHITTLE_REQUIRE(text.size() < UINT32_MAX, "file too large for 32-bit offsets");
    tokens_.reserve(text.size() / 4 + 1);
  }

  std::vector<Token> run() {
    while (at_ < text_.size()) {
      if (diagnostics_.saturated()) {
        diagnostics_.report("parse-007", span(at_, at_ + 1),
                            "too many errors; the rest of the file is not read");
        break;
      }
      checkpoint();
      next();
    }
    push(TokenKind::End, at_, at_);
    return std::move(tokens_);
  }

 private:
  void next() {
    switch (class_of(text_[at_])) {
      case CharClass::Space:
        ++at_;
        return;
      case CharClass::Letter:
        return word();
      case CharClass::Digit:
        return number();
      case CharClass::Quote:
        return quoted_text();
      case CharClass::Operator:
        return operator_or_comment();
      case CharClass::High:
        if (const Sign* sign = sign_at(at_)) {
          push(sign->kind, at_, at_ + sign->text.size());
          at_ += sign->text.size();
          return;
        }
        return rubbish();
      case CharClass::Bad:
      case CharClass::Control:
        return rubbish();
    }
  }

  void word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && continues_name(text_[at_])) ++at_;
    push(TokenKind::Word, begin, at_);
  }

  void number() {
    const std::size_t begin = at_;
    TokenKind kind = TokenKind::Integer;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    // `0..3` is a range, `0.5` a number.
    if (peek(0) == '.' && is_digit(peek(1))) {
      kind = TokenKind::Decimal;
      ++at_;
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    } else if (peek(0) == '.' && peek(1) != '.') {
      ++at_;
      diagnostics_.report("lex-004", span(begin, at_), "a digit must follow the decimal point",
                          fmt::format("write `{}0`", text_.substr(begin, at_ - begin)));
      kind = TokenKind::Decimal;
    }
    if (at_ < text_.size() && continues_name(text_[at_])) {
      while (at_ < text_.size() && continues_name(text_[at_])) ++at_;
      diagnostics_.report(
          "lex-004", span(begin, at_),
          fmt::format("`{}` is neither a number nor a name",
                      ellipsized(safe_text(text_.substr(begin, at_ - begin)), 40)),
          "names begin with a letter; numbers are decimal, without exponent or unit");
      kind = TokenKind::Bad;
    }
    push(kind, begin, at_);
  }

  void quoted_text() {
    const std::size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') {
      const char c = text_[at_];
      if (c == '\\') {
        const Escape escape = read_escape(text_.substr(at_));
        if (!escape.valid && !diagnostics_.saturated()) {
          diagnostics_.report("lex-005", span(at_, at_ + escape.length),
                              fmt::format("`{}` is no escape sequence",
                                          safe_text(text_.substr(at_, escape.length))),
                              "known are \\\" \\\\ \\n \\t \\r and \\u{hex digits}");
        }
        at_ += escape.length;
      } else if (class_of(c) == CharClass::High) {
        high_character();
      } else {
        ++at_;
      }
    }
    if (at_ < text_.size() && text_[at_] == '"') {
      ++at_;
    } else {
      diagnostics_.report("lex-002", span(begin, at_),
                          "this quotation mark is not closed on its line",
                          "a text ends with `\"`; inside, a quotation mark is written \\\"");
    }
    push(TokenKind::Text, begin, at_);
  }

  // Skips a character above U+007F, or a byte that is none.
  void high_character() {
    const Character c = decode_utf8(text_.substr(at_));
    if (!c.valid && !diagnostics_.saturated()) {
      diagnostics_.report("lex-006", span(at_, at_ + 1),
                          fmt::format("the byte 0x{:02x} is not UTF-8 text",
                                      static_cast<unsigned char>(text_[at_])),
                          "save the file as UTF-8");
    }
    at_ += c.bytes;
  }

  void operator_or_comment() {
    const char c = text_[at_];
    const char d = peek(1);
    if (c == '/' && d == '/') {
      const std::size_t end = text_.find('\n', at_);
      at_ = end == std::string_view::npos ? text_.size() : end;
      return;
    }
    if (c == '/' && d == '*') {
      const std::size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) {
        diagnostics_.report("lex-003", span(at_, at_ + 2), "this comment is not closed",
                            "it ends with `*/`; comments do not nest");
        at_ = text_.size();
      } else {
        at_ = end + 2;
      }
      return;
    }
    const auto [kind, length] = operator_at(c, d);
    push(kind, at_, at_ + length);
    at_ += length;
  }

  static std::pair<TokenKind, std::size_t> operator_at(char c, char d) {
    using enum TokenKind;
    switch (c) {
      case '(':
        return {OpenParen, 1};
      case ')':
        return {CloseParen, 1};
      case '[':
        return {OpenBracket, 1};
      case ']':
        return {CloseBracket, 1};
      case '{':
        return {OpenBrace, 1};
      case '}':
        return {CloseBrace, 1};
      case ',':
        return {Comma, 1};
      case ';':
        return {Semicolon, 1};
      case ':':
        return d == '=' ? std::pair{Becomes, 2} : std::pair{Colon, 1};
      case '.':
        return d == '.' ? std::pair{DotDot, 2} : std::pair{Dot, 1};
      case '@':
        return {TokenKind::At, 1};
      case '\'':
        return {Prime, 1};
      case '=':
        if (d == '=') return {Equal, 2};
        return d == '>' ? std::pair{DoubleArrow, 2} : std::pair{Assign, 1};
      case '-':
        return d == '>' ? std::pair{Arrow, 2} : std::pair{Minus, 1};
      case '>':
        return d == '=' ? std::pair{GreaterEqual, 2} : std::pair{Greater, 1};
      case '<':
        if (d == '=') return {LessEqual, 2};
        return d == '>' ? std::pair{LessGreater, 2} : std::pair{Less, 1};
      case '|':
        return d == '|' ? std::pair{Or, 2} : std::pair{Bar, 1};
      case '&':
        return d == '&' ? std::pair{And, 2} : std::pair{Ampersand, 1};
      case '!':
        return d == '=' ? std::pair{NotEqual, 2} : std::pair{Not, 1};
      case '+':
        return d == '+' ? std::pair{PlusPlus, 2} : std::pair{Plus, 1};
      case '*':
        return {Star, 1};
      case '/':
        return {Slash, 1};
      case '%':
        return {Percent, 1};
      case '^':
        return {Caret, 1};
      default:
        fail_contract("operator character", __FILE__, __LINE__, std::string(1, c));
    }
  }

  [[nodiscard]] const Sign* sign_at(std::size_t place) const {
    for (const Sign& sign : kSigns) {
      if (text_.substr(place).starts_with(sign.text)) return &sign;
    }
    return nullptr;
  }

  // A run of characters that start no token, reported once.
  void rubbish() {
    const std::size_t begin = at_;
    const CharClass first = class_of(text_[at_]);
    while (at_ < text_.size()) {
      const CharClass k = class_of(text_[at_]);
      if (k != CharClass::Bad && k != CharClass::Control && k != CharClass::High) break;
      if (k == CharClass::High && sign_at(at_) != nullptr) break;
      const Character c = decode_utf8(text_.substr(at_));
      at_ += c.bytes;
    }
    const std::string_view run = text_.substr(begin, at_ - begin);
    const std::string shown = ellipsized(safe_text(run), 40);
    if (!decode_utf8(run).valid) {
      diagnostics_.report("lex-006", span(begin, at_),
                          fmt::format("this is not UTF-8 text: {}", shown),
                          "save the file as UTF-8");
    } else if (first == CharClass::Control) {
      diagnostics_.report("lex-007", span(begin, at_),
                          fmt::format("a control character in the text: {}", shown),
                          "remove it; spaces, tabs and line ends separate words");
    } else {
      diagnostics_.report("lex-001", span(begin, at_),
                          fmt::format("`{}` means nothing here", shown),
                          first == CharClass::High
                              ? "letters beyond ASCII are allowed inside quotes and comments only"
                              : "remove it");
    }
    push(TokenKind::Bad, begin, at_);
  }

  [[nodiscard]] char peek(std::size_t ahead) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void push(TokenKind kind, std::size_t begin, std::size_t end) {
    tokens_.push_back({kind, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
  }
  [[nodiscard]] Span span(std::size_t begin, std::size_t end) const {
    return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }

  std::string_view text_;
  FileId file_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(const Sources& sources, FileId file, Diagnostics& diagnostics) {
  return Lexer(sources.file(file).text(), file, diagnostics).run();
}

std::string unquoted(std::string_view token_text) {
  if (!token_text.empty()) token_text.remove_prefix(1);
  std::string result;
  result.reserve(token_text.size());
  while (!token_text.empty() && token_text[0] != '"') {
    if (token_text[0] != '\\') {
      result.push_back(token_text[0]);
      token_text.remove_prefix(1);
      continue;
    }
    const Escape escape = read_escape(token_text);
    if (escape.valid) append_utf8(result, escape.code);
    token_text.remove_prefix(escape.length);
  }
  return result;
}

std::string in_quotes(std::string_view content) {
  std::string result = "\"";
  for (const char c : content) {
    switch (c) {
      case '"':
      case '\\':
        result += '\\';
        result += c;
        break;
      case '\n':
        result += "\\n";
        break;
      case '\t':
        result += "\\t";
        break;
      case '\r':
        result += "\\r";
        break;
      default:
        if (class_of(c) == CharClass::Control) {
          result += fmt::format("\\u{{{:x}}}", static_cast<unsigned char>(c));
        } else {
          result += c;
        }
    }
  }
  return result + '"';
}

bool is_plain_name(std::string_view text) {
  if (text.empty() || class_of(text[0]) != CharClass::Letter) return false;
  for (const char c : text) {
    if (!continues_name(c)) return false;
  }
  return true;
}

}  // namespace whittle::frontend
