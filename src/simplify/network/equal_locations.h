// SPDX-License-Identifier: Apache-2.0
// Locations that became identical are merged: from both the same can happen, and it leads to
// locations that are the same again (a bisimulation). So are arcs of events that do the same.
#pragma once

#include <optional>

#include "ir/transformation.h"
#include "simplify/network/refine_counts.h"

namespace whittle::simplify {

// Empty: all differ. Asks no solver. Every step stays one step, so that all questions about numbers
// of steps keep their answers. Locations that lost their arcs stay, for the slicer to take away.
[[nodiscard]] std::optional<Transformed> equal_locations_merged(
    const std::shared_ptr<Network>& network, PropertyId property, RefineCounts& counts);

}  // namespace whittle::simplify
