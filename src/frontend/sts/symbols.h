// SPDX-License-Identifier: Apache-2.0
// What the names in an STS file stand for. Variables, parameters, constants and enumeration values
// share one name space; types, nodes, transitions and properties have one each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/diagnostics.h"
#include "expr/expr.h"
#include "frontend/sts/ast.h"
#include "frontend/symbol_index.h"
#include "ir/network.h"

namespace whittle::sts {

// Lets the tables be searched without making a string.
struct TextHash {
  using is_transparent = void;  // NOLINT(readability-identifier-naming): the standard's name
  std::size_t operator()(std::string_view text) const noexcept {
    return std::hash<std::string_view>{}(text);
  }
};
template <class T>
using NameMap = std::unordered_map<std::string, T, TextHash, std::equal_to<>>;

struct Symbol {
  enum class Kind : std::uint8_t { Variable, Parameter, Constant, EnumValue };
  Kind kind = Kind::Variable;
  std::uint32_t index = 0;  // Variable: VariableId; Constant: in the file; Parameter: in its list
  Expr expr;                // Constant, EnumValue: its value; Parameter: its symbol
  Span span;
  bool used = false;
  bool broken = false;  // its declaration is wrong, which was reported
};

struct Symbols {
  NameMap<Symbol> values;
  NameMap<Symbol> parameters;  // of the transition at hand
  NameMap<Type> types;
  NameMap<Span> type_spans;
  NameMap<LocationId> nodes;
  const std::unordered_set<std::string>* unread = nullptr;  // see File::unread
  SymbolIndex* index = nullptr;

  [[nodiscard]] Symbol* find(std::string_view name) {
    if (const auto it = parameters.find(name); it != parameters.end()) return &it->second;
    if (const auto it = values.find(name); it != values.end()) return &it->second;
    return nullptr;
  }
};

[[nodiscard]] std::string_view describe(Symbol::Kind kind);  // "a variable"

// Reports that a name is unknown, with the nearest known one as a hint; not if the text that may
// declare it could not be read.
void report_unknown(Diagnostics& diagnostics, const Symbols& symbols, std::string_view name,
                    Span span);
void report_unknown_type(Diagnostics& diagnostics, const Symbols& symbols, std::string_view name,
                         Span span);
void report_unknown_node(Diagnostics& diagnostics, const Symbols& symbols, std::string_view name,
                         Span span);

}  // namespace whittle::sts
