// SPDX-License-Identifier: Apache-2.0
// Past operators become Bool variables that remember: the rest of the formula speaks of the present
// and the future.
#pragma once

#include <vector>

#include "expr/expr.h"
#include "ir/ltl.h"

namespace whittle::ltl {

// Remembers whether a past formula held one position earlier. Every step sets it, from the state
// that the step leaves.
struct HistoryVariable {
  SymbolId symbol;     // Bool
  bool first = false;  // its value in the first state
  Expr next;           // its value after a step, over the state before (history included)
};

struct WithoutPast {
  LtlFormula formula;
  std::vector<HistoryVariable> history;  // each mentions earlier ones and itself only
};

// `f` is in negation normal form; no future operator stands below a past one.
[[nodiscard]] WithoutPast without_past(LtlPool& ltl, ExprPool& pool, LtlFormula f);

}  // namespace whittle::ltl
