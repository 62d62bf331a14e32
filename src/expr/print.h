// SPDX-License-Identifier: Apache-2.0
// Terms and values in the infix notation of our small languages.
#pragma once

#include <string>

#include "expr/print_style.h"

namespace whittle {

[[nodiscard]] std::string to_string(const ExprPool& pool, const Value& value, Type type);
// Linear in the size of the printed text; parentheses only where needed.
[[nodiscard]] std::string to_string(const ExprPool& pool, Expr e, const PrintStyle& style = {});
// Shared subterms are named once (`let`), so that the text stays linear in the term's size.
[[nodiscard]] std::string to_string_shared(const ExprPool& pool, Expr e,
                                           const PrintStyle& style = {});

}  // namespace whittle
