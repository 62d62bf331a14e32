// SPDX-License-Identifier: Apache-2.0
// The standard headers that may be included without a preprocessor.
#pragma once

#include <optional>
#include <string_view>

namespace whittle::c {

// What it declares, as C; none: we do not know the header.
[[nodiscard]] std::optional<std::string_view> built_in_header(std::string_view name);

}  // namespace whittle::c
