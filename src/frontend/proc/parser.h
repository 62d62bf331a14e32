// SPDX-License-Identifier: Apache-2.0
// From tokens to a PROC file.
#pragma once

#include "base/diagnostics.h"
#include "frontend/proc/ast.h"

namespace whittle::proc {

// Reads as much as it can: after an error it goes on with the next statement or declaration.
[[nodiscard]] File parse_file(frontend::SyntaxTree& tree, Diagnostics& diagnostics);

}  // namespace whittle::proc
