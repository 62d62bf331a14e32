// SPDX-License-Identifier: Apache-2.0
// One obligation of a proof, asked of the second solver.
#pragma once

#include <optional>
#include <string>

#include "base/expected.h"
#include "ir/verdict.h"
#include "smt/solver.h"
#include "witness/rejected_witness.h"

namespace whittle {

// None: the obligation is met. Otherwise what the check ends with.
using Problem = std::optional<Expected<WitnessCheck, RejectedWitness>>;

// The condition, a counterexample to the obligation, has no solution. `event`: whose step it is
// about, for people.
[[nodiscard]] Problem refuted(smt::Solver& solver, Expr condition, const std::string& obligation,
                              const std::string& event = {});

}  // namespace whittle
