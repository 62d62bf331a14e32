// SPDX-License-Identifier: Apache-2.0
// Why the product of a system and an automaton has no accepting run: the argument of an engine,
// checked on a product that it did not see.
#pragma once

#include "ir/transition_system.h"
#include "ir/unreachable.h"
#include "smt/solvers.h"
#include "witness/obligation.h"

namespace whittle {

// requires: conditions of the argument are over variables of the product. None: such an argument
// has nothing to check, and somebody else has to confirm it.
[[nodiscard]] Problem check_live_proof(const TransitionSystem& product, const WhyUnreachable& why,
                                       const smt::SolverFactory& solvers);

}  // namespace whittle
