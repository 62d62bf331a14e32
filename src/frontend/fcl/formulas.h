// SPDX-License-Identifier: Apache-2.0
// Formulas of temporal logic over the conditions of a program.
#pragma once

#include <functional>
#include <vector>

#include "base/diagnostics.h"
#include "frontend/fcl/ast.h"
#include "ir/ltl.h"

namespace whittle::fcl {

class Formulas {
 public:
  // `condition`: what an expression without temporal operators says of a state; invalid: reported.
  Formulas(const std::vector<Expression>& expressions, LtlPool& ltl, ExprPool& pool,
           Diagnostics& diagnostics, std::function<Expr(ExprId)> condition)
      : expressions_(expressions),
        ltl_(ltl),
        pool_(pool),
        diagnostics_(diagnostics),
        condition_(std::move(condition)) {}

  // Invalid after a report. A part without temporal operators is one condition.
  [[nodiscard]] LtlFormula operator()(ExprId root) const;

 private:
  [[nodiscard]] LtlFormula atom(ExprId id) const;
  [[nodiscard]] LtlFormula applied(const Expression& e, const std::vector<LtlFormula>& parts) const;
  [[nodiscard]] bool asks_future_of_past(const Expression& e,
                                         const std::vector<LtlFormula>& parts) const;

  const std::vector<Expression>& expressions_;
  LtlPool& ltl_;
  ExprPool& pool_;
  Diagnostics& diagnostics_;
  std::function<Expr(ExprId)> condition_;
};

}  // namespace whittle::fcl
