// SPDX-License-Identifier: Apache-2.0
// Finds where the rules of ir/ltl_rules.h apply.
#pragma once

#include <cstddef>
#include <vector>

#include "ir/automaton.h"
#include "ir/ltl.h"

namespace whittle::ltl {

struct Rewritten {
  LtlFormula formula;
  std::vector<LtlReplacement> steps;  // from the formula given to this one
};

// requires: `f` is in negation normal form without past. Ends after `most` steps at the latest.
[[nodiscard]] Rewritten rewritten(LtlPool& ltl, LtlFormula f, std::size_t most = 500);

}  // namespace whittle::ltl
