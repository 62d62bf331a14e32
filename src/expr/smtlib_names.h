// SPDX-License-Identifier: Apache-2.0
// How SMT-LIB calls our operators.
#pragma once

#include "expr/expr.h"

namespace whittle {

// Null: SMT-LIB has no function that is this operator by itself.
[[nodiscard]] const char* smtlib_name(Op op);

}  // namespace whittle
