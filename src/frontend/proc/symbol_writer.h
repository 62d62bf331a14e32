// SPDX-License-Identifier: Apache-2.0
// Names of variables, locations and instances as a PROC file would write them.
#pragma once

#include "frontend/expression/expression_printer.h"
#include "ir/network.h"

namespace whittle::proc {

// requires: the network outlives the writer.
[[nodiscard]] frontend::SymbolWriter symbol_writer(const Network& network);

}  // namespace whittle::proc
