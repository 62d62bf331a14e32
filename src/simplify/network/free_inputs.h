// SPDX-License-Identifier: Apache-2.0
// Existential elimination of inputs: a parameter that only conditions speak of restricts nothing
// but the event itself. `amount > 0` with nothing else reading `amount` always has a solution and
// goes; `0 < amount && amount <= balance` becomes `0 < balance`.
#pragma once

#include <optional>

#include "ir/transformation.h"
#include "simplify/network/queries.h"
#include "simplify/network/refine_counts.h"

namespace whittle::simplify {

// Empty: no input can be eliminated within the budget. Values of the inputs are found again when a
// trace is lifted: by trying the last ones, then by a solver.
[[nodiscard]] std::optional<Transformed> free_inputs_eliminated(
    const std::shared_ptr<Network>& network, PropertyId property, Queries& queries,
    RefineCounts& counts);

// The condition that some value of the symbol satisfies all the parts, for parts of simple shapes
// (`p == t`, bounds of a number, differences); empty: another shape.
[[nodiscard]] std::optional<Expr> solvable(ExprPool& pool, std::span<const Expr> parts,
                                           SymbolId symbol);

}  // namespace whittle::simplify
