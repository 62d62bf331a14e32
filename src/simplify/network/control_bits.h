// SPDX-License-Identifier: Apache-2.0
// A program counter in binary: translators of programs keep it in several truth values, and one
// relation says for all of their combinations what a step does:
//
//   (and (or s.0 s.1 (= x.next 0)) (or s.0 s.1 s.0.next) (or (not s.0) s.1 (= x.next (+ x 1))) ...)
//
// Which combinations can occur, and which can follow on which, a solver lists (an abstraction of
// the system to its truth values, Graf and Saidi, CAV 1997). With both known, what is left of the
// relation is what one edge of the program does.
#pragma once

#include <optional>
#include <vector>

#include "simplify/network/step_equations.h"
#include "smt/solvers.h"

namespace whittle::simplify {

// The relation for each pair of combinations, with the combination before and after among its
// conjuncts; all steps from reachable states are there. Empty: the truth values of the event's
// machine are no program counter (too many combinations, or too many that follow on one), or the
// solver gives up.
[[nodiscard]] std::optional<std::vector<Parts>> control_cases(const Network& network, EventId event,
                                                              const Parts& relation,
                                                              const smt::SolverFactory& solvers);

}  // namespace whittle::simplify
