// SPDX-License-Identifier: Apache-2.0
// From an FCL file to a network: one machine, a location for each statement and `halt`, an event
// for each statement, two for `if`.
#pragma once

#include <memory>

#include "base/diagnostics.h"
#include "base/source.h"
#include "frontend/fcl/ast.h"
#include "frontend/symbol_index.h"
#include "ir/network.h"

namespace whittle::fcl {

// Reports everything that is wrong, and leaves it out.
[[nodiscard]] std::shared_ptr<Network> build_network(const File& file, FileId id,
                                                     const Sources& sources,
                                                     Diagnostics& diagnostics,
                                                     SymbolIndex& symbols);

// How the location of a statement is called.
[[nodiscard]] std::string place_name(const std::string& label, std::uint64_t number);

}  // namespace whittle::fcl
