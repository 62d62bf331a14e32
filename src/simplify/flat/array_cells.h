// SPDX-License-Identifier: Apache-2.0
// Scalarisation of arrays: an array of known length as one variable per cell, where every access
// says which cell it means (or, if wanted, also where it does not): solvers and analyses of values
// know much more about variables than about arrays.
#pragma once

#include <cstdint>

#include "ir/flat_transformation.h"

namespace whittle::simplify {

struct CellOptions {
  std::uint64_t max_cells = 4096;  // of one array
  // Arrays up to this length are split also where an index is no constant: a read becomes a choice
  // among all cells, a write perhaps changes each of them.
  std::uint64_t max_chosen = 0;
};

// Exact; a step stays a step. Empty: there is no such array.
[[nodiscard]] std::optional<FlatTransformed> split_arrays(const TransitionSystem& system,
                                                          const CellOptions& options = {});

// The same as a stage of a pipeline.
[[nodiscard]] inline FlatTransformation array_cells(const CellOptions& options = {}) {
  return [options](const TransitionSystem& system) { return split_arrays(system, options); };
}

}  // namespace whittle::simplify
