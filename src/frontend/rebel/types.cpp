// SPDX-License-Identifier: Apache-2.0
#include "frontend/rebel/types.h"

#include <array>
#include <string_view>
#include <utility>

namespace whittle::rebel {

namespace {

constexpr std::array<std::pair<std::string_view, Kind>, 15> kSimple = {{
    {"Boolean", Kind::Boolean},
    {"Integer", Kind::Integer},
    {"Money", Kind::Money},
    {"Currency", Kind::Currency},
    {"Percentage", Kind::Percentage},
    {"String", Kind::String},
    {"IBAN", Kind::Iban},
    {"Date", Kind::Date},
    {"Time", Kind::Time},
    {"DateTime", Kind::DateTime},
    {"Frequency", Kind::Frequency},
    {"Period", Kind::Period},
    {"Term", Kind::Term},
    {"InterestNorm", Kind::InterestNorm},
    {"InterestTariff", Kind::InterestTariff},
}};

}  // namespace

TypeTable::TypeTable() {
  for (std::uint32_t k = 0; k <= static_cast<std::uint32_t>(Kind::Spec); ++k) {
    entries_.push_back({static_cast<Kind>(k), 0, 0});
  }
}

RType TypeTable::intern(Kind kind, std::uint32_t a, std::uint32_t b) {
  const auto [it, fresh] =
      index_.try_emplace({kind, a, b}, static_cast<std::uint32_t>(entries_.size()));
  if (fresh) entries_.push_back({kind, a, b});
  return RType(it->second);
}

void TypeTable::name_spec(std::uint32_t index, std::string name) {
  if (spec_names_.size() <= index) spec_names_.resize(index + 1U);
  spec_names_[index] = std::move(name);
}

std::string TypeTable::to_string(RType type) const {
  const Entry& entry = entries_[type.id()];
  switch (entry.kind) {
    case Kind::Unknown:
      return "an unknown type";
    case Kind::EmptySet:
      return "an empty set";
    case Kind::EmptyMap:
      return "an empty map";
    case Kind::Set:
      return "set[" + to_string(RType(entry.a)) + "]";
    case Kind::Map:
      return "map[" + to_string(RType(entry.a)) + ":" + to_string(RType(entry.b)) + "]";
    case Kind::Function:
      return "a function";
    case Kind::Spec:
      return entry.a < spec_names_.size() ? spec_names_[entry.a] : "a specification";
    default:
      break;
  }
  for (const auto& [name, kind] : kSimple) {
    if (kind == entry.kind) return std::string(name);
  }
  return "?";
}

Kind simple_type_named(std::string_view name) {
  for (const auto& [text, kind] : kSimple) {
    if (text == name) return kind;
  }
  return Kind::Unknown;
}

const std::vector<std::string>& simple_type_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    names.reserve(std::size(kSimple));
    for (const auto& entry : kSimple) names.emplace_back(entry.first);
    return names;
  }();
  return kNames;
}

}  // namespace whittle::rebel
