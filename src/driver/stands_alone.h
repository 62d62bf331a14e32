// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ir/network.h"
#include "ir/verdict.h"
#include "smt/solvers.h"

namespace whittle {

// Is the condition of a constraint inductive by itself? None: the solver does not say, or the
// verdict is not that it holds.
[[nodiscard]] std::optional<StandsAlone> stands_alone(Network& network, PropertyId property,
                                                      const Verdict& verdict,
                                                      const smt::SolverFactory& solvers);

}  // namespace whittle
