// SPDX-License-Identifier: Apache-2.0
// Conditions of events that say nothing: those that always hold, or hold wherever the other
// conditions of the event do. And events whose conditions contradict each other.
#pragma once

#include <optional>

#include "ir/transformation.h"
#include "simplify/network/queries.h"
#include "simplify/network/refine_counts.h"

namespace whittle::simplify {

// Empty: every condition says something, as far as the solver could tell within its budget.
[[nodiscard]] std::optional<Transformed> implied_guards_removed(
    const std::shared_ptr<Network>& network, PropertyId property, Queries& queries,
    RefineCounts& counts);

}  // namespace whittle::simplify
