// SPDX-License-Identifier: Apache-2.0
// Strong 32-bit ids: an index into a table, typed by what the table holds.
//
//   using LocationId = StrongId<struct LocationTag>;
//   network.location(LocationId(3));
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

#include "base/error.h"

namespace whittle {

template <class Tag>
class StrongId {
 public:
  constexpr StrongId() = default;
  // Takes any integer type, so that `Id(3)` and `Id(table.size())` both work; a value that does
  // not fit is a broken contract, not a wrapped index.
  template <std::integral Index>
  constexpr explicit StrongId(Index index) : index_(static_cast<std::uint32_t>(index)) {
    WHITTLE_REQUIRE(std::in_range<std::uint32_t>(index), "id does not fit in 32 bits");
  }

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
