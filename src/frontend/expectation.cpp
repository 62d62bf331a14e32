// SPDX-License-Identifier: Apache-2.0
#include "frontend/expectation.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/property_kinds.h"

namespace whittle::frontend {

void expect_of(Property& property, const std::optional<Expectation>& expectation,
               Diagnostics& diagnostics) {
  if (!expectation) return;
  const std::string problem = misfit(property.kind, *expectation);
  if (problem.empty()) {
    property.expected = expectation;
    return;
  }
  diagnostics.report("parse-008", expectation->origin,
                     fmt::format("'{}' cannot be {}", property.name, to_string(*expectation)),
                     problem);
}

std::optional<std::vector<std::pair<std::string, Expectation>>> expectations_by_name(
    std::string_view text) {
  std::vector<std::pair<std::string, Expectation>> result;
  while (!text.empty()) {
    const std::string_view entry = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(entry.size() + 1, text.size()));
    const std::size_t begin = entry.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) continue;
    const std::size_t colon = entry.rfind(':');
    if (colon == std::string_view::npos || colon < begin) return std::nullopt;
    const auto expectation = expectation_of_words(entry.substr(colon + 1));
    if (!expectation) return std::nullopt;
    const std::size_t end = entry.find_last_not_of(" \t\r\n", colon - 1);
    result.emplace_back(entry.substr(begin, end + 1 - begin), *expectation);
  }
  return result;
}

}  // namespace whittle::frontend
