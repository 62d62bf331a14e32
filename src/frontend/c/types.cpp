// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/types.h"

#include <fmt/format.h>

#include <algorithm>

namespace whittle::c {

namespace {

// Both data models align everything by its size, but the Intel ABI has 8 bytes on 4.
constexpr std::uint64_t kWord32 = 4;

}  // namespace

Types::Types(DataModel model) : lp64_(model == DataModel::Lp64) {
  const unsigned word = lp64_ ? 64 : 32;
  const auto integer = [&](std::string_view name, unsigned width, bool is_signed) {
    TypeEntry entry;
    entry.kind = TypeKind::Integer;
    entry.name = name;
    entry.width = width;
    entry.is_signed = is_signed;
    add(std::move(entry));
  };
  const auto other = [&](std::string_view name, TypeKind kind) {
    TypeEntry entry;
    entry.kind = kind;
    entry.name = name;
    add(std::move(entry));
  };
  other("void", TypeKind::Void);
  integer("_Bool", 1, false);
  integer("char", 8, true);
  integer("signed char", 8, true);
  integer("unsigned char", 8, false);
  integer("short", 16, true);
  integer("unsigned short", 16, false);
  integer("int", 32, true);
  integer("unsigned int", 32, false);
  integer("long", word, true);
  integer("unsigned long", word, false);
  integer("long long", 64, true);
  integer("unsigned long long", 64, false);
  integer("__int128", 128, true);
  integer("unsigned __int128", 128, false);
  other("float", TypeKind::Float);
  other("double", TypeKind::Float);
  other("long double", TypeKind::Float);
  for (const TypeEntry& entry : entries_) {
    Limits limits;
    if (entry.kind == TypeKind::Integer) {
      limits.greatest = pow(Integer(2), entry.is_signed ? entry.width - 1 : entry.width) - 1;
      if (entry.is_signed) limits.least = -limits.greatest - 1;
    }
    limits_.push_back(std::move(limits));
  }
}

TypeId Types::add(TypeEntry entry) {
  entries_.push_back(std::move(entry));
  return static_cast<TypeId>(entries_.size() - 1);
}

TypeId Types::pointer_to(TypeId target) {
  TypeEntry entry;
  entry.kind = TypeKind::Pointer;
  entry.target = target;
  return add(std::move(entry));
}

TypeId Types::promoted(TypeId id) const {
  return is_integer(id) && id < kInt ? static_cast<TypeId>(kInt) : id;
}

TypeId Types::common(TypeId a, TypeId b) const {
  if (!is_integer(a) || !is_integer(b)) {
    if (!is_integer(a) && !is_integer(b)) return std::max(a, b);
    return is_integer(a) ? b : a;
  }
  a = promoted(a);
  b = promoted(b);
  if (is_signed(a) == is_signed(b)) return std::max(a, b);
  const TypeId with_sign = is_signed(a) ? a : b;
  const TypeId without = is_signed(a) ? b : a;
  if (without > with_sign) return without;
  return width(with_sign) > width(without) ? with_sign : unsigned_of(with_sign);
}

TypeId Types::unsigned_of(TypeId id) const {
  if (!is_integer(id) || !is_signed(id)) return id;
  return id == kChar ? static_cast<TypeId>(kUnsignedChar) : id + 1;
}

std::uint64_t Types::alignment(TypeId id) const {
  const TypeEntry& type = at(id);
  if (type.kind == TypeKind::Array) return alignment(type.target);
  std::uint64_t result = 1;
  if (type.kind == TypeKind::Struct || type.kind == TypeKind::Union) {
    for (const Member& member : type.members) result = std::max(result, alignment(member.type));
    return result;
  }
  result = std::max<std::uint64_t>(1, size(id).value_or(1));
  return lp64_ ? result : std::min(result, kWord32);
}

std::optional<std::uint64_t> Types::size(TypeId id) const {
  const TypeEntry& type = at(id);
  switch (type.kind) {
    case TypeKind::Void:
    case TypeKind::Function:
      return 1;  // as gcc has it
    case TypeKind::Integer:
      return (type.width + 7) / 8;
    case TypeKind::Float:
      if (id == kFloat) return 4;
      if (id == kDouble) return 8;
      return lp64_ ? 16 : 12;
    case TypeKind::Pointer:
      return lp64_ ? 8 : 4;
    case TypeKind::Array: {
      const auto element = size(type.target);
      if (!element || !type.length) return std::nullopt;
      return *element * *type.length;
    }
    case TypeKind::Struct:
    case TypeKind::Union: {
      if (!type.complete) return std::nullopt;
      std::uint64_t end = 0;
      for (const Member& member : type.members) {
        const auto bytes = size(member.type);
        if (!bytes || member.bit_field) return std::nullopt;
        const std::uint64_t step = alignment(member.type);
        if (type.kind == TypeKind::Union)
          end = std::max(end, *bytes);
        else
          end = (end + step - 1) / step * step + *bytes;
      }
      const std::uint64_t step = alignment(id);
      return (end + step - 1) / step * step;
    }
  }
  return std::nullopt;
}

std::string Types::text(TypeId id) const {
  const TypeEntry& type = at(id);
  switch (type.kind) {
    case TypeKind::Pointer:
      return text(type.target) + " *";
    case TypeKind::Array:
      return type.length ? fmt::format("{} [{}]", text(type.target), *type.length)
                         : text(type.target) + " []";
    case TypeKind::Function:
      return text(type.target) + " ()";
    case TypeKind::Struct:
      return type.name.empty() ? "struct" : "struct " + type.name;
    case TypeKind::Union:
      return type.name.empty() ? "union" : "union " + type.name;
    default:
      return type.name;
  }
}

}  // namespace whittle::c
