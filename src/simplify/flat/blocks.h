// SPDX-License-Identifier: Apache-2.0
// Large blocks (Beyer, Cimatti, Griggio, Keremoglu, Sebastiani: "Software Model Checking via
// Large-Block Encoding", FMCAD 2009): everything between two cut points of the control flow is one
// transition. Sequences are composed by substitution, branches that meet again by case
// distinctions, so that formulas grow with the program and not with its paths.
//
//   i = 0; while (i < n) { if (a) x = 1; else x = 2; i = i + 1; } error;
//
//   entry -> head     i' = 0
//   head  -> head     i < n,  x' = ite(a, 1, 2),  i' = i + 1
//   head  -> error    i >= n
#pragma once

#include <cstdint>
#include <optional>

#include "ir/flat_transformation.h"
#include "smt/solver.h"

namespace whittle::simplify {

// Auto: large where that leaves less than half of the locations.
enum class Blocks : std::uint8_t { Auto, Single, Large };

// Exact; a step stands for several. The limits are those of taking an invariant back, where inputs
// are eliminated. Empty: there is not one machine, or nothing between its cut points; questions
// about numbers of steps or about infinite runs stay as they are.
[[nodiscard]] std::optional<FlatTransformed> large_blocks(const TransitionSystem& system,
                                                          const smt::Limits& limits,
                                                          Blocks blocks = Blocks::Large);

}  // namespace whittle::simplify
