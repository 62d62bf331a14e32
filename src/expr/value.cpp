// SPDX-License-Identifier: Apache-2.0
#include "expr/value.h"

#include "expr/hash.h"

namespace whittle {

namespace {

std::strong_ordering compare(const std::string& a, const std::string& b) {
  return a.compare(b) <=> 0;
}

std::strong_ordering compare(const ArrayValue& a, const ArrayValue& b) {
  if (&a == &b) return std::strong_ordering::equal;
  if (auto c = a.otherwise <=> b.otherwise; c != 0) return c;
  if (auto c = a.entries.size() <=> b.entries.size(); c != 0) return c;
  for (auto i = a.entries.begin(), j = b.entries.begin(); i != a.entries.end(); ++i, ++j) {
    if (auto c = i->first <=> j->first; c != 0) return c;
    if (auto c = i->second <=> j->second; c != 0) return c;
  }
  return std::strong_ordering::equal;
}

std::strong_ordering compare(const SetValue& a, const SetValue& b) {
  if (&a == &b) return std::strong_ordering::equal;
  if (auto c = a.elements.size() <=> b.elements.size(); c != 0) return c;
  for (auto i = a.elements.begin(), j = b.elements.begin(); i != a.elements.end(); ++i, ++j) {
    if (auto c = *i <=> *j; c != 0) return c;
  }
  return std::strong_ordering::equal;
}

}  // namespace

std::strong_ordering operator<=>(const BitVectorValue& a, const BitVectorValue& b) {
  if (auto c = a.width <=> b.width; c != 0) return c;
  return a.bits <=> b.bits;
}

Value Value::string(std::string text) {
  Value v;
  v.content_ = std::make_shared<const std::string>(std::move(text));
  return v;
}

Value Value::array(ArrayValue value) {
  Value v;
  v.content_ = std::make_shared<const ArrayValue>(std::move(value));
  return v;
}

Value Value::set(SetValue value) {
  Value v;
  v.content_ = std::make_shared<const SetValue>(std::move(value));
  return v;
}

std::size_t Value::hash() const {
  std::size_t h = content_.index();
  switch (content_.index()) {
    case 0:
      return hash_mix(h, as_bool() ? 1 : 2);
    case 1:
      return hash_mix(h, as_integer().hash());
    case 2:
      return hash_mix(h, as_real().hash());
    case 3:
      return hash_mix(h, as_enum().index);
    case 4:
      return hash_mix(hash_mix(h, as_bit_vector().width), as_bit_vector().bits.hash());
    case 5:
      return hash_mix(h, std::hash<std::string>{}(as_string()));
    case 6:
      h = hash_mix(h, as_array().otherwise.hash());
      for (const auto& [index, element] : as_array().entries) {
        h = hash_mix(hash_mix(h, index.hash()), element.hash());
      }
      return h;
    default:
      for (const Value& element : as_set().elements) h = hash_mix(h, element.hash());
      return h;
  }
}

std::strong_ordering operator<=>(const Value& a, const Value& b) {
  if (auto c = a.content_.index() <=> b.content_.index(); c != 0) return c;
  switch (a.content_.index()) {
    case 0:
      return a.as_bool() <=> b.as_bool();
    case 1:
      return a.as_integer() <=> b.as_integer();
    case 2:
      return a.as_real() <=> b.as_real();
    case 3:
      return a.as_enum() <=> b.as_enum();
    case 4:
      return a.as_bit_vector() <=> b.as_bit_vector();
    case 5:
      return compare(a.as_string(), b.as_string());
    case 6:
      return compare(a.as_array(), b.as_array());
    default:
      return compare(a.as_set(), b.as_set());
  }
}

const Value& ArrayValue::at(const Value& index) const {
  auto entry = entries.find(index);
  return entry == entries.end() ? otherwise : entry->second;
}

void ArrayValue::put(const Value& index, Value element) {
  if (element == otherwise) {
    entries.erase(index);
  } else {
    entries.insert_or_assign(index, std::move(element));
  }
}

}  // namespace whittle
