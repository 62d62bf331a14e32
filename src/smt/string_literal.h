// SPDX-License-Identifier: Apache-2.0
// Strings between our UTF-8 and SMT-LIB, whose characters are code points up to 0x2FFFF written in
// printable ASCII with \u{...} for the rest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace whittle::smt {

// Empty: not valid UTF-8, or a character beyond what SMT-LIB has. No quotes around, none doubled.
[[nodiscard]] std::optional<std::string> escaped(std::string_view utf8);
// The inverse; understands every escape of the SMT-LIB standard.
[[nodiscard]] std::string unescaped(std::string_view text);

void append_utf8(std::uint32_t code_point, std::string& out);

}  // namespace whittle::smt
