// SPDX-License-Identifier: Apache-2.0
// Arrays of known length as one variable per cell, where every access says which cell it means (or,
// if wanted, also where it does not): solvers and analyses of values know much more about variables
// than about arrays.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "ir/transition_system.h"

namespace whittle {

struct CellOptions {
  std::uint64_t max_cells = 4096;  // of one array
  // Arrays up to this length are taken apart also where an index is no constant: a read becomes a
  // choice among all cells, a write perhaps changes each of them.
  std::uint64_t max_chosen = 0;
};

// A system without some of its arrays, and the way back.
class ArrayCells {
 public:
  TransitionSystem system;

  [[nodiscard]] FlatTrace trace(const FlatTrace& cells) const;
  // A condition on states, in terms of the arrays.
  [[nodiscard]] Expr condition(Expr cells) const;

 private:
  friend std::optional<ArrayCells> split_arrays(const TransitionSystem&, const CellOptions&);
  struct Origin {
    std::uint32_t variable;             // of the system with arrays
    std::optional<std::uint64_t> cell;  // empty: the variable itself
  };
  std::vector<Origin> origins_;      // by variable of the system without
  std::vector<StateVariable> with_;  // variables of the system with arrays
};

// Empty: there is no such array.
[[nodiscard]] std::optional<ArrayCells> split_arrays(const TransitionSystem& system,
                                                     const CellOptions& options = {});

}  // namespace whittle
