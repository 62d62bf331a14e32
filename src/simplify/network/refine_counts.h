// SPDX-License-Identifier: Apache-2.0
// What the refinements of a network achieved.
#pragma once

#include <cstdint>

namespace whittle::simplify {

struct RefineCounts {
  std::uint64_t constants = 0;   // variables that were replaced by their value
  std::uint64_t guards = 0;      // conditions that went
  std::uint64_t impossible = 0;  // events that can never happen
  std::uint64_t inputs = 0;      // parameters that were eliminated
  std::uint64_t locations = 0;   // locations that were merged into another
  std::uint64_t arcs = 0;        // arcs that another one stands for as well
  std::uint64_t separated = 0;   // machines that were copied for some of their instances
  std::uint64_t queries = 0;     // questions to the solver

  [[nodiscard]] bool any() const {
    return constants + guards + impossible + inputs + locations + arcs + separated > 0;
  }
};

}  // namespace whittle::simplify
