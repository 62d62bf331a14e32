// SPDX-License-Identifier: Apache-2.0
// Text within Mermaid's diagrams, which have no escapes but entities.
#pragma once

#include <string>
#include <string_view>

namespace whittle {

// requires: `text` can be shown (safe_text).
[[nodiscard]] std::string mermaid_label(std::string_view text);

}  // namespace whittle
