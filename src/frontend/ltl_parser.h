// SPDX-License-Identifier: Apache-2.0
// The declaration of a property of runs, for the languages that share our tokens:
//
//   ltl served [assuming F]: [](request -> <>reply)
//   ltl served: reply responds to request after ready
//
// Words of the patterns are words only where a pattern can go on. The formulas are nodes of the
// file's SyntaxTree; ltl_property.h gives them their meaning. Languages with expressions of their
// own derive a FormulaReader and share the grammar of declarations and patterns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/expression/expression_parser.h"
#include "frontend/expression/token_reader.h"
#include "frontend/ltl_patterns.h"
#include "ir/expectation.h"

namespace whittle::frontend {

// A pattern as written; the letters are those of LTL patterns (ltl_patterns.h).
struct PatternSyntax {
  PatternBody body = PatternBody::Absence;
  PatternScope scope = PatternScope::Globally;
  std::optional<SyntaxId> p, q, r, s, t, z;
  unsigned times = 0;
  Span span;
};

struct LtlDeclaration {
  // All formulas that stand in it: assumption, formula, parts of the pattern.
  [[nodiscard]] std::vector<SyntaxId> formulas() const;

  Name name;
  // A formula that could not be read is missing; the rest is still looked at.
  std::optional<SyntaxId> assumption;
  std::optional<SyntaxId> formula;
  std::optional<PatternSyntax> pattern;
  std::string assuming;  // of the assumption, as written, on one line
  std::string text;      // of the formula or pattern
  Span span;
  std::optional<Expectation> expected = {};
};

// The place in the text, and how a language reads a formula there. A formula is known by a number
// of the language's own (SyntaxId).
class FormulaReader {
 public:
  virtual ~FormulaReader() = default;

  [[nodiscard]] virtual bool is_word(std::string_view word, std::size_t ahead = 0) = 0;
  [[nodiscard]] virtual bool is_comma() = 0;
  // At an operator that joins formulas to one, which is weaker than a pattern.
  [[nodiscard]] virtual bool is_connective() = 0;
  virtual void skip() = 0;
  // A number up to `most`, which is taken; none: something else stands there.
  [[nodiscard]] virtual std::optional<std::int64_t> number(std::int64_t most) = 0;
  // Nothing: reported. `argument`: of a pattern, connectives only in parentheses.
  [[nodiscard]] virtual std::optional<SyntaxId> formula(bool argument) = 0;
  // Is it one formula joined from several, without parentheses around it?
  [[nodiscard]] virtual bool is_joined(SyntaxId formula, std::uint32_t first) = 0;

  [[nodiscard]] virtual std::uint32_t place() = 0;  // to be given back
  [[nodiscard]] virtual std::string text_since(std::uint32_t first) = 0;
  [[nodiscard]] virtual Span span() = 0;                           // of the token at hand
  [[nodiscard]] virtual Span span_since(std::uint32_t first) = 0;  // to the last taken token
  // "expected <what>, found ..."
  virtual void report_expected(std::string_view what, std::string_view hint) = 0;
  [[nodiscard]] virtual Diagnostics& diagnostics() = 0;

  bool accept_word(std::string_view word);
  bool expect_word(std::string_view word, std::string_view hint);
};

// On the tokens of TokenReader; only the formulas are the language's own.
class TokenFormulaReader : public FormulaReader {
 public:
  explicit TokenFormulaReader(TokenReader& reader) : reader_(reader) {}

  bool is_word(std::string_view word, std::size_t ahead = 0) override;
  bool is_comma() override;
  bool is_connective() override;
  void skip() override;
  std::optional<std::int64_t> number(std::int64_t most) override;
  std::uint32_t place() override;
  std::string text_since(std::uint32_t first) override;
  Span span() override;
  Span span_since(std::uint32_t first) override;
  void report_expected(std::string_view what, std::string_view hint) override;
  Diagnostics& diagnostics() override;

 protected:
  // Do the tokens from `first` on stand in one pair of parentheses?
  [[nodiscard]] bool is_parenthesised(std::uint32_t first) const;

  TokenReader& reader_;
};

// What stands behind the colon: a formula or a pattern. False: something was reported and the rest
// of the declaration is not worth reading; what was read is in `result` all the same.
[[nodiscard]] bool parse_demand(FormulaReader& reader, LtlDeclaration& result);
// Behind `assuming`.
[[nodiscard]] bool parse_assumption(FormulaReader& reader, LtlDeclaration& result);
// After the word `ltl`, in languages of our tokens.
[[nodiscard]] bool parse_ltl(TokenReader& reader, FormulaReader& formulas, LtlDeclaration& result);

// ----- the same with our expressions. `names`: the single letters that are names of the model
// (operator_table.h)
[[nodiscard]] bool parse_ltl(TokenReader& reader, StopsExpression stops, const std::string& names,
                             LtlDeclaration& result);

// The tokens from there to the reader's place on one line, without comments.
[[nodiscard]] std::string text_since(const TokenReader& reader, std::uint32_t first);

}  // namespace whittle::frontend
