// SPDX-License-Identifier: Apache-2.0
// How a language writes symbols and values.
#pragma once

#include <functional>
#include <string>

#include "expr/expr.h"

namespace whittle {

struct PrintStyle {
  // How a symbol is written; empty: its name, with arguments in parentheses.
  std::function<std::string(SymbolId, std::span<const std::string>)> symbol;
  // How a value of that type is written; empty: the default below.
  std::function<std::string(const Value&, Type)> value;
};

}  // namespace whittle
