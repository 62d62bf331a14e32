// SPDX-License-Identifier: Apache-2.0
// Numbers in place of enumerations, for formats that lack them: the value is its place in the list.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "expr/traverse.h"
#include "ir/transition_system.h"

namespace whittle {

class NumberedEnums {
 public:
  explicit NumberedEnums(ExprPool& pool);
  NumberedEnums(const NumberedEnums&) = delete;
  NumberedEnums& operator=(const NumberedEnums&) = delete;

  // A number for an enumeration; any other symbol itself.
  [[nodiscard]] SymbolId symbol(SymbolId original);
  [[nodiscard]] std::vector<SymbolId> symbols(std::span<const SymbolId> originals);
  [[nodiscard]] Expr condition(Expr original) { return rewrite_(original); }
  [[nodiscard]] static Value value(const Value& original);
  // Those of the symbols that stand for enumerations are numbers of values.
  [[nodiscard]] Expr ranges(std::span<const SymbolId> originals);
  // Ranges are added to `init` and kept by every transition, since only constants and other
  // enumerations are assigned.
  [[nodiscard]] TransitionSystem system(const TransitionSystem& original);

 private:
  ExprPool& pool_;
  std::unordered_map<SymbolId, SymbolId> numbers_;
  Rewriter rewrite_;
};

}  // namespace whittle
