// SPDX-License-Identifier: Apache-2.0
// The types of Rebel, as users know them. How their values are represented in a network is the
// business of encode.h.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace whittle::rebel {

enum class Kind : std::uint8_t {
  Unknown,  // something was wrong and has been reported; goes with everything
  Boolean,
  Integer,
  Money,
  Currency,
  Percentage,
  String,
  Iban,
  Date,
  Time,
  DateTime,
  Frequency,
  Period,
  Term,
  InterestNorm,
  InterestTariff,
  EmptySet,  // `{}`: a set of anything
  EmptyMap,  // `()`
  Set,       // of a
  Map,       // from a to b
  Function,  // config parameters only
  Spec,      // a reference to an instance of specification a
};

class RType {
 public:
  constexpr RType() = default;
  constexpr explicit RType(std::uint32_t id) : id_(id) {}
  constexpr RType(Kind kind) : id_(static_cast<std::uint32_t>(kind)) {}  // the simple ones
  [[nodiscard]] constexpr std::uint32_t id() const { return id_; }
  constexpr bool operator==(const RType&) const = default;

 private:
  std::uint32_t id_ = 0;
};

class TypeTable {
 public:
  TypeTable();
  RType set(RType element) { return intern(Kind::Set, element.id(), 0); }
  RType map(RType key, RType value) { return intern(Kind::Map, key.id(), value.id()); }
  RType spec(std::uint32_t index) { return intern(Kind::Spec, index, 0); }
  RType function() const { return RType(Kind::Function); }

  [[nodiscard]] Kind kind(RType type) const { return entries_[type.id()].kind; }
  [[nodiscard]] RType element(RType type) const { return RType(entries_[type.id()].a); }
  [[nodiscard]] RType value(RType type) const { return RType(entries_[type.id()].b); }
  [[nodiscard]] std::uint32_t spec_of(RType type) const { return entries_[type.id()].a; }
  [[nodiscard]] bool is_collection(RType type) const {
    const Kind k = kind(type);
    return k == Kind::Set || k == Kind::Map || k == Kind::EmptySet || k == Kind::EmptyMap;
  }
  [[nodiscard]] std::string to_string(RType type) const;
  // The name of a specification for messages.
  void name_spec(std::uint32_t index, std::string name);

 private:
  struct Entry {
    Kind kind;
    std::uint32_t a;
    std::uint32_t b;
  };
  RType intern(Kind kind, std::uint32_t a, std::uint32_t b);

  std::vector<Entry> entries_;
  std::map<std::tuple<Kind, std::uint32_t, std::uint32_t>, std::uint32_t> index_;
  std::vector<std::string> spec_names_;
};

// The simple type of this name; Unknown if there is none.
[[nodiscard]] Kind simple_type_named(std::string_view name);
// All names of simple types, for "did you mean".
[[nodiscard]] const std::vector<std::string>& simple_type_names();

}  // namespace whittle::rebel
