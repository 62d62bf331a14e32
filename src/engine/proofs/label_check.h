// SPDX-License-Identifier: Apache-2.0
// Is the tree sound? Labels of roots hold in first states, those of children after every step from
// their parent, and that of a covered node implies the one that covers it. For tests.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/proofs/label_tree.h"
#include "engine/proofs/proof_slices.h"

namespace whittle::proofs {

// By start: its condition. By place: proved invariants. What a solver does not decide is let pass.
[[nodiscard]] std::optional<std::string> label_problem(const LabelTree& tree, ProofSlices& slices,
                                                       const std::vector<Expr>& firsts,
                                                       const std::vector<std::vector<Expr>>& known,
                                                       ExprPool& pool, Env& env);

}  // namespace whittle::proofs
