// SPDX-License-Identifier: Apache-2.0
// Which state variable a symbol stands for.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/transition_system.h"

namespace whittle {

class SymbolVariables {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  explicit SymbolVariables(const TransitionSystem& system) {
    for (std::uint32_t v = 0; v < system.variables.size(); ++v) {
      const std::size_t symbol = system.variables[v].current.index();
      if (symbol >= variables_.size()) variables_.resize(symbol + 1, kNone);
      variables_[symbol] = v;
    }
  }

  // kNone: it is an input or something else.
  [[nodiscard]] std::uint32_t operator[](SymbolId symbol) const {
    return symbol.index() < variables_.size() ? variables_[symbol.index()] : kNone;
  }
  [[nodiscard]] std::uint32_t of(const ExprPool& pool, Expr term) const {
    return pool.is_variable(term) ? (*this)[pool.symbol_of(term)] : kNone;
  }

 private:
  std::vector<std::uint32_t> variables_;  // by symbol
};

}  // namespace whittle
