// SPDX-License-Identifier: Apache-2.0
// An engine on a system with a variable for each cell of its arrays, where that is possible
// (simplify/flat/array_cells.h), and its witness in terms of the arrays again.
#pragma once

#include "engine/engine.h"
#include "simplify/flat/array_cells.h"

namespace whittle {

// run(system, env): EngineResult
template <class Run>
[[nodiscard]] EngineResult run_on_cells(const TransitionSystem& system, Env& env, const Run& run,
                                        const CellOptions& options = {}) {
  const std::optional<ArrayCells> cells = split_arrays(system, options);
  if (!cells) return run(system, env);
  EngineResult result = run(cells->system, env);
  if (auto* reached = result.reached()) reached->trace = cells->trace(reached->trace);
  if (auto* proof = result.unreachable_by<Inductive>())
    proof->invariant = cells->condition(proof->invariant);
  return result;
}

}  // namespace whittle
