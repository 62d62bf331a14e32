// SPDX-License-Identifier: Apache-2.0
// Finds the dead values and the ample locations of a system: with which of its states a search can
// do. What they are and why that is enough stands in ir/state_reduction.h.
#pragma once

#include "ir/state_reduction.h"
#include "ir/transition_system.h"

namespace whittle {

[[nodiscard]] StateReduction find_reduction(const TransitionSystem& system);

}  // namespace whittle
