// SPDX-License-Identifier: Apache-2.0
// From runs and invariants of large blocks (blocks.h) to those of the system they were made of.
#pragma once

#include <memory>
#include <vector>

#include "ir/flat_transformation.h"
#include "simplify/flat/block_graph.h"
#include "smt/solver.h"

namespace whittle::simplify {

// The graph is one of `original`; `inputs` are those of each block.
[[nodiscard]] std::shared_ptr<const FlatBackTranslation> block_inverse(
    std::shared_ptr<const TransitionSystem> original, BlockGraph graph,
    std::vector<std::vector<SymbolId>> inputs, const smt::Limits& limits);

}  // namespace whittle::simplify
