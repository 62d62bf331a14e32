// SPDX-License-Identifier: Apache-2.0
#include "frontend/expression/expectation_clause.h"

#include "expr/number.h"

namespace whittle::frontend {

bool begins_expectation(const TokenReader& reader, std::size_t ahead) {
  return reader.is_word("expect", ahead) && reader.is(TokenKind::Word, ahead + 1) &&
         expectable(reader.text(ahead + 1)).has_value();
}

bool read_expectation(TokenReader& reader, std::optional<Expectation>& result) {
  if (!reader.is_word("expect")) return true;
  const Span begin = reader.span();
  reader.skip();
  const std::optional<VerdictKind> verdict =
      reader.is(TokenKind::Word) ? expectable(reader.text()) : std::nullopt;
  if (!verdict) {
    reader.report_expected("a verdict", expectation_hint(reader.text()));
    return false;
  }
  reader.skip();
  Expectation read{*verdict};
  if (reader.is_word("in") && reader.is(TokenKind::Integer, 1)) {
    reader.skip();
    const auto number = Integer::parse(reader.text());
    const auto small = number ? number->to_int64() : std::nullopt;
    if (!small) {
      reader.diagnostics().report("parse-004", reader.span(), "this number of steps is too large");
      return false;
    }
    read.steps = static_cast<std::uint64_t>(*small);
    reader.skip();
  }
  read.origin = {begin.file, begin.begin, reader.after_previous().end};
  result = read;
  return true;
}

std::string without_expectation(std::string_view text, Span span,
                                const std::optional<Expectation>& expectation) {
  std::string result(text);
  if (!expectation) return result;
  const Span clause = expectation->origin;
  return result.erase(clause.begin - span.begin, clause.end - clause.begin);
}

std::string expectation_clause(const Property& property) {
  return property.expected ? " expect " + to_string(*property.expected) : "";
}

}  // namespace whittle::frontend
