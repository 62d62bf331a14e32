// SPDX-License-Identifier: Apache-2.0
// From a PROC file to a network: a machine per process, a location per program point.
#pragma once

#include <memory>

#include "base/diagnostics.h"
#include "frontend/proc/ast.h"
#include "frontend/symbol_index.h"
#include "ir/network.h"

namespace whittle::proc {

// Reports everything that is wrong, and leaves it out.
[[nodiscard]] std::shared_ptr<Network> build_network(const File& file,
                                                     const frontend::SyntaxTree& tree,
                                                     const Sources& sources, bool deadlock,
                                                     Diagnostics& diagnostics,
                                                     SymbolIndex& symbols);

}  // namespace whittle::proc
