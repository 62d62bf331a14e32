// SPDX-License-Identifier: Apache-2.0
// From a closure to what stays of a network.
#pragma once

#include <optional>
#include <vector>

#include "slice/control_flow.h"
#include "slice/init_conditions.h"
#include "slice/result.h"

namespace whittle::slice {

// What the instances of a closure keep.
[[nodiscard]] Kept kept_by(const ControlFlow& flow, const InitConditions& init, PropertyId property,
                           const Closure& closure);

// The shortcuts of all machines that stay; empty when there are too many.
[[nodiscard]] std::optional<std::vector<Shortcut>> all_shortcuts(const ControlFlow& flow,
                                                                 const Kept& kept,
                                                                 std::uint64_t work_limit);

[[nodiscard]] SliceStatistics whole_statistics(const Network& network);

}  // namespace whittle::slice
