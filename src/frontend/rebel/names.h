// SPDX-License-Identifier: Apache-2.0
// Interned identifiers of a Rebel program: a name is a 32-bit number, equal names have equal
// numbers. The table points into the source texts, which outlive it.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace whittle::rebel {

using Name = std::uint32_t;
inline constexpr Name kNoName = 0;  // the empty name

class Names {
 public:
  Names();
  // `text` must stay where it is for the life of the table.
  Name intern(std::string_view text);
  // The same for text that does not: the table keeps a copy.
  Name intern_copy(std::string text);
  [[nodiscard]] std::string_view text(Name name) const { return texts_[name]; }
  [[nodiscard]] std::string string(Name name) const { return std::string(texts_[name]); }
  [[nodiscard]] std::size_t size() const { return texts_.size(); }

 private:
  void grow();

  std::vector<std::string_view> texts_;
  std::vector<std::uint32_t> table_;  // open addressing: name + 1, 0 = free
  std::deque<std::string> owned_;
};

}  // namespace whittle::rebel
