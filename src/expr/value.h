// SPDX-License-Identifier: Apache-2.0
// Exact values of every type. Values compare and hash by content; the order is total within one
// type (and arbitrary but fixed between types), so that values can be keys.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "expr/number.h"

namespace whittle {

class Value;

// An enumeration value is its position in the type's list of names.
struct EnumValue {
  std::uint32_t index = 0;
  auto operator<=>(const EnumValue&) const = default;
};

struct BitVectorValue {
  Integer bits;  // 0 <= bits < 2^width
  std::uint32_t width = 1;
  friend std::strong_ordering operator<=>(const BitVectorValue& a, const BitVectorValue& b);
  friend bool operator==(const BitVectorValue& a, const BitVectorValue& b) = default;
};

struct ArrayValue;
struct SetValue;

class Value {
 public:
  Value() : content_(false) {}
  Value(bool value) : content_(value) {}
  Value(Integer value) : content_(std::move(value)) {}
  Value(int value) : content_(Integer(value)) {}
  Value(Rational value) : content_(std::move(value)) {}
  Value(EnumValue value) : content_(value) {}
  Value(BitVectorValue value) : content_(std::move(value)) {}
  Value(const char*) = delete;  // would become a bool; write Value::string
  static Value string(std::string text);
  static Value array(ArrayValue value);
  static Value set(SetValue value);

  [[nodiscard]] bool is_bool() const { return std::holds_alternative<bool>(content_); }
  [[nodiscard]] bool is_integer() const { return std::holds_alternative<Integer>(content_); }
  [[nodiscard]] bool is_real() const { return std::holds_alternative<Rational>(content_); }
  [[nodiscard]] bool is_enum() const { return std::holds_alternative<EnumValue>(content_); }
  [[nodiscard]] bool is_string() const { return content_.index() == 5; }
  [[nodiscard]] bool is_array() const { return content_.index() == 6; }
  [[nodiscard]] bool is_set() const { return content_.index() == 7; }
  [[nodiscard]] bool is_bit_vector() const { return content_.index() == 4; }

  // requires: the matching is_...()
  [[nodiscard]] bool as_bool() const { return std::get<bool>(content_); }
  [[nodiscard]] const Integer& as_integer() const { return std::get<Integer>(content_); }
  [[nodiscard]] const Rational& as_real() const { return std::get<Rational>(content_); }
  [[nodiscard]] EnumValue as_enum() const { return std::get<EnumValue>(content_); }
  [[nodiscard]] const BitVectorValue& as_bit_vector() const {
    return std::get<BitVectorValue>(content_);
  }
  [[nodiscard]] const std::string& as_string() const { return *std::get<5>(content_); }
  [[nodiscard]] const ArrayValue& as_array() const { return *std::get<6>(content_); }
  [[nodiscard]] const SetValue& as_set() const { return *std::get<7>(content_); }

  [[nodiscard]] std::size_t hash() const;
  friend std::strong_ordering operator<=>(const Value& a, const Value& b);
  friend bool operator==(const Value& a, const Value& b) { return (a <=> b) == 0; }

 private:
  std::variant<bool, Integer, Rational, EnumValue, BitVectorValue,
               std::shared_ptr<const std::string>, std::shared_ptr<const ArrayValue>,
               std::shared_ptr<const SetValue>>
      content_;
};

// Every index that is not listed has the default. Kept canonical: no entry equals the default.
struct ArrayValue {
  Value otherwise;
  std::map<Value, Value> entries;

  [[nodiscard]] const Value& at(const Value& index) const;
  void put(const Value& index, Value element);
};

struct SetValue {
  std::set<Value> elements;
};

}  // namespace whittle

template <>
struct std::hash<whittle::Value> {
  std::size_t operator()(const whittle::Value& v) const noexcept { return v.hash(); }
};
