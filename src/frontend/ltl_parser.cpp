// SPDX-License-Identifier: Apache-2.0
#include "frontend/ltl_parser.h"

#include <fmt/format.h>

#include "expr/number.h"
#include "frontend/expression/operator_table.h"

namespace whittle::frontend {

namespace {

void refuse_loose(const TokenReader& reader, Span place) {
  reader.diagnostics().report("ltl-011", place,
                              "what a pattern speaks of is one condition or stands in parentheses",
                              "put parentheses around it, as in `S responds to (P && Q)`");
}

class PatternParser {
 public:
  PatternParser(TokenReader& reader, StopsExpression stops, const std::string& names)
      : reader_(reader), stops_(stops), grammar_{names, true} {}

  // `first` is what was read before it became clear that this is a pattern.
  bool behind(SyntaxId first, PatternSyntax& result) {
    if (reader_.accept_word("responds")) {
      result.s = first;
      result.body = PatternBody::Response;
      if (!to() || !argument(result.p)) return false;
      return second_cause(PatternBody::RespondsToChain, result);
    }
    if (reader_.accept_word("precedes")) {
      result.s = first;
      result.body = PatternBody::Precedence;
      if (!argument(result.p)) return false;
      return second_cause(PatternBody::PrecedesChain, result);
    }
    reader_.skip();  // the comma of a chain
    result.s = first;
    if (!argument(result.t)) return false;
    const bool without = reader_.accept_word("without");
    if (without && !argument(result.z)) return false;
    if (!without && reader_.accept_word("precede")) {
      result.body = PatternBody::PrecedenceChain;
      return argument(result.p);
    }
    result.body = without ? PatternBody::ConstrainedChain : PatternBody::ResponseChain;
    if (reader_.accept_word("respond")) return to() && argument(result.p);
    reader_.report_expected(without ? "`respond`" : "`respond` or `precede`",
                            "as in `S, T respond to P`");
    return false;
  }

  // At `absence of` and the like.
  bool occurrence(PatternSyntax& result) {
    const std::string_view word = reader_.text();
    result.body = word == "absence"        ? PatternBody::Absence
                  : word == "universality" ? PatternBody::Universality
                                           : PatternBody::Existence;
    reader_.skip();
    reader_.skip();
    if (!argument(result.p)) return false;
    if (result.body != PatternBody::Existence || !reader_.is_word("at")) return true;
    reader_.skip();
    result.body = PatternBody::ExistenceAtMost;
    if (!reader_.expect_word("most", "as in `existence of P at most 3 times`")) return false;
    const auto number =
        reader_.is(TokenKind::Integer) ? Integer::parse(reader_.text()) : std::optional<Integer>();
    const auto times = number ? number->to_int64() : std::nullopt;
    if (!times || *times > kMostPatternTimes) {
      reader_.report_expected(fmt::format("a number of times up to {}", kMostPatternTimes),
                              "as in `existence of P at most 3 times`");
      return false;
    }
    result.times = static_cast<unsigned>(*times);
    reader_.skip();
    return reader_.accept_word("time") || reader_.expect_word("times");
  }

  bool scope(PatternSyntax& result) {
    if (reader_.accept_word("globally")) return true;
    if (reader_.accept_word("before")) {
      result.scope = PatternScope::Before;
      return argument(result.r);
    }
    if (reader_.accept_word("after")) {
      result.scope = PatternScope::After;
      if (!argument(result.q)) return false;
      if (!reader_.accept_word("until")) return true;
      result.scope = PatternScope::AfterUntil;
      return argument(result.r);
    }
    if (!reader_.accept_word("between")) return true;
    result.scope = PatternScope::Between;
    if (!argument(result.q)) return false;
    if (!reader_.accept_word("and")) {
      reader_.diagnostics().report("ltl-005", reader_.span(),
                                   "the scope `between Q and R` lacks its end",
                                   "add `and R`, or write `after Q`");
      return false;
    }
    return argument(result.r);
  }

 private:
  bool to() { return reader_.expect_word("to", "as in `S responds to P`"); }

  // `P responds to S, T` has other letters than `S responds to P`.
  bool second_cause(PatternBody chain, PatternSyntax& result) {
    if (!reader_.accept(TokenKind::Comma)) return true;
    result.body = chain;
    std::swap(result.s, result.p);
    return argument(result.t);
  }

  bool argument(std::optional<SyntaxId>& result) {
    result = parse_formula(reader_, stops_, grammar_);
    if (!result) return false;
    const TokenKind next = reader_.peek().kind;
    if (next != TokenKind::And && next != TokenKind::Or && next != TokenKind::Arrow &&
        next != TokenKind::DoubleArrow) {
      return true;
    }
    refuse_loose(reader_, reader_.span());
    return false;
  }

  TokenReader& reader_;
  StopsExpression stops_;
  FormulaGrammar grammar_;
};

bool begins_occurrence(const TokenReader& reader) {
  return (reader.is_word("absence") || reader.is_word("universality") ||
          reader.is_word("existence")) &&
         reader.is_word("of", 1);
}

bool continues_pattern(const TokenReader& reader) {
  return reader.is_word("responds") || reader.is_word("precedes") || reader.is(TokenKind::Comma);
}

// Whether the first parenthesis among these tokens closes with the last of them.
bool is_parenthesised(const SyntaxTree& tree, std::uint32_t first, std::uint32_t end) {
  std::size_t open = 0;
  for (std::uint32_t i = first; i < end; ++i) {
    if (tree.token(i).kind == TokenKind::OpenParen) ++open;
    if (tree.token(i).kind == TokenKind::CloseParen && open > 0) --open;
    if (open == 0) return i + 1 == end && i > first;
  }
  return false;
}

bool is_infix_of_formulas(SyntaxKind kind) {
  switch (kind) {
    case SyntaxKind::Iff:
    case SyntaxKind::Implies:
    case SyntaxKind::Or:
    case SyntaxKind::And:
    case SyntaxKind::Until:
    case SyntaxKind::WeakUntil:
    case SyntaxKind::Release:
    case SyntaxKind::Since:
      return true;
    default:
      return false;
  }
}

// The scope of a pattern, and how it is shown: `globally` is written out.
bool finish_pattern(PatternParser& parser, TokenReader& reader, std::uint32_t first,
                    LtlDeclaration& result) {
  if (!parser.scope(*result.pattern)) {
    result.pattern.reset();
    return false;
  }
  result.text = text_since(reader, first);
  result.pattern->span = {reader.tree().file(), reader.tree().token(first).begin,
                          reader.after_previous().end};
  return true;
}

}  // namespace

std::string text_since(const TokenReader& reader, std::uint32_t first) {
  const SyntaxTree& tree = reader.tree();
  std::string result;
  for (std::uint32_t i = first; i < reader.index(); ++i) {
    const Token& token = tree.token(i);
    if (i > first && tree.token(i - 1).end != token.begin) result += ' ';
    result += tree.text(token);
  }
  return result;
}

bool parse_demand(TokenReader& reader, StopsExpression stops, const std::string& names,
                  LtlDeclaration& result) {
  const std::uint32_t first = reader.index();
  PatternParser parser(reader, stops, names);
  if (begins_occurrence(reader)) {
    result.pattern.emplace();
    if (parser.occurrence(*result.pattern)) return finish_pattern(parser, reader, first, result);
    result.pattern.reset();
    return false;
  }
  const auto root = parse_formula(reader, stops, {names, false});
  if (!root) return false;
  if (!continues_pattern(reader)) {
    result.formula = root;
    result.text = text_since(reader, first);
    return true;
  }
  const SyntaxTree& tree = reader.tree();
  if (is_infix_of_formulas(tree.node(*root).kind) &&
      !is_parenthesised(tree, first, reader.index())) {
    refuse_loose(reader, tree.span(*root));
  }
  result.pattern.emplace();
  if (parser.behind(*root, *result.pattern)) return finish_pattern(parser, reader, first, result);
  result.pattern.reset();
  return false;
}

bool parse_assumption(TokenReader& reader, StopsExpression stops, const std::string& names,
                      LtlDeclaration& result) {
  const std::uint32_t first = reader.index();
  result.assumption = parse_formula(reader, stops, {names, false});
  if (result.assumption) result.assuming = text_since(reader, first);
  return result.assumption.has_value();
}

bool parse_ltl(TokenReader& reader, StopsExpression stops, const std::string& names,
               LtlDeclaration& result) {
  result.name = reader.expect_name("the name of the property", true);
  if (result.name.text.empty()) return false;
  if (reader.accept_word("assuming") && !parse_assumption(reader, stops, names, result)) {
    return false;
  }
  if (!reader.expect(TokenKind::Colon, "as in `ltl served: [](request -> <>reply)`")) return false;
  return parse_demand(reader, stops, names, result);
}

}  // namespace whittle::frontend
