// SPDX-License-Identifier: Apache-2.0
// The inverse of slicing.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "slice/id_maps.h"
#include "slice/result.h"

namespace whittle::slice {

// `invariants`: every variable of the slice has the values it has in the original, so that an
// invariant of the slice is one of the original.
[[nodiscard]] std::shared_ptr<const BackTranslation> back_translation(
    const std::shared_ptr<Network>& original, PropertyId property,
    const std::shared_ptr<Network>& sliced, IdMaps maps, const Kept& kept, bool invariants,
    std::optional<StepMap> step_map = std::nullopt);

// Where nothing was sliced.
[[nodiscard]] std::shared_ptr<const BackTranslation> identity();

}  // namespace whittle::slice
