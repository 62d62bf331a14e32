// SPDX-License-Identifier: Apache-2.0
// The declaration of a property of runs, for the languages that share our tokens:
//
//   ltl served [assuming F]: [](request -> <>reply)
//   ltl served: reply responds to request after ready
//
// Words of the patterns are words only where a pattern can go on. The formulas are nodes of the
// file's SyntaxTree; ltl_property.h gives them their meaning.
#pragma once

#include <optional>
#include <string>
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

// After the word `ltl`. `names`: the single letters that are names of the model (operator_table.h).
// False: something was reported and the rest of the declaration is not worth reading; what was read
// is in `result` all the same.
[[nodiscard]] bool parse_ltl(TokenReader& reader, StopsExpression stops, const std::string& names,
                             LtlDeclaration& result);
// What stands behind the colon: a formula or a pattern.
[[nodiscard]] bool parse_demand(TokenReader& reader, StopsExpression stops,
                                const std::string& names, LtlDeclaration& result);
// Behind `assuming`.
[[nodiscard]] bool parse_assumption(TokenReader& reader, StopsExpression stops,
                                    const std::string& names, LtlDeclaration& result);

// The tokens from there to the reader's place on one line, without comments.
[[nodiscard]] std::string text_since(const TokenReader& reader, std::uint32_t first);

}  // namespace whittle::frontend
