// SPDX-License-Identifier: Apache-2.0
// Strong fairness as acceptance sets: for each unit a Bool `never` that a step may set and that
// stays. Where it is set, no step leaves a state in which the unit is possible; its set is met
// where it is set and by the unit's steps. A run is fair to the unit if it is taken infinitely
// often, or is possible only finitely often, and then `never` can be set behind the last time.
#pragma once

#include <optional>

#include "ir/flat_transformation.h"

namespace whittle::simplify {

// Empty: there is none.
[[nodiscard]] std::optional<FlatTransformed> strong_fairness_as_sets(
    const TransitionSystem& system);

}  // namespace whittle::simplify
