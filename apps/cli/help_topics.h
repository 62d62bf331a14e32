// SPDX-License-Identifier: Apache-2.0
// Longer texts of `whittle help`: languages on a page, and what is behind a message
// (explained/*.def).
#pragma once

#include <string_view>

namespace whittle::cli {

// The language at a glance; empty: there is no such page.
[[nodiscard]] std::string_view cheat_sheet(std::string_view language);

// Why such a message comes and what to do, with what is wrong and right.
struct Explained {
  std::string_view id;
  std::string_view why;
  std::string_view wrong;  // an example; may be empty
  std::string_view right;  // the same put right; may be empty
};
// Null: there is no such message.
[[nodiscard]] const Explained* explained(std::string_view id);

}  // namespace whittle::cli
