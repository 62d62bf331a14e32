// SPDX-License-Identifier: Apache-2.0
// Which values a type has, its default, and the normal form of array values. Recursion here goes
// over the nesting of types, which the front ends bound.
#include "base/error.h"
#include "expr/expr.h"

namespace whittle {

namespace {

// Arrays over a finite index type with at most so many indices have a normal form.
constexpr std::uint64_t kNormalizedIndices = 1U << 20;

// The number of indices, if it is at most kNormalizedIndices.
std::optional<std::uint64_t> index_count(const ExprPool& pool, const TypeInfo& array) {
  const TypeInfo& index = pool.info(array.index);
  std::optional<std::uint64_t> count;
  if (array.length) count = *array.length;
  if (index.kind == TypeKind::Bool) count = 2;
  if (index.kind == TypeKind::Enum) count = index.values.size();
  if (index.kind == TypeKind::BitVector && index.width < 32)
    count = std::uint64_t{1} << index.width;
  if (count && *count > kNormalizedIndices) return std::nullopt;
  return count;
}

Value index_value(const TypeInfo& index, std::uint64_t i) {
  switch (index.kind) {
    case TypeKind::Bool:
      return Value(i == 1);
    case TypeKind::Enum:
      return Value(EnumValue{static_cast<std::uint32_t>(i)});
    case TypeKind::BitVector:
      return Value(BitVectorValue{Integer(i), index.width});
    default:
      return Value(Integer(i));
  }
}

bool within_length(const TypeInfo& array, const Value& index) {
  if (!array.length) return true;
  const Integer& i = index.as_integer();
  return i.sign() >= 0 && i < Integer(static_cast<unsigned long>(*array.length));
}

bool holds_arrays(const ExprPool& pool, Type type) {
  TypeKind kind = pool.kind(type);
  if (kind == TypeKind::Set) return holds_arrays(pool, pool.info(type).element);
  return kind == TypeKind::Array;
}

}  // namespace

bool ExprPool::has_type(const Value& value, Type type) const {
  const TypeInfo& t = info(type);
  switch (t.kind) {
    case TypeKind::Bool:
      return value.is_bool();
    case TypeKind::Int:
      return value.is_integer();
    case TypeKind::Real:
      return value.is_real();
    case TypeKind::String:
      return value.is_string();
    case TypeKind::Enum:
      return value.is_enum() && value.as_enum().index < t.values.size();
    case TypeKind::BitVector: {
      if (!value.is_bit_vector() || value.as_bit_vector().width != t.width) return false;
      const Integer& bits = value.as_bit_vector().bits;
      return bits.sign() >= 0 && bits < pow(Integer(2), t.width);
    }
    case TypeKind::Set:
      if (!value.is_set()) return false;
      for (const Value& element : value.as_set().elements) {
        if (!has_type(element, t.element)) return false;
      }
      return true;
    case TypeKind::Array:
      if (!value.is_array() || !has_type(value.as_array().otherwise, t.element)) return false;
      for (const auto& [index, element] : value.as_array().entries) {
        if (!has_type(index, t.index) || !within_length(t, index)) return false;
        if (!has_type(element, t.element)) return false;
      }
      return true;
  }
  return false;
}

Value ExprPool::default_value(Type type) const {
  const TypeInfo& t = info(type);
  switch (t.kind) {
    case TypeKind::Bool:
      return Value(false);
    case TypeKind::Int:
      return Value(0);
    case TypeKind::Real:
      return Value(Rational());
    case TypeKind::String:
      return Value::string("");
    case TypeKind::Enum:
      return Value(EnumValue{0});
    case TypeKind::BitVector:
      return Value(BitVectorValue{Integer(0), t.width});
    case TypeKind::Set:
      return Value::set({});
    case TypeKind::Array:
      return Value::array({default_value(t.element), {}});
  }
  return Value();
}

// Over an infinite index type the value of almost all indices is the only possible `otherwise`.
// Over a finite one any value could be, so we fix it to the default of the element type.
Value ExprPool::normalized(Value value, Type type) const {
  const TypeInfo& t = info(type);
  if (t.kind == TypeKind::Set && value.is_set() && holds_arrays(*this, t.element)) {
    SetValue result;
    for (const Value& element : value.as_set().elements) {
      result.elements.insert(normalized(element, t.element));
    }
    return Value::set(std::move(result));
  }
  if (t.kind != TypeKind::Array || !value.is_array()) return value;
  auto count = index_count(*this, t);
  const ArrayValue& from = value.as_array();
  bool nested = holds_arrays(*this, t.element) || holds_arrays(*this, t.index);
  bool in_range = true;
  if (t.length && !from.entries.empty()) {
    in_range = within_length(t, from.entries.begin()->first) &&
               within_length(t, from.entries.rbegin()->first);
  }
  Value fill = default_value(t.element);
  if (!nested && in_range && (!count || from.otherwise == fill)) return value;

  ArrayValue to;
  Value otherwise = normalized(from.otherwise, t.element);
  to.otherwise = count ? fill : otherwise;
  if (count && otherwise != fill) {
    const TypeInfo& index = info(t.index);
    for (std::uint64_t i = 0; i < *count; ++i) to.entries.emplace(index_value(index, i), otherwise);
  }
  for (const auto& [index, element] : from.entries) {
    if (within_length(t, index)) {
      to.put(normalized(index, t.index), normalized(element, t.element));
    }
  }
  return Value::array(std::move(to));
}

}  // namespace whittle
