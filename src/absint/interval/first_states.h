// SPDX-License-Identifier: Apache-2.0
// What is known about the first states of a system: the values that all of them share.
#pragma once

#include <optional>
#include <vector>

#include "expr/traverse.h"
#include "ir/symbol_variables.h"
#include "ir/transition_system.h"

namespace whittle {

class FirstStates {
 public:
  FirstStates(const TransitionSystem& system, const SymbolVariables& variables);

  // By variable: its value in all of them, as far as `init` says so in an equation.
  [[nodiscard]] const std::vector<std::optional<Value>>& values() const { return values_; }
  // There is exactly one, and `values` has all of it.
  [[nodiscard]] bool one() const { return one_; }
  // The condition with these values put in.
  [[nodiscard]] Expr in_all(Expr condition) { return known_(condition); }

 private:
  std::vector<std::optional<Value>> values_;
  Substitution known_;
  bool one_ = false;
};

}  // namespace whittle
