// SPDX-License-Identifier: Apache-2.0
// Short conditions of which invariants of several machines are often made: who excludes whom, and
// what is true of Bools and numbers where a machine is.
#pragma once

#include <vector>

#include "ir/transition_system.h"

namespace whittle::simplify {

// About locations, Bools, and numbers as far as the sources compare them with constants; short ones
// first, at most `limit`. Nothing says that any of them holds.
[[nodiscard]] std::vector<Expr> invariant_templates(const TransitionSystem& system,
                                                    const std::vector<Expr>& sources,
                                                    std::size_t limit);

}  // namespace whittle::simplify
