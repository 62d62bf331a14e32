// SPDX-License-Identifier: Apache-2.0
// Invariants on their way from an engine to people: what the proof does not need is left out before
// the witness check, so that what is shown is what was checked.
#pragma once

#include "ir/network.h"
#include "smt/solvers.h"

namespace whittle {

// An inductive invariant of the network as parsed that proves the property, no longer than the
// given one, which does. The limits of the solvers bound the effort.
[[nodiscard]] Expr minimised(Network& network, PropertyId property, Expr invariant,
                             const smt::SolverFactory& solvers);

}  // namespace whittle
