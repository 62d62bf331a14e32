// SPDX-License-Identifier: Apache-2.0
// Bit-vector operators on values.
#pragma once

#include "expr/evaluate.h"

namespace whittle {

// requires: a bit-vector operator
[[nodiscard]] Value apply_bits(const ExprPool& pool, const Operation& operation,
                               std::span<const Value* const> arguments);

}  // namespace whittle
