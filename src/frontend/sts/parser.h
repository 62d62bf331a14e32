// SPDX-License-Identifier: Apache-2.0
// From tokens to declarations. After an error the parser goes on at the next declaration, so that
// every declaration can have its own.
#pragma once

#include "base/diagnostics.h"
#include "frontend/expression/syntax_tree.h"
#include "frontend/sts/ast.h"

namespace whittle::sts {

[[nodiscard]] File parse_file(frontend::SyntaxTree& tree, Diagnostics& diagnostics);

}  // namespace whittle::sts
