// SPDX-License-Identifier: Apache-2.0
// From a formula to a small automaton with the same words, and why.
//
//   LtlPool ltl;
//   LtlFormula wanted = demanded(ltl, pool, property);
//   Translation bad = translated(ltl, negation_normal_form(ltl, wanted, false));
//
// The steps: rewriting (ltl/rewrite.h), tableau with promises (ltl/tableau.h), reduction
// (ltl/reduce.h). The certificate is judged by witness/automaton_check.h.
#pragma once

#include <cstddef>
#include <optional>

#include "ir/automaton.h"
#include "ir/ltl.h"

namespace whittle::ltl {

struct Translation {
  Automaton automaton;
  AutomatonStrength strength = AutomatonStrength::General;
  AutomatonCertificate certificate;
};

// requires: `f` is in negation normal form without past (ltl/past.h takes it out). Throws
// ResourceError if the tableau gets more than `most` states.
[[nodiscard]] Translation translated(LtlPool& ltl, LtlFormula f, std::size_t most = 5'000);

[[nodiscard]] AutomatonStrength strength(const Automaton& automaton);

// What refutes or establishes a property: Safety: each violation has a bad prefix; Guarantee: each
// run that satisfies it has a good one (Manna, Pnueli 1992). By the automata of the formula and its
// negation, so a property that could be of a class and does not look so is General.
enum class PropertyClass : std::uint8_t { Safety, Guarantee, General };
[[nodiscard]] PropertyClass property_class(LtlPool& ltl, LtlFormula f);

// Does the formula hold alike on words that differ only in how often letters are repeated? None:
// it has more atoms than `most_atoms`, or automata that are too large. requires: as above
[[nodiscard]] std::optional<bool> stutter_invariant(LtlPool& ltl, LtlFormula f,
                                                    std::size_t most_atoms = 8);

}  // namespace whittle::ltl
