// SPDX-License-Identifier: Apache-2.0
// From tokens to a CFA file.
#pragma once

#include "base/diagnostics.h"
#include "frontend/cfa/ast.h"

namespace whittle::cfa {

// Reads as much as it can: after an error it goes on with the next statement.
[[nodiscard]] File parse_file(frontend::SyntaxTree& tree, Diagnostics& diagnostics);

}  // namespace whittle::cfa
