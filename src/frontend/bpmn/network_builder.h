// SPDX-License-Identifier: Apache-2.0
// From a diagram to a network: a machine per pool whose variables count the tokens on its flows,
// and the questions that everybody asks about a process. docs/languages/bpmn.md says what each
// element means.
#pragma once

#include <memory>

#include "base/diagnostics.h"
#include "base/source.h"
#include "frontend/bpmn/diagram.h"
#include "frontend/bpmn/options.h"
#include "frontend/symbol_index.h"
#include "ir/network.h"

namespace whittle::bpmn {

[[nodiscard]] std::shared_ptr<Network> build_network(const Diagram& diagram,
                                                     const SourceFile& source,
                                                     const BpmnOptions& options,
                                                     Diagnostics& diagnostics,
                                                     SymbolIndex& symbols);

}  // namespace whittle::bpmn
