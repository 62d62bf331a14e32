// SPDX-License-Identifier: Apache-2.0
// Does a slice have all fair runs of the model, as far as a formula can tell? Then a formula that
// holds on the slice holds on the model. Decided on the flat systems of both, which are made again;
// `p` gives for a state of the model the place of every location in the slice and the values of the
// variables that are left.
//
//   first states   init(s) -> init_slice(p(s))
//   each step t of the model, from s to s':
//                  t(s, s') -> u(p(s), p(s')) for a step u of the slice, or
//                  p(s) = p(s') and the rank of s' is lower than that of s
//   a run that ends rests in the slice: that is the step that stays, one of the t
//   conditions     each atom of the formula has in s its value in p(s); what is said of the step
//                  that leaves a state holds of t as of u
//   fairness       what the slice asks to be met is met in the model at least as often
//
// Where steps of the model have no counterpart the formula must not count steps (`next`, `taken`).
#pragma once

#include "ir/step_map.h"
#include "smt/solvers.h"
#include "witness/obligation.h"

namespace whittle {

// None: all obligations are met, most of them because both sides are the same terms.
[[nodiscard]] Problem check_step_map(const StepMap& map, const smt::SolverFactory& solvers);

}  // namespace whittle
