// SPDX-License-Identifier: Apache-2.0
// The loop of a run of a slice, in the model: what the slice left out need never come back to where
// it was, and the loop can go on for ever all the same, since nothing that it asks for depends on
// that. The region is "all that is left is as it was before the loop".
#pragma once

#include "ir/trace.h"
#include "smt/solvers.h"
#include "witness/obligation.h"

namespace whittle {

// From every state in the region of the run its loop can be taken and ends there again, fair and
// with the same letters: proved on the network as parsed. None: it is so. requires: a question
// about infinite runs; a run with a loop and a region
[[nodiscard]] Problem lifted_region_problem(Network& network, PropertyId property, const Trace& run,
                                            const smt::SolverFactory& checker);

}  // namespace whittle
