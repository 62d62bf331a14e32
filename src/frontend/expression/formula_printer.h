// SPDX-License-Identifier: Apache-2.0
// Formulas of temporal logic as text that `parse_formula` reads back as the same formula.
#pragma once

#include <string>

#include "frontend/expression/expression_printer.h"
#include "ir/ltl.h"

namespace whittle::frontend {

// A formula whose parts without temporal operators are conditions that can be undefined keeps these
// apart from each other, by `<>false` and `[]true` between them.
[[nodiscard]] std::string print_formula(const LtlPool& ltl, const ExprPool& pool, LtlFormula f,
                                        const SymbolWriter& symbol,
                                        Strength needs = Strength::Weakest);

}  // namespace whittle::frontend
