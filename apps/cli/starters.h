// SPDX-License-Identifier: Apache-2.0
// A model to begin with, of every language.
#pragma once

#include <span>
#include <string_view>

namespace whittle::cli {

struct Starter {
  std::string_view language;
  std::string_view file;
  std::string_view text;
};

[[nodiscard]] std::span<const Starter> starters();
// Null: there is none.
[[nodiscard]] const Starter* starter_of(std::string_view language);

}  // namespace whittle::cli
