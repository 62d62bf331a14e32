// SPDX-License-Identifier: Apache-2.0
// Slices of programs for formulas that cannot tell a repeated state from a single one: steps that
// neither write what the formula reads nor are seen by it go, and a step of the slice stands for
// many (Dwyer, Hatcliff 1999). The criterion of the paper (definition 13), corrected:
//
//   V       variables in conditions of the formula, N  locations in its places
//   kept    N, succ(N), Sep, and S: the definitions of relevant variables and the branches on which
//           something that is kept depends
//   Sep     predecessors of N, outside of it, that can be met from the start or a definition of V
//           before anything of N or behind it: a state outside N has to stay in between
//
// A variable is relevant wherever it is read, not by location: the last assignment to a variable of
// V is read by nobody but the formula. Control dependence minds runs that never get there, and
// where two locations can be met first, what decides between them is kept (flow_graph.h). So every
// location that goes has one location that is met next on every run, or none at all.
#pragma once

#include <optional>
#include <string>

#include "slice/control_flow.h"
#include "slice/init_conditions.h"
#include "slice/result.h"

namespace whittle::slice {

// Why the question cannot be answered on such a slice; empty: it can.
[[nodiscard]] std::string no_compression(const Network& network, PropertyId property);

// The closure, and what becomes of each location. requires: no_compression is empty, or a criterion
// is given for a network with one instance and without synchronisations.
struct Compressed {
  Closure closure;
  Compression compression;
};
[[nodiscard]] Compressed compressed(const ControlFlow& flow, const InitConditions& init,
                                    PropertyId property,
                                    const std::vector<CriterionPair>& criterion);

}  // namespace whittle::slice
