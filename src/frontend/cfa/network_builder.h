// SPDX-License-Identifier: Apache-2.0
// From a CFA file to a network: a machine for the program and one for each block of `parallel`,
// procedures copied to where they are called.
#pragma once

#include <memory>

#include "base/diagnostics.h"
#include "base/source.h"
#include "frontend/cfa/ast.h"
#include "frontend/symbol_index.h"
#include "ir/network.h"

namespace whittle::cfa {

// Reports everything that is wrong, and leaves it out.
[[nodiscard]] std::shared_ptr<Network> build_network(const File& file,
                                                     const frontend::SyntaxTree& tree,
                                                     const Sources& sources,
                                                     Diagnostics& diagnostics,
                                                     SymbolIndex& symbols);

}  // namespace whittle::cfa
