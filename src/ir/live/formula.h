// SPDX-License-Identifier: Apache-2.0
// Formulas over other atoms: those of a network as conditions of its flat system.
#pragma once

#include <functional>

#include "ir/ltl.h"

namespace whittle {

// The formula with `atom(condition)` in place of each of its conditions.
[[nodiscard]] LtlFormula with_atoms(LtlPool& ltl, LtlFormula f,
                                    const std::function<Expr(Expr condition)>& atom);

}  // namespace whittle
