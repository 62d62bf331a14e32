// SPDX-License-Identifier: Apache-2.0
#include "frontend/ltl_parser.h"

#include <fmt/format.h>

#include <utility>

#include "expr/number.h"
#include "frontend/expression/operator_table.h"

namespace whittle::frontend {

namespace {

void refuse_loose(FormulaReader& reader, Span place) {
  reader.diagnostics().report("ltl-011", place,
                              "what a pattern speaks of is one condition or stands in parentheses",
                              "put parentheses around it, as in `S responds to (P && Q)`");
}

class PatternParser {
 public:
  explicit PatternParser(FormulaReader& reader) : reader_(reader) {}

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
    result.body = reader_.is_word("absence")        ? PatternBody::Absence
                  : reader_.is_word("universality") ? PatternBody::Universality
                                                    : PatternBody::Existence;
    reader_.skip();
    reader_.skip();
    if (!argument(result.p)) return false;
    if (result.body != PatternBody::Existence || !reader_.is_word("at")) return true;
    reader_.skip();
    result.body = PatternBody::ExistenceAtMost;
    if (!reader_.expect_word("most", "as in `existence of P at most 3 times`")) return false;
    const auto times = reader_.number(kMostPatternTimes);
    if (!times) {
      reader_.report_expected(fmt::format("a number of times up to {}", kMostPatternTimes),
                              "as in `existence of P at most 3 times`");
      return false;
    }
    result.times = static_cast<unsigned>(*times);
    return reader_.accept_word("time") || reader_.expect_word("times", "");
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
    if (!reader_.is_comma()) return true;
    reader_.skip();
    result.body = chain;
    std::swap(result.s, result.p);
    return argument(result.t);
  }

  bool argument(std::optional<SyntaxId>& result) {
    result = reader_.formula(true);
    if (!result) return false;
    if (!reader_.is_connective()) return true;
    refuse_loose(reader_, reader_.span());
    return false;
  }

  FormulaReader& reader_;
};

bool begins_occurrence(FormulaReader& reader) {
  return (reader.is_word("absence") || reader.is_word("universality") ||
          reader.is_word("existence")) &&
         reader.is_word("of", 1);
}

bool continues_pattern(FormulaReader& reader) {
  return reader.is_word("responds") || reader.is_word("precedes") || reader.is_comma();
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

// Formulas over the expressions that languages share.
class OwnFormulas final : public TokenFormulaReader {
 public:
  OwnFormulas(TokenReader& reader, StopsExpression stops, const std::string& names)
      : TokenFormulaReader(reader), stops_(stops), names_(names) {}

  std::optional<SyntaxId> formula(bool argument) override {
    return parse_formula(reader_, stops_, {names_, argument});
  }
  bool is_joined(SyntaxId formula, std::uint32_t first) override {
    return is_infix_of_formulas(reader_.tree().node(formula).kind) && !is_parenthesised(first);
  }

 private:
  StopsExpression stops_;
  const std::string& names_;
};

// The scope of a pattern, and how it is shown: `globally` is written out.
bool finish_pattern(PatternParser& parser, FormulaReader& reader, std::uint32_t first,
                    LtlDeclaration& result) {
  if (!parser.scope(*result.pattern)) {
    result.pattern.reset();
    return false;
  }
  result.text = reader.text_since(first);
  result.pattern->span = reader.span_since(first);
  return true;
}

}  // namespace

// ----- readers

bool FormulaReader::accept_word(std::string_view word) {
  if (!is_word(word)) return false;
  skip();
  return true;
}

bool FormulaReader::expect_word(std::string_view word, std::string_view hint) {
  if (accept_word(word)) return true;
  report_expected(fmt::format("`{}`", word), hint);
  return false;
}

bool TokenFormulaReader::is_word(std::string_view word, std::size_t ahead) {
  return reader_.is_word(word, ahead);
}
bool TokenFormulaReader::is_comma() { return reader_.is(TokenKind::Comma); }
bool TokenFormulaReader::is_connective() {
  const TokenKind next = reader_.peek().kind;
  return next == TokenKind::And || next == TokenKind::Or || next == TokenKind::Arrow ||
         next == TokenKind::DoubleArrow;
}
void TokenFormulaReader::skip() { reader_.skip(); }

std::optional<std::int64_t> TokenFormulaReader::number(std::int64_t most) {
  if (!reader_.is(TokenKind::Integer)) return std::nullopt;
  const auto number = Integer::parse(reader_.text());
  const auto small = number ? number->to_int64() : std::nullopt;
  if (!small || *small > most) return std::nullopt;
  reader_.skip();
  return small;
}

std::uint32_t TokenFormulaReader::place() { return reader_.index(); }
std::string TokenFormulaReader::text_since(std::uint32_t first) {
  return frontend::text_since(reader_, first);
}
Span TokenFormulaReader::span() { return reader_.span(); }
Span TokenFormulaReader::span_since(std::uint32_t first) {
  return {reader_.tree().file(), reader_.tree().token(first).begin, reader_.after_previous().end};
}
void TokenFormulaReader::report_expected(std::string_view what, std::string_view hint) {
  reader_.report_expected(what, hint);
}
Diagnostics& TokenFormulaReader::diagnostics() { return reader_.diagnostics(); }

// Whether the first parenthesis closes with the last token.
bool TokenFormulaReader::is_parenthesised(std::uint32_t first) const {
  const SyntaxTree& tree = reader_.tree();
  const std::uint32_t end = reader_.index();
  std::size_t open = 0;
  for (std::uint32_t i = first; i < end; ++i) {
    if (tree.token(i).kind == TokenKind::OpenParen) ++open;
    if (tree.token(i).kind == TokenKind::CloseParen && open > 0) --open;
    if (open == 0) return i + 1 == end && i > first;
  }
  return false;
}

std::vector<SyntaxId> LtlDeclaration::formulas() const {
  std::vector<SyntaxId> result;
  const auto add = [&](const std::optional<SyntaxId>& one) {
    if (one) result.push_back(*one);
  };
  add(assumption);
  add(formula);
  if (!pattern) return result;
  for (const auto& part : {pattern->p, pattern->q, pattern->r, pattern->s, pattern->t, pattern->z})
    add(part);
  return result;
}

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

// ----- declarations

bool parse_demand(FormulaReader& reader, LtlDeclaration& result) {
  const std::uint32_t first = reader.place();
  PatternParser parser(reader);
  if (begins_occurrence(reader)) {
    result.pattern.emplace();
    if (parser.occurrence(*result.pattern)) return finish_pattern(parser, reader, first, result);
    result.pattern.reset();
    return false;
  }
  const auto root = reader.formula(false);
  if (!root) return false;
  if (!continues_pattern(reader)) {
    result.formula = root;
    result.text = reader.text_since(first);
    return true;
  }
  if (reader.is_joined(*root, first)) refuse_loose(reader, reader.span_since(first));
  result.pattern.emplace();
  if (parser.behind(*root, *result.pattern)) return finish_pattern(parser, reader, first, result);
  result.pattern.reset();
  return false;
}

bool parse_assumption(FormulaReader& reader, LtlDeclaration& result) {
  const std::uint32_t first = reader.place();
  result.assumption = reader.formula(false);
  if (result.assumption) result.assuming = reader.text_since(first);
  return result.assumption.has_value();
}

bool parse_ltl(TokenReader& reader, FormulaReader& formulas, LtlDeclaration& result) {
  result.name = reader.expect_name("the name of the property", true);
  if (result.name.text.empty()) return false;
  if (reader.accept_word("assuming") && !parse_assumption(formulas, result)) return false;
  if (!reader.expect(TokenKind::Colon, "as in `ltl served: [](request -> <>reply)`")) return false;
  return parse_demand(formulas, result);
}

bool parse_ltl(TokenReader& reader, StopsExpression stops, const std::string& names,
               LtlDeclaration& result) {
  OwnFormulas formulas(reader, stops, names);
  return parse_ltl(reader, formulas, result);
}

}  // namespace whittle::frontend
