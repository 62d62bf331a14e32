// SPDX-License-Identifier: Apache-2.0
// Packs of related variables (Blanchet et al.: "A Static Analyzer for Large Safety-Critical
// Software", PLDI 2003, section 6.2): a polyhedron over all variables of a system is exponentially
// expensive in their number, one for each pack of a few that occur together is not. A pack knows
// nothing of other variables but their bounds.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/transition_system.h"

namespace whittle::absint {

// State variables that occur together in a comparison of the goal, the first states, a guard or a
// relation, or in what one of them is set to; at most `most` in each. A variable can be in several
// packs; one that nothing relates to others is in none. What the goal speaks of comes first.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> packs(
    const TransitionSystem& system, const std::vector<std::uint32_t>& numbers, std::size_t most);

}  // namespace whittle::absint
