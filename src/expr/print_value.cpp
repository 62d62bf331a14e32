// SPDX-License-Identifier: Apache-2.0
#include "expr/print_value.h"

#include <algorithm>

#include "expr/gmp_number.h"

namespace whittle {

namespace {

std::string quoted(const std::string& text) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (char c : text) {
    auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (code < 0x20) {
      out += "\\x";
      out += kHex[code >> 4];
      out += kHex[code & 15];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string bit_vector(const BitVectorValue& v) {
  bool hex = v.width % 4 == 0;
  std::string digits = to_mpz(v.bits).get_str(hex ? 16 : 2);
  std::size_t length = hex ? v.width / 4 : v.width;
  return (hex ? "#x" : "#b") + std::string(length - std::min(length, digits.size()), '0') + digits;
}

}  // namespace

std::string ValueWriter::standard(const Value& value, Type type) const {
  const TypeInfo& t = pool_.info(type);
  switch (t.kind) {
    case TypeKind::Bool:
      return value.as_bool() ? "true" : "false";
    case TypeKind::Int:
      return value.as_integer().to_string();
    case TypeKind::Real:
      return value.as_real().to_string();
    case TypeKind::String:
      return quoted(value.as_string());
    case TypeKind::Enum:
      return t.values[value.as_enum().index];
    case TypeKind::BitVector:
      return bit_vector(value.as_bit_vector());
    case TypeKind::Array:
      return array(value.as_array(), t);
    case TypeKind::Set:
      return set(value.as_set(), t);
  }
  return "?";
}

// All elements when they are few (`[1, 2, 3]`), otherwise those that differ (`[3: 5, else 0]`).
std::string ValueWriter::array(const ArrayValue& value, const TypeInfo& type) const {
  constexpr std::uint64_t kListed = 16;
  std::string out = "[";
  if (type.length && *type.length <= kListed) {
    for (std::uint64_t i = 0; i < *type.length; ++i) {
      if (i > 0) out += ", ";
      out += (*this)(value.at(Value(Integer(i))), type.element);
    }
    return out + "]";
  }
  for (const auto& [index, element] : value.entries) {
    out += (*this)(index, type.index) + ": " + (*this)(element, type.element) + ", ";
  }
  return out + "else " + (*this)(value.otherwise, type.element) + "]";
}

std::string ValueWriter::set(const SetValue& value, const TypeInfo& type) const {
  std::string out = "{";
  for (const Value& element : value.elements) {
    if (out.size() > 1) out += ", ";
    out += (*this)(element, type.element);
  }
  return out + "}";
}

std::string to_string(const ExprPool& pool, const Value& value, Type type) {
  PrintStyle style;
  return ValueWriter(pool, style)(value, type);
}

}  // namespace whittle
