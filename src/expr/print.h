// SPDX-License-Identifier: Apache-2.0
// Terms and values in the infix notation of our small languages.
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

[[nodiscard]] std::string to_string(const ExprPool& pool, const Value& value, Type type);
// Linear in the size of the printed text; parentheses only where needed.
[[nodiscard]] std::string to_string(const ExprPool& pool, Expr e, const PrintStyle& style = {});
// Shared subterms are named once (`let`), so that the text stays linear in the term's size.
[[nodiscard]] std::string to_string_shared(const ExprPool& pool, Expr e,
                                           const PrintStyle& style = {});

}  // namespace whittle
