// SPDX-License-Identifier: Apache-2.0
// Constant propagation: a variable that starts with a known value and is never given another is
// that value wherever it is read.
#pragma once

#include <optional>

#include "ir/transformation.h"
#include "simplify/network/refine_counts.h"

namespace whittle::simplify {

// Empty: no constant is read anywhere. Asks no solver. The variables stay, unread, for the slicer
// to take away; conditions on the start stay as they are.
[[nodiscard]] std::optional<Transformed> constants_propagated(
    const std::shared_ptr<Network>& network, PropertyId property, RefineCounts& counts);

}  // namespace whittle::simplify
