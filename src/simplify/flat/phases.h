// SPDX-License-Identifier: Apache-2.0
// A loop that does one thing first and another thing later (`if (x < 50) ... else ...`) has an
// invariant for each phase, and none that says both without `or`. So the conditions that its ways
// differ in become part of the location: a variable for each says whether it holds, every
// transition exists once for each value that it has afterwards, and what is known per location is
// known per phase.
#pragma once

#include <vector>

#include "ir/transition_system.h"

namespace whittle {

class Phases {
 public:
  explicit Phases(const TransitionSystem& original);

  [[nodiscard]] bool any() const { return !conditions_.empty(); }
  [[nodiscard]] const TransitionSystem& system() const { return system_; }
  // An invariant of the original.
  [[nodiscard]] Expr invariant(Expr invariant) const;

 private:
  void find_conditions();
  void add(Expr condition);

  const TransitionSystem& original_;
  ExprPool& pool_;
  TransitionSystem system_;
  std::vector<Expr> conditions_;
  std::vector<StateVariable> phases_;  // by condition
};

}  // namespace whittle
