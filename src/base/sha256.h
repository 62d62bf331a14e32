// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4), with which exchange formats name the file they are about.
#pragma once

#include <string>
#include <string_view>

namespace whittle {

// 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256(std::string_view text);

}  // namespace whittle
