// SPDX-License-Identifier: Apache-2.0
// The values of the constants of a file, which may use each other in any order.
#pragma once

#include "frontend/expression/expression_typer.h"
#include "frontend/sts/ast.h"
#include "frontend/sts/symbols.h"

namespace whittle::sts {

// Fills in `expr` of every constant in the table; one that has no value keeps an invalid term.
void evaluate_constants(const File& file, const frontend::SyntaxTree& tree, ExprPool& pool,
                        Symbols& symbols, Diagnostics& diagnostics);

}  // namespace whittle::sts
