// SPDX-License-Identifier: Apache-2.0
// The machines of a model as drawings: places, and events between them.
#pragma once

#include <string>

#include "ir/network.h"

namespace whittle {

// For Graphviz.
[[nodiscard]] std::string machines_dot(const Network& network);
// Mermaid's `stateDiagram-v2`, which code hosts show in Markdown.
[[nodiscard]] std::string machines_mermaid(const Network& network);

}  // namespace whittle
