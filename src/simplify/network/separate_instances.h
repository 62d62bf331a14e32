// SPDX-License-Identifier: Apache-2.0
// Slices per instance (Eilers 2018, section 8.2): where nothing in the model refers to a machine,
// its instances need not be sliced alike. Those of which the question asks the same share a
// machine, the others get a copy of their own, for the slicer to cut down apart.
#pragma once

#include <memory>
#include <optional>

#include "ir/transformation.h"
#include "simplify/network/refine_counts.h"

namespace whittle::simplify {

// Empty: the question treats all instances alike, or references may reach them. Asks no solver.
[[nodiscard]] std::optional<Transformed> instances_separated(
    const std::shared_ptr<Network>& network, PropertyId property, RefineCounts& counts);

}  // namespace whittle::simplify
