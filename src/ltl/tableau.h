// SPDX-License-Identifier: Apache-2.0
// From a formula to a tableau with promises (Couvreur, On-the-fly verification of linear temporal
// logic, FM 1999; Gastin, Oddoux, Fast LTL to Büchi automata translation, CAV 2001).
#pragma once

#include <cstddef>

#include "ir/automaton.h"
#include "ir/ltl.h"

namespace whittle::ltl {

// requires: `f` is in negation normal form without past. Throws ResourceError above `most` states
// or edges of one state.
[[nodiscard]] Tableau tableau(const LtlPool& ltl, LtlFormula f, std::size_t most = 5'000);

// The automaton with the states and edges of the tableau, as they are.
[[nodiscard]] Automaton automaton_of(const Tableau& tableau);

}  // namespace whittle::ltl
