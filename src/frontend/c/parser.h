// SPDX-License-Identifier: Apache-2.0
// From tokens to a translation unit.
#pragma once

#include <vector>

#include "base/diagnostics.h"
#include "frontend/c/token.h"
#include "frontend/c/tree.h"
#include "frontend/symbol_index.h"

namespace whittle::c {

// After a syntax error it goes on with the next statement or declaration.
void parse_unit(const std::vector<Token>& tokens, Unit& unit, Diagnostics& diagnostics,
                SymbolIndex& symbols);

}  // namespace whittle::c
