// SPDX-License-Identifier: Apache-2.0
// Smaller automata for the same words: only states that reach an accepting component, marks only
// inside accepting components, acceptance sets that others imply left out, states merged by direct
// simulation, edges that others dominate left out (Somenzi, Bloem, Efficient Büchi automata from
// LTL formulae, CAV 2000; Babiak et al., LTL to Büchi automata translation: fast and more
// deterministic, TACAS 2012).
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "ir/automaton.h"

namespace whittle::ltl {

struct Reduced {
  Automaton automaton;
  std::vector<std::uint32_t> sets;  // which acceptance set of the original each one was
};

[[nodiscard]] Reduced reduced(const Automaton& automaton);

// Pairs of a state of `first` and one of `second` such that what the one can do the other can, as
// condition (H) of witness/automaton_check.h asks, among them the initial ones; none: there is no
// such relation. `sets`: to which set of `first` each one of `second` belongs.
using SimulationPairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
[[nodiscard]] std::optional<SimulationPairs> simulation(const Automaton& first,
                                                        const Automaton& second,
                                                        const std::vector<std::uint32_t>& sets);

}  // namespace whittle::ltl
