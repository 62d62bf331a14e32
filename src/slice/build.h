// SPDX-License-Identifier: Apache-2.0
// From marks to a network: what is kept gets new ids, terms and symbols stay.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "slice/control_flow.h"
#include "slice/init_conditions.h"
#include "slice/slice.h"

namespace whittle::slice {

// What the instances of a closure keep.
[[nodiscard]] Kept kept_by(const ControlFlow& flow, const InitConditions& init, PropertyId property,
                           const Closure& closure);

// The shortcuts of all machines that stay; empty when there are too many.
[[nodiscard]] std::optional<std::vector<Shortcut>> all_shortcuts(const ControlFlow& flow,
                                                                 const Kept& kept,
                                                                 std::uint64_t work_limit);

[[nodiscard]] SliceStatistics whole_statistics(const Network& network);

// The way back where nothing was done.
[[nodiscard]] std::shared_ptr<const BackTranslation> identity();

// Fills in network, property, back and statistics from `kept`.
void build(const std::shared_ptr<Network>& original, PropertyId property, const ControlFlow& flow,
           const InitConditions& init, const SliceOptions& options, SliceResult& result);

}  // namespace whittle::slice
