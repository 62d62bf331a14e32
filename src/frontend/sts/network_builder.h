// SPDX-License-Identifier: Apache-2.0
// From declarations to the Network: names are resolved, expressions typed, and everything that is
// wrong or odd is reported. One machine with one instance in one universe; a transition is an event
// with one arc.
#pragma once

#include <memory>

#include "base/diagnostics.h"
#include "frontend/expression/syntax_tree.h"
#include "frontend/sts/ast.h"
#include "frontend/symbol_index.h"
#include "ir/network.h"

namespace whittle::sts {

// Of a file with errors, what was understood: declarations and conditions that are wrong are left
// out.
[[nodiscard]] std::shared_ptr<Network> build_network(const File& file,
                                                     const frontend::SyntaxTree& tree,
                                                     Diagnostics& diagnostics,
                                                     SymbolIndex& symbols);

}  // namespace whittle::sts
