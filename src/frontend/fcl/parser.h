// SPDX-License-Identifier: Apache-2.0
// From tokens to an FCL file.
#pragma once

#include "base/diagnostics.h"
#include "frontend/fcl/ast.h"
#include "frontend/fcl/lexer.h"

namespace whittle::fcl {

// Reads as much as it can: after an error it goes on with the next statement. The tree holds the
// tokens; `numbers` are those of the same text.
[[nodiscard]] File parse_file(frontend::SyntaxTree& tree,
                              const std::vector<StatementNumber>& numbers,
                              Diagnostics& diagnostics);

}  // namespace whittle::fcl
