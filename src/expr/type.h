// SPDX-License-Identifier: Apache-2.0
// Types of terms: a 32-bit handle into the pool that made it. Equal types have equal handles.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace whittle {

enum class TypeKind : std::uint8_t { Bool, Int, Real, String, Enum, Array, Set, BitVector };

class Type {
 public:
  constexpr Type() = default;
  constexpr explicit Type(std::uint32_t id) : id_(id) {}
  [[nodiscard]] constexpr std::uint32_t id() const { return id_; }
  constexpr auto operator<=>(const Type&) const = default;

  // The types without parameters have the same handle in every pool.
  static constexpr Type boolean() { return Type(0); }
  static constexpr Type integer() { return Type(1); }
  static constexpr Type real() { return Type(2); }
  static constexpr Type string() { return Type(3); }

 private:
  std::uint32_t id_ = 0;
};

struct TypeInfo {
  TypeKind kind = TypeKind::Bool;
  std::string name;                 // Enum: its name; two enums of one name and list are one type
  std::vector<std::string> values;  // Enum: names of its values in order
  Type index;                       // Array
  Type element;                     // Array, Set
  // Array with indices 0..length-1: reading or writing elsewhere is undefined. Empty: total.
  std::optional<std::uint64_t> length;
  std::uint32_t width = 0;  // BitVector

  bool operator==(const TypeInfo&) const = default;
};

}  // namespace whittle
