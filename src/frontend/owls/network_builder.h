// SPDX-License-Identifier: Apache-2.0
// From a document to a network: a machine for the outermost process, which performs its parts one
// after the other, and one for each branch of a split. docs/languages/owls.md says what each
// construct means.
#pragma once

#include <memory>

#include "base/diagnostics.h"
#include "base/source.h"
#include "frontend/frontend.h"
#include "frontend/owls/document.h"
#include "ir/network.h"

namespace whittle::owls {

[[nodiscard]] std::shared_ptr<Network> build_network(const Document& document, Sources& sources,
                                                     FileId file, const FileReader& read,
                                                     Diagnostics& diagnostics,
                                                     SymbolIndex& symbols);

}  // namespace whittle::owls
