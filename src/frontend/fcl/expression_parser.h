// SPDX-License-Identifier: Apache-2.0
// Expressions of FCL: infix as usual, or an operator and its operands in parentheses, `+(a b)` or
// `(car reqs)`.
#pragma once

#include <optional>
#include <string>

#include "frontend/expression/operator_table.h"
#include "frontend/fcl/ast.h"

namespace whittle::fcl {

class ExpressionParser {
 public:
  // New expressions go to the end of `expressions`.
  ExpressionParser(frontend::TokenReader& reader, std::vector<Expression>& expressions)
      : reader_(reader), expressions_(expressions) {}

  // Nothing after a report. `places`: `[l.i]` and `[halt]` may occur, and conditions in brackets.
  std::optional<ExprId> parse(bool places);
  // A formula of temporal logic. `argument`: of a pattern, connectives only in parentheses.
  // `letters`: those that are names of the program, not operators.
  std::optional<ExprId> formula(bool argument, const std::string& letters);
  // A label: pieces joined by `-`, without blanks.
  [[nodiscard]] Name label(std::string_view hint = {});
  // How many tokens a label at the place at hand has; 0: there is none.
  [[nodiscard]] std::size_t label_length(std::size_t ahead = 0) const;

 private:
  using Parsed = std::optional<ExprId>;

  Parsed infix(unsigned level, unsigned depth);
  Parsed operand(unsigned depth);
  Parsed parenthesised(unsigned depth);
  Parsed application(Operator op, std::uint32_t begin, unsigned depth);
  Parsed argument(unsigned depth);
  Parsed bracketed(unsigned depth);
  Parsed number();
  Parsed prefixed(const frontend::OperatorInfo& info, unsigned depth);
  Parsed halt();
  bool refuse_temporal();
  void warn_of_letter();
  [[nodiscard]] std::optional<Operator> operator_at(std::size_t ahead) const;
  [[nodiscard]] std::optional<frontend::OperatorInfo> joins_formulas() const;
  [[nodiscard]] bool adjacent(std::size_t ahead) const;
  [[nodiscard]] bool lists_operands(std::size_t ahead) const;
  ExprId add(Operator op, std::vector<ExprId> operands, std::uint32_t begin);

  frontend::TokenReader& reader_;
  std::vector<Expression>& expressions_;
  bool places_ = false;
  const std::string* letters_ = nullptr;  // while a formula is read
  bool warned_ = false;                   // of a letter
};

// How many operands an operator takes.
struct Arity {
  unsigned least = 2;
  unsigned most = 2;
};
[[nodiscard]] Arity arity(Operator op);
// As it is written: `+`, `null?`.
[[nodiscard]] std::string_view spelling(Operator op);
// How strongly an infix operator binds; 0: it is none.
[[nodiscard]] unsigned binding(Operator op);

}  // namespace whittle::fcl
