// SPDX-License-Identifier: Apache-2.0
#include "frontend/symbol_index.h"

#include <algorithm>
#include <tuple>

#include "base/error.h"

namespace whittle {

namespace {

auto key(const Span& span) { return std::make_tuple(span.file, span.begin, span.end); }

bool before(const Span& a, const Span& b) { return key(a) < key(b); }

}  // namespace

std::string_view to_string(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::Module:
      return "module";
    case SymbolKind::Type:
      return "type";
    case SymbolKind::Constant:
      return "constant";
    case SymbolKind::Variable:
      return "variable";
    case SymbolKind::Parameter:
      return "parameter";
    case SymbolKind::Bound:
      return "bound name";
    case SymbolKind::Machine:
      return "machine";
    case SymbolKind::Location:
      return "location";
    case SymbolKind::Event:
      return "event";
    case SymbolKind::Function:
      return "function";
    case SymbolKind::Invariant:
      return "invariant";
    case SymbolKind::Property:
      return "property";
    case SymbolKind::Universe:
      return "configuration";
  }
  fail_contract("kind", __FILE__, __LINE__, "no such kind of symbol");
}

void SymbolIndex::finish() {
  std::stable_sort(symbols_.begin(), symbols_.end(),
                   [](const DeclaredSymbol& a, const DeclaredSymbol& b) {
                     return before(a.declaration, b.declaration);
                   });
  symbols_.erase(std::unique(symbols_.begin(), symbols_.end(),
                             [](const DeclaredSymbol& a, const DeclaredSymbol& b) {
                               return key(a.declaration) == key(b.declaration);
                             }),
                 symbols_.end());
  for (std::uint32_t s = 0; s < symbols_.size(); ++s)
    occurrences_.push_back({symbols_[s].declaration, s});
  std::stable_sort(uses_.begin(), uses_.end(),
                   [](const Use& a, const Use& b) { return before(a.place, b.place); });
  for (const Use& use : uses_) {
    const auto symbol = std::lower_bound(
        symbols_.begin(), symbols_.end(), use.declaration,
        [](const DeclaredSymbol& s, const Span& d) { return before(s.declaration, d); });
    if (symbol == symbols_.end() || key(symbol->declaration) != key(use.declaration)) continue;
    if (key(use.place) == key(use.declaration)) continue;
    if (!symbol->uses.empty() && key(symbol->uses.back()) == key(use.place)) continue;
    symbol->uses.push_back(use.place);
    occurrences_.push_back({use.place, static_cast<std::uint32_t>(symbol - symbols_.begin())});
  }
  uses_.clear();
  uses_.shrink_to_fit();
  std::stable_sort(
      occurrences_.begin(), occurrences_.end(),
      [](const Occurrence& a, const Occurrence& b) { return before(a.place, b.place); });
}

const DeclaredSymbol* SymbolIndex::at(FileId file, std::uint32_t offset) const {
  // The last one that begins at or before the offset; names rarely stand inside each other, so a
  // few steps back are enough.
  auto it = std::upper_bound(occurrences_.begin(), occurrences_.end(), std::pair(file, offset),
                             [](const auto& place, const Occurrence& o) {
                               return place < std::pair(o.place.file, o.place.begin);
                             });
  constexpr int kMaxNested = 16;
  for (int i = 0; i < kMaxNested && it != occurrences_.begin(); ++i) {
    --it;
    if (it->place.file != file) break;
    if (offset <= it->place.end) return &symbols_[it->symbol];
  }
  return nullptr;
}

}  // namespace whittle
