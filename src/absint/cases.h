// SPDX-License-Identifier: Apache-2.0
// A condition as conditions that shapes can express: without disjunctions.
#pragma once

#include <cstddef>
#include <vector>

#include "expr/expr.h"

namespace whittle::absint {

// At least one of them holds exactly where all the conditions do. Where that takes more than
// `limit`, disjunctions are left in them.
[[nodiscard]] std::vector<std::vector<Expr>> cases_of(ExprPool& pool, std::vector<Expr> conditions,
                                                      std::size_t limit);

}  // namespace whittle::absint
