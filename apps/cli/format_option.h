// SPDX-License-Identifier: Apache-2.0
// An option whose choices are a list of formats, each with an id.
#pragma once

#include <vector>

#include "base/options.h"

namespace whittle::cli {

enum class FormatIndex : std::size_t {};  // in the list

template <class Formats>
[[nodiscard]] std::vector<Option<FormatIndex>::Choice> format_choices(const Formats& formats) {
  std::vector<Option<FormatIndex>::Choice> choices;
  for (const auto& format : formats) choices.push_back({format.id, FormatIndex(choices.size())});
  return choices;
}

// The format that was chosen.
template <class Formats>
[[nodiscard]] const auto& chosen(Formats formats, const Option<FormatIndex>& option) {
  return formats[static_cast<std::size_t>(*option)];
}

}  // namespace whittle::cli
