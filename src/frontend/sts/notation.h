// SPDX-License-Identifier: Apache-2.0
// Values and conditions as an STS file would write them.
#pragma once

#include <memory>
#include <string>

#include "frontend/expression/expression_printer.h"
#include "ir/network.h"
#include "ir/notation.h"

namespace whittle::sts {

[[nodiscard]] std::shared_ptr<const Notation> make_notation();

// Names of variables, parameters and nodes as the language writes them.
[[nodiscard]] frontend::SymbolWriter symbol_writer(const Network& network);

// A name that may be quoted (nodes, transitions, properties, the system).
[[nodiscard]] std::string written(std::string_view name);

}  // namespace whittle::sts
