// SPDX-License-Identifier: Apache-2.0
// The types of C, as far as a program's meaning depends on them: widths and signs of integers under
// a data model, sizes for `sizeof`, and the shape of everything else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expr/number.h"

namespace whittle::c {

enum class TypeKind : std::uint8_t {
  Void,
  Integer,
  Float,
  Pointer,
  Array,
  Function,
  Struct,
  Union
};

using TypeId = std::uint32_t;

// In the order of their ranks, the signed one of a rank first. They are numbers of types, so they
// are written as constants are.
// NOLINTBEGIN(readability-identifier-naming)
enum BasicType : TypeId {
  kVoid,
  kBool,
  kChar,
  kSignedChar,
  kUnsignedChar,
  kShort,
  kUnsignedShort,
  kInt,
  kUnsigned,
  kLong,
  kUnsignedLong,
  kLongLong,
  kUnsignedLongLong,
  kInt128,
  kUnsignedInt128,
  kFloat,
  kDouble,
  kLongDouble,
  kBasicTypes
};
// NOLINTEND(readability-identifier-naming)

struct Member {
  std::string_view name;  // empty: an unnamed struct or union, whose members are found through it
  TypeId type = kInt;
  bool bit_field = false;
};

struct TypeEntry {
  TypeKind kind = TypeKind::Void;
  unsigned width = 0;      // Integer: bits; of _Bool 1
  bool is_signed = false;  // Integer
  std::string name;        // of what has one
  TypeId target = kVoid;   // Pointer: of what; Array: of its elements; Function: of its result
  std::optional<std::uint64_t> length = {};  // Array
  bool variable = false;                     // Array: its length is not a constant
  std::uint32_t size = UINT32_MAX;           // Array: the expression that it is then
  std::vector<Member> members = {};          // Struct, Union
  bool complete = true;                      // Struct, Union
  std::vector<TypeId> parameters = {};       // Function
  bool variadic = false;                     // Function
  bool prototype = false;                    // Function: its parameters are known
};

enum class DataModel : std::uint8_t { Lp64, Ilp32 };

class Types {
 public:
  explicit Types(DataModel model);

  [[nodiscard]] const TypeEntry& operator[](TypeId id) const { return entries_[id]; }
  [[nodiscard]] TypeEntry& entry(TypeId id) { return entries_[id]; }
  [[nodiscard]] TypeId count() const { return static_cast<TypeId>(entries_.size()); }
  TypeId add(TypeEntry entry);
  [[nodiscard]] TypeId pointer_to(TypeId target);

  [[nodiscard]] bool is_integer(TypeId id) const { return at(id).kind == TypeKind::Integer; }
  [[nodiscard]] bool is_arithmetic(TypeId id) const {
    return is_integer(id) || at(id).kind == TypeKind::Float;
  }
  [[nodiscard]] bool is(TypeId id, TypeKind kind) const { return at(id).kind == kind; }
  [[nodiscard]] unsigned width(TypeId id) const { return at(id).width; }
  [[nodiscard]] bool is_signed(TypeId id) const { return at(id).is_signed; }
  [[nodiscard]] const Integer& least(TypeId id) const { return limits_[id].least; }
  [[nodiscard]] const Integer& greatest(TypeId id) const { return limits_[id].greatest; }

  // The integer promotions, and the usual arithmetic conversions of two arithmetic types.
  [[nodiscard]] TypeId promoted(TypeId id) const;
  [[nodiscard]] TypeId common(TypeId a, TypeId b) const;
  [[nodiscard]] TypeId unsigned_of(TypeId id) const;
  // The type of `sizeof`, and of differences of pointers.
  [[nodiscard]] TypeId size_type() const { return lp64_ ? kUnsignedLong : kUnsigned; }
  [[nodiscard]] TypeId difference_type() const { return lp64_ ? kLong : kInt; }

  // In bytes; none: the type has no size that is known here.
  [[nodiscard]] std::optional<std::uint64_t> size(TypeId id) const;
  // As a C programmer calls it.
  [[nodiscard]] std::string text(TypeId id) const;

 private:
  struct Limits {
    Integer least;
    Integer greatest;
  };

  [[nodiscard]] const TypeEntry& at(TypeId id) const { return entries_[id]; }
  [[nodiscard]] std::uint64_t alignment(TypeId id) const;

  bool lp64_;
  std::vector<TypeEntry> entries_;
  std::vector<Limits> limits_;  // of the basic types
};

}  // namespace whittle::c
