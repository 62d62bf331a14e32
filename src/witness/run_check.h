// SPDX-License-Identifier: Apache-2.0
// Does an infinite run refute a property of temporal logic? It is followed on the network as
// parsed, and the formula is evaluated on its word; no automaton takes part.
//   lasso        the state after the loop is the one before it
//   region       one round of a loop whose rounds differ; that all have the letters of this one,
//   and
//                that there always is another, is proved elsewhere (region_check.h)
//   end          a solver confirms that nothing is possible in the last state, which stays
//   bad prefix   whatever follows refutes the property: the formula, carried through the letters of
//                the finite trace, has nothing left to ask for
// And the run is fair to what the network declares: each unit is taken in the loop or, as a solver
// confirms of single states, is not possible in one (weak) or any (strong) of its states.
#pragma once

#include "base/expected.h"
#include "ir/network.h"
#include "ir/trace.h"
#include "smt/solvers.h"
#include "witness/trace_check.h"

namespace whittle {

[[nodiscard]] Expected<CheckedTrace, RejectedWitness> check_run(Network& network,
                                                                PropertyId property,
                                                                const Trace& trace,
                                                                const smt::SolverFactory& solvers);

}  // namespace whittle
