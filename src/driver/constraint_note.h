// SPDX-License-Identifier: Apache-2.0
// What to say about a constraint that somebody gave: which transition breaks it, or whether it is
// inductive by itself.
#pragma once

#include <string>

#include "ir/network.h"
#include "ir/verdict.h"
#include "smt/solvers.h"

namespace whittle {

// requires: the property is a constraint, and this is its verdict. Empty: nothing to say.
[[nodiscard]] std::string constraint_note(Network& network, PropertyId property,
                                          const Verdict& verdict,
                                          const smt::SolverFactory& solvers);

}  // namespace whittle
