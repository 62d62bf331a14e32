// SPDX-License-Identifier: Apache-2.0
// Strong 32-bit ids: an index into a table, typed by what the table holds.
//
//   using LocationId = StrongId<struct LocationTag>;
//   network.location(LocationId(3));
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace whittle {

template <class Tag>
class StrongId {
 public:
  constexpr StrongId() = default;
  constexpr explicit StrongId(std::uint32_t index) : index_(index) {}
  constexpr explicit StrongId(std::size_t index) : index_(static_cast<std::uint32_t>(index)) {}

  [[nodiscard]] constexpr std::uint32_t index() const { return index_; }
  [[nodiscard]] constexpr bool valid() const { return index_ != kNone; }
  constexpr auto operator<=>(const StrongId&) const = default;

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t index_ = kNone;  // kNone: refers to nothing
};

}  // namespace whittle

template <class Tag>
struct std::hash<whittle::StrongId<Tag>> {
  std::size_t operator()(whittle::StrongId<Tag> id) const noexcept {
    return std::hash<std::uint32_t>{}(id.index());
  }
};
