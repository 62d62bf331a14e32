// SPDX-License-Identifier: Apache-2.0
// Measures that may fall on the way to a condition (ir/lowering/recovery.h): how far the
// comparisons in it are from being true, and the numbers of the system by themselves.
#pragma once

#include <vector>

#include "ir/lowering/recovery.h"

namespace whittle {

// Likely ones first.
[[nodiscard]] std::vector<Measure> measures_towards(const TransitionSystem& system, Expr condition);

}  // namespace whittle
