// SPDX-License-Identifier: Apache-2.0
// Does an automaton accept at least the words of a formula? Decided from its certificate
// (ir/automaton.h), without the code that made the automaton:
//
//   (R) each step of rewriting is an instance of a rule, and the last formula is the conjunction of
//       the first state of the tableau;
//   (E) for each state q of the tableau the Boolean equivalence, over the atoms, X f and Pr_u,
//         xnf(conjunction of q)  <->  disjunction over its edges of
//                                     cube && X f for each f of the target && Pr_u for postponed u
//       where xnf(a U b) = b || (a && X(a U b) && Pr_(a U b)) and xnf(a R b) = b && (a || X(a R
//       b)); a postponed until is among the formulas of the target;
//   (H) a relation of tableau states p and automaton states q, with the initial pair, such that
//   each
//       edge of p has an edge of q with a weaker cube, related targets and, where it matters, its
//       marks. It does not matter where the edge of p lies in no accepting component, or that of q
//       in no component: a run passes such edges finitely often. Edges to states that reach no
//       accepting component need no partner.
//
// By (E) a word of the formula has a run through the tableau that postpones no until for ever: let
// it postpone u only where u holds and its right side does not. By (H) the automaton has one, too.
#pragma once

#include <optional>
#include <string>

#include "ir/automaton.h"
#include "ir/ltl.h"

namespace whittle {

// What is wrong with the certificate; none: the automaton accepts every word of its formula.
[[nodiscard]] std::optional<std::string> automaton_problem(LtlPool& ltl, const Automaton& automaton,
                                                           const AutomatonCertificate& certificate);

}  // namespace whittle
