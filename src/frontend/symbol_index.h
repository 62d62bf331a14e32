// SPDX-License-Identifier: Apache-2.0
// Which names a model declares and where each of them is used, for editors: from a place in the
// text to the declaration of the name that stands there, and from there to all its uses.
//
//   if (const DeclaredSymbol* symbol = model.symbols.at(file, offset)) show(symbol->uses);
//
// A front end knows a declaration by the place of the name in it. Neither the order of the calls
// nor repetitions matter.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace whittle {

// What a name stands for, in terms that suit every language.
enum class SymbolKind : std::uint8_t {
  Module,
  Type,
  Constant,  // with a name for its value; also the values of an enumeration
  Variable,
  Parameter,
  Bound,     // by a quantifier or a `let`
  Machine,   // a process, a specification
  Location,  // a node, a state, a label
  Event,
  Function,
  Invariant,
  Property,
  Universe,  // a configuration of instances
};
[[nodiscard]] std::string_view to_string(SymbolKind kind);  // "variable"

struct DeclaredSymbol {
  std::string name;
  SymbolKind kind = SymbolKind::Variable;
  Span declaration;        // of the name in its declaration
  std::vector<Span> uses;  // in the order of files and offsets, the declaration not among them
};

class SymbolIndex {
 public:
  // Not wanted: nothing is recorded, and there is nothing to find.
  explicit SymbolIndex(bool wanted = true) : wanted_(wanted) {}
  [[nodiscard]] bool wanted() const { return wanted_; }

  // Places outside of any text (an invalid file) are left out, as are uses of what is not declared.
  void declare(SymbolKind kind, std::string_view name, Span place) {
    if (wanted_ && place.valid()) symbols_.push_back({std::string(name), kind, place, {}});
  }
  void use(Span declaration, Span place) {
    if (wanted_ && declaration.valid() && place.valid()) uses_.push_back({declaration, place});
  }
  // After the last of them: makes what follows ready.
  void finish();

  // In the order of files and offsets.
  [[nodiscard]] const std::vector<DeclaredSymbol>& symbols() const { return symbols_; }
  // The symbol that is declared or used there, its end included, as cursors stand behind a word;
  // null: none. Of names inside each other (`M.x`) the innermost.
  [[nodiscard]] const DeclaredSymbol* at(FileId file, std::uint32_t offset) const;

 private:
  struct Use {
    Span declaration;
    Span place;
  };
  struct Occurrence {
    Span place;
    std::uint32_t symbol = 0;
  };

  bool wanted_;
  std::vector<DeclaredSymbol> symbols_;
  std::vector<Use> uses_;  // until finish()
  std::vector<Occurrence> occurrences_;
};

}  // namespace whittle
