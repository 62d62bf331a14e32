// SPDX-License-Identifier: Apache-2.0
// Machine integers that are believed never to wrap around. `ite(n > MAX, n - 2^w, n)` becomes n,
// and so does `n mod 2^w`; where that would be wrong, the step leads to the goal instead. So if the
// goal cannot be reached, nothing ever wraps, and both systems take the same steps: what is
// inductive in one is so in the other. Linear programs become linear again.
//
//   x' = ite(x + y > MAX, x + y - 2^32, x + y)
//
//   x + y <= MAX:  x' = x + y           x + y > MAX:  to the goal
#pragma once

#include "ir/flat_transformation.h"

namespace whittle::simplify {

// Over-approximates; a step stays a step. Empty: nothing can wrap, there is not one variable for
// the location, or no location is a goal whatever the other variables are.
[[nodiscard]] std::optional<FlatTransformed> without_wrapping(const TransitionSystem& system);

}  // namespace whittle::simplify
