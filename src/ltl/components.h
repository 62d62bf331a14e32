// SPDX-License-Identifier: Apache-2.0
// Strongly connected components of an automaton, and which of them accept.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/automaton.h"

namespace whittle::ltl {

struct Components {
  std::vector<std::uint32_t>
      of;                        // per state; a component has a greater number than what it reaches
  std::vector<bool> accepting;   // per component: some run that stays there is accepting
  std::vector<bool> productive;  // per component: it reaches an accepting one

  [[nodiscard]] bool inside_accepting(std::uint32_t from, std::uint32_t to) const {
    return of[from] == of[to] && accepting[of[from]];
  }
};

[[nodiscard]] Components components(const Automaton& automaton);

}  // namespace whittle::ltl
