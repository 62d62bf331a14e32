// SPDX-License-Identifier: Apache-2.0
// From the formula of a step to events. VMT-LIB has one relation between states; slicing and the
// engines are far better off with functions:
//
//   (and (= x.next (+ x in)) (= y.next (+ x.next 1)) (> in 0))
//
// is the event `step(in)` with the guard in > 0 and the assignments x := x + in, y := x + in + 1. A
// disjunction whose parts say what the next values are becomes one event per part. A next value
// that no equation determines but something restricts is a parameter of the event; one that nothing
// mentions is free.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "expr/expr_map.h"
#include "ir/network.h"

namespace whittle::vmt {

struct StepFormula {
  Expr term;
  Span span;
};

struct StepContext {
  Network& network;
  MachineId machine;
  LocationId location;
  // State variables by their next symbols.
  std::unordered_map<SymbolId, VariableId> by_next;
  std::unordered_set<SymbolId> inputs;  // symbols that are parameters of events
  const ExprMap<Span>& places;
};

// Adds the events of the conjunction of these formulas.
void add_steps(const StepContext& context, const std::vector<StepFormula>& formulas);

}  // namespace whittle::vmt
