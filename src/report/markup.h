// SPDX-License-Identifier: Apache-2.0
// Text within HTML and SVG.
#pragma once

#include <string>
#include <string_view>

namespace whittle {

// Harmless wherever text may stand, also within attributes in double quotes; control characters as
// safe_text shows them.
[[nodiscard]] std::string escaped_markup(std::string_view text);

}  // namespace whittle
