// SPDX-License-Identifier: Apache-2.0
// From XML to a diagram. Elements are recognised by the namespace of the standard, whatever their
// prefix; those of editors are passed over.
#pragma once

#include "base/diagnostics.h"
#include "base/source.h"
#include "frontend/bpmn/diagram.h"

namespace whittle::bpmn {

// What could be read; everything else is reported.
[[nodiscard]] Diagram read_diagram(const Sources& sources, FileId file, Diagnostics& diagnostics);

}  // namespace whittle::bpmn
