// SPDX-License-Identifier: Apache-2.0
// What users say about a model besides asking: its constraints, as hints for engines, which prove
// them before they use them.
#pragma once

#include <span>
#include <vector>

#include "ir/lowering/lower.h"

namespace whittle {

// The constraints of `network` for the universe of a question and what else is believed about it,
// in terms of the flat system that was made of `left`. That is what transformations have left of
// the network; what it has no words for is dropped.
[[nodiscard]] std::vector<Expr> hints_for(const Network& network, UniverseId universe,
                                          std::span<const Expr> believed, Network& left,
                                          UniverseId left_universe, const Lowering& back);

}  // namespace whittle
