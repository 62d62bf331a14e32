// SPDX-License-Identifier: Apache-2.0
// Longer texts of `whittle help`: languages on a page, and what is behind a message.
#pragma once

#include <string_view>

namespace whittle::cli {

// The language at a glance; empty: there is no such page.
[[nodiscard]] std::string_view cheat_sheet(std::string_view language);

// Why such a message comes, with what is wrong and right; empty: the message says it all.
[[nodiscard]] std::string_view diagnostic_help(std::string_view id);

}  // namespace whittle::cli
