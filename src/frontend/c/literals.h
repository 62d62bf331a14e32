// SPDX-License-Identifier: Apache-2.0
// What stands between quotes.
#pragma once

#include <string_view>
#include <vector>

namespace whittle::c {

// The characters of a string as written, with the zero at its end.
[[nodiscard]] std::vector<int> string_bytes(std::string_view text);

}  // namespace whittle::c
