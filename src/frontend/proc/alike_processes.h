// SPDX-License-Identifier: Apache-2.0
// What is said about each process of an array, said once: `forall t in 0..1: P[t]@enter -> m`.
#pragma once

#include <string>
#include <vector>

#include "ir/network.h"

namespace whittle::proc {

// The conjuncts of a condition as a PROC file would write them; those that are the same for all
// processes of an array, or for all pairs of at least three of them, with a quantifier.
[[nodiscard]] std::vector<std::string> conjunct_texts(const Network& network, Expr condition);

}  // namespace whittle::proc
