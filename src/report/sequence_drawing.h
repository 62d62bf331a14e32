// SPDX-License-Identifier: Apache-2.0
// A run as a sequence diagram: a lane per instance, an arrow per event, and what it changes beside
// the lane.
#pragma once

#include <string>

#include "ir/property_result.h"

namespace whittle {

// requires: a trace that was replayed. Of a long run its two ends are drawn.
[[nodiscard]] std::string sequence_svg(const PropertyResult& result);
// A `sequenceDiagram`.
[[nodiscard]] std::string sequence_mermaid(const PropertyResult& result);

}  // namespace whittle
