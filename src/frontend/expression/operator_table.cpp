// SPDX-License-Identifier: Apache-2.0
#include "frontend/expression/operator_table.h"

#include <algorithm>

namespace whittle::frontend {

namespace {

struct TemporalWord {
  std::string_view word;
  SyntaxKind kind;
};

constexpr TemporalWord kTemporalWords[] = {
    {"always", SyntaxKind::Always},
    {"G", SyntaxKind::Always},
    {"eventually", SyntaxKind::Eventually},
    {"F", SyntaxKind::Eventually},
    {"next", SyntaxKind::NextState},
    {"X", SyntaxKind::NextState},
    {"once", SyntaxKind::Once},
    {"historically", SyntaxKind::Historically},
    {"until", SyntaxKind::Until},
    {"U", SyntaxKind::Until},
    {"weakuntil", SyntaxKind::WeakUntil},
    {"W", SyntaxKind::WeakUntil},
    {"release", SyntaxKind::Release},
    {"R", SyntaxKind::Release},
    {"since", SyntaxKind::Since},
};

bool is_infix(SyntaxKind kind) {
  return kind == SyntaxKind::Until || kind == SyntaxKind::WeakUntil ||
         kind == SyntaxKind::Release || kind == SyntaxKind::Since;
}

// The temporal operator that the word at hand is; none where it is a name of the model.
std::optional<SyntaxKind> temporal_at(const TokenReader& reader, std::string_view names) {
  if (!reader.is(TokenKind::Word)) return std::nullopt;
  const std::string_view word = reader.text();
  if (word.size() == 1 && names.find(word) != std::string_view::npos) return std::nullopt;
  return temporal_word(word);
}

bool is_letter(std::string_view word) {
  return word.size() == 1 && std::string_view("GFXUWR").find(word) != std::string_view::npos;
}

}  // namespace

std::optional<OperatorInfo> infix_operator(TokenKind kind) {
  switch (kind) {
    case TokenKind::Caret:
      return OperatorInfo{SyntaxKind::Power, 12, true};
    case TokenKind::Star:
      return OperatorInfo{SyntaxKind::Multiply, 11};
    case TokenKind::Slash:
      return OperatorInfo{SyntaxKind::Divide, 11};
    case TokenKind::Percent:
      return OperatorInfo{SyntaxKind::Remainder, 11};
    case TokenKind::Plus:
      return OperatorInfo{SyntaxKind::Add, 10};
    case TokenKind::Minus:
      return OperatorInfo{SyntaxKind::Subtract, 10};
    case TokenKind::PlusPlus:
      return OperatorInfo{SyntaxKind::Concat, 10};
    case TokenKind::Less:
      return OperatorInfo{SyntaxKind::Less, 8};
    case TokenKind::LessEqual:
      return OperatorInfo{SyntaxKind::LessEqual, 8};
    case TokenKind::Greater:
      return OperatorInfo{SyntaxKind::Greater, 8};
    case TokenKind::GreaterEqual:
      return OperatorInfo{SyntaxKind::GreaterEqual, 8};
    case TokenKind::Equal:
      return OperatorInfo{SyntaxKind::Equal, 7};
    case TokenKind::NotEqual:
      return OperatorInfo{SyntaxKind::NotEqual, 7};
    case TokenKind::And:
      return OperatorInfo{SyntaxKind::And, 4};
    case TokenKind::Or:
      return OperatorInfo{SyntaxKind::Or, 3};
    case TokenKind::Arrow:
      return OperatorInfo{SyntaxKind::Implies, 2, true};
    default:
      return std::nullopt;
  }
}

std::optional<std::pair<TokenKind, std::string_view>> meant_operator(const TokenReader& reader) {
  switch (reader.peek().kind) {
    case TokenKind::Assign:
      return std::pair{TokenKind::Equal, "=="};
    case TokenKind::Ampersand:
      return std::pair{TokenKind::And, "&&"};
    case TokenKind::Bar:
      return std::pair{TokenKind::Or, "||"};
    case TokenKind::DoubleArrow:
      return std::pair{TokenKind::Arrow, "->"};
    case TokenKind::LessGreater:
      return std::pair{TokenKind::NotEqual, "!="};
    case TokenKind::Word:
      if (reader.text() == "and") return std::pair{TokenKind::And, "&&"};
      if (reader.text() == "or") return std::pair{TokenKind::Or, "||"};
      if (reader.text() == "implies") return std::pair{TokenKind::Arrow, "->"};
      if (reader.text() == "mod") return std::pair{TokenKind::Percent, "%"};
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

std::optional<OperatorInfo> infix_of_formula(const TokenReader& reader, std::string_view names) {
  if (reader.is(TokenKind::DoubleArrow)) return infix_operator(TokenKind::Arrow);
  // `<->` is read as `<` and `->`, which stand side by side in no expression.
  if (reader.is(TokenKind::Less) && reader.is(TokenKind::Arrow, 1) &&
      reader.peek().end == reader.peek(1).begin) {
    return OperatorInfo{SyntaxKind::Iff, 1, false, 2};
  }
  if (reader.is_word("and")) return infix_operator(TokenKind::And);
  if (reader.is_word("or")) return infix_operator(TokenKind::Or);
  const auto temporal = temporal_at(reader, names);
  if (temporal && is_infix(*temporal)) return OperatorInfo{*temporal, 5, true};
  return infix_operator(reader.peek().kind);
}

std::optional<OperatorInfo> prefix_of_formula(const TokenReader& reader, std::string_view names) {
  constexpr int kStrength = kUnaryFormulaStrength;
  if (reader.is(TokenKind::OpenBracket) && reader.is(TokenKind::CloseBracket, 1)) {
    return OperatorInfo{SyntaxKind::Always, kStrength, false, 2};
  }
  if (reader.is(TokenKind::Box)) return OperatorInfo{SyntaxKind::Always, kStrength};
  if (reader.is(TokenKind::LessGreater)) return OperatorInfo{SyntaxKind::Eventually, kStrength};
  if (reader.is(TokenKind::Not) || reader.is_word("not")) {
    return OperatorInfo{SyntaxKind::Not, kStrength};
  }
  const auto temporal = temporal_at(reader, names);
  if (temporal && !is_infix(*temporal)) return OperatorInfo{*temporal, kStrength};
  return std::nullopt;
}

std::optional<SyntaxKind> temporal_word(std::string_view word) {
  for (const TemporalWord& entry : kTemporalWords) {
    if (entry.word == word) return entry.kind;
  }
  return std::nullopt;
}

bool begins_operand(const TokenReader& reader, StopsExpression stops) {
  constexpr std::string_view kElsewhere[] = {"then", "else", "and", "or"};
  switch (reader.peek(1).kind) {
    case TokenKind::Word:
      return !stops(reader, 1) && !reader.begins_line(1) && !temporal_word(reader.text(1)) &&
             std::find(std::begin(kElsewhere), std::end(kElsewhere), reader.text(1)) ==
                 std::end(kElsewhere);
    case TokenKind::OpenParen:
    case TokenKind::Not:
    case TokenKind::Box:
    case TokenKind::LessGreater:
      return true;
    case TokenKind::OpenBracket:
      return reader.is(TokenKind::CloseBracket, 2);
    default:
      return false;
  }
}

std::string_view operator_text(SyntaxKind kind) {
  switch (kind) {
    case SyntaxKind::Always:
      return "[]";
    case SyntaxKind::Eventually:
      return "<>";
    case SyntaxKind::NextState:
      return "next";
    case SyntaxKind::Iff:
      return "<->";
    case SyntaxKind::Implies:
      return "->";
    case SyntaxKind::And:
      return "&&";
    case SyntaxKind::Or:
      return "||";
    case SyntaxKind::Not:
      return "!";
    default:
      for (const TemporalWord& entry : kTemporalWords) {
        if (entry.kind == kind) return entry.word;
      }
      return "this operator";
  }
}

bool is_past(SyntaxKind kind) {
  return kind == SyntaxKind::Once || kind == SyntaxKind::Historically || kind == SyntaxKind::Since;
}

std::string declared_letters(const SyntaxTree& tree,
                             std::initializer_list<std::string_view> declarations) {
  std::string letters;
  bool list = false;    // between `var` and `:`, in the braces of an `enum`
  bool behind = false;  // the last word declares what follows
  for (const Token& token : tree.tokens()) {
    const std::string_view text = tree.text(token);
    if (token.kind != TokenKind::Word) {
      list = list && (token.kind == TokenKind::Comma || token.kind == TokenKind::OpenBrace);
      continue;
    }
    if (is_letter(text) && (list || behind) && letters.find(text) == std::string::npos) {
      letters += text;
    }
    behind = std::find(declarations.begin(), declarations.end(), text) != declarations.end();
    list = list || (behind && (text == "var" || text == "enum"));
  }
  return letters;
}

}  // namespace whittle::frontend
