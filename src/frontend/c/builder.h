// SPDX-License-Identifier: Apache-2.0
// Builds expressions of a unit with their types, and puts in the conversions that C makes by
// itself. What no program that we read may do (arithmetic on pointers, say) gets a type as well: it
// only matters if a run can get there.
#pragma once

#include "base/diagnostics.h"
#include "frontend/c/constants.h"
#include "frontend/c/refusal.h"
#include "frontend/c/tree.h"

namespace whittle::c {

class Builder {
 public:
  // Expressions are not deeper than this.
  static constexpr std::uint32_t kMaxDepth = 2000;

  Builder(Unit& unit, Diagnostics& diagnostics)
      : unit_(unit), diagnostics_(diagnostics), constants_(unit) {}

  ExpressionId constant(std::uint64_t value, TypeId type, Span span);
  ExpressionId number(std::string_view text, Span span);
  ExpressionId character(std::string_view text, Span span);
  ExpressionId string(std::string_view text, Span span);
  ExpressionId object(ObjectId id, Span span);
  ExpressionId function(FunctionId id, Span span);
  ExpressionId other(Refusal refusal, TypeId type, Span span);

  ExpressionId unary(Operator op, ExpressionId a, Span span);
  ExpressionId binary(Operator op, ExpressionId a, ExpressionId b);
  ExpressionId logical(ExpressionKind kind, ExpressionId a, ExpressionId b);
  ExpressionId conditional(ExpressionId a, ExpressionId b, ExpressionId c);
  ExpressionId comma(ExpressionId a, ExpressionId b);
  ExpressionId assign(Operator op, ExpressionId a, ExpressionId b);
  ExpressionId step(Operator op, bool prefix, ExpressionId a, Span span);
  ExpressionId cast(ExpressionId a, TypeId type, Span span);
  ExpressionId call(ExpressionId callee, std::vector<ExpressionId> arguments, Span span);
  ExpressionId index(ExpressionId a, ExpressionId b, Span span);
  ExpressionId dereference(ExpressionId a, Span span);
  ExpressionId address(ExpressionId a, Span span);
  ExpressionId member(ExpressionId a, std::string_view name, Span span);
  ExpressionId block(StatementId body, TypeId type, Span span);
  ExpressionId literal(TypeId type, std::uint32_t initializer, Span span);
  // As an operand of type: arrays and functions become pointers.
  ExpressionId decayed(ExpressionId a);
  // The conversion of an assignment, an argument or a result.
  ExpressionId converted(ExpressionId a, TypeId type);

  [[nodiscard]] const Expression& at(ExpressionId id) const { return unit_.expressions[id]; }
  [[nodiscard]] std::optional<Integer> value(ExpressionId id) const { return constants_.value(id); }
  [[nodiscard]] const Types& types() const { return unit_.types; }

 private:
  ExpressionId add(Expression e);
  ExpressionId promote(ExpressionId a);
  [[nodiscard]] TypeId type(ExpressionId id) const { return unit_.expressions[id].type; }

  Unit& unit_;
  Diagnostics& diagnostics_;
  Constants constants_;
  std::vector<std::uint32_t> depth_;
};

}  // namespace whittle::c
