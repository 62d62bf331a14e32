// SPDX-License-Identifier: Apache-2.0
// The entities that a document declares for itself (`<!ENTITY xsd "http://...">`), put in place.
// Nothing is read from elsewhere, and what they stand for cannot grow without limit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace whittle::owls {

struct Expanded {
  std::string text;
  bool too_large = false;  // the text is of no use then
  // Where pieces of it come from: its offset, that of the document; ascending.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> origins;

  // The place in the document.
  [[nodiscard]] std::uint32_t origin(std::uint32_t offset) const;
};

[[nodiscard]] Expanded expand_entities(std::string_view document);

}  // namespace whittle::owls
