// SPDX-License-Identifier: Apache-2.0
// What stands between quotes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace whittle::c {

// 99: it is no digit.
[[nodiscard]] int digit_value(char c);
// One character or escape sequence; moves behind it.
[[nodiscard]] std::uint32_t next_character(std::string_view text, std::size_t& at);
// The characters of a string as written, with the zero at its end.
[[nodiscard]] std::vector<int> string_bytes(std::string_view text);

}  // namespace whittle::c
