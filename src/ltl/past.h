// SPDX-License-Identifier: Apache-2.0
// Past operators become Bool variables that remember: the rest of the formula speaks of the present
// and the future.
#pragma once

#include <vector>

#include "expr/expr.h"
#include "ir/automaton.h"
#include "ir/ltl.h"

namespace whittle::ltl {

struct WithoutPast {
  LtlFormula formula;
  std::vector<HistoryVariable> history;  // each mentions earlier ones and itself only
};

// `f` is in negation normal form; no future operator stands below a past one.
[[nodiscard]] WithoutPast without_past(LtlPool& ltl, ExprPool& pool, LtlFormula f);

}  // namespace whittle::ltl
