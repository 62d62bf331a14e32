// SPDX-License-Identifier: Apache-2.0
// Arrays of unknown length, of which only some cells are looked at: those at indices that never
// change in a run (`a[Z]` in a property about any `Z`). What other cells hold is anybody's guess,
// so the system allows more runs than the one it stands for: that the goal is unreachable in it is
// true of both, a run of it means nothing.
//
// Spacer and induction know far more about numbers than about arrays, and most properties of loops
// over arrays speak of one cell (Monniaux, Gonnord: "Cell Morphing: From Array Programs to
// Array-Free Horn Clauses", SAS 2016).
#pragma once

#include "ir/flat_transformation.h"

namespace whittle::simplify {

// Over-approximates; a step stays a step. Empty: there is no such array.
[[nodiscard]] std::optional<FlatTransformed> sample_arrays(const TransitionSystem& system);

}  // namespace whittle::simplify
