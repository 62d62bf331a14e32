// SPDX-License-Identifier: Apache-2.0
// From a loop, as a sequence of transitions, to a condition under which it can be taken again and
// again for ever (a recurrent set; Gupta et al.: "Proving Non-Termination", POPL 2008). What the
// loop asks for is made closed: where an atom a >= 0 does not hold again after the loop of itself,
// either it is demanded there, too, or that a does not get smaller, and so on. With the second a
// sum that grows with a speed that grows is closed after two rounds, with the first a product.
//
// Inputs are chosen as terms over the state before the step: bounds that the guard gives them,
// small constants, what a model of two rounds says, or the value that a variable has.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/env.h"
#include "expr/traverse.h"
#include "ir/transition_system.h"

namespace whittle::live {

class LoopRegions {
 public:
  LoopRegions(const TransitionSystem& system, Env& env);

  // Regions for the loop, from states in which the condition (on the state before it) holds, that
  // meet every acceptance set. At most `most`.
  [[nodiscard]] std::vector<FlatRegion> of(const std::vector<std::uint32_t>& loop, Expr start,
                                           std::size_t most);

 private:
  struct Round {
    std::vector<Expr> asked;                // over the state before the loop
    std::vector<Expr> values;               // by variable: after it
    std::vector<std::vector<Expr>> states;  // by step: values before it
  };
  using Choice = std::vector<std::vector<Expr>>;  // by step: inputs, then open values

  [[nodiscard]] Round composed(const std::vector<std::uint32_t>& loop, const Choice& choice);
  [[nodiscard]] std::vector<Choice> choices(const std::vector<std::uint32_t>& loop, Expr start);
  [[nodiscard]] std::vector<Expr> candidates(const Transition& transition, Expr unknown,
                                             const std::vector<Expr>& unknowns);
  [[nodiscard]] std::optional<Expr> closed(std::vector<Expr> atoms, const Round& round,
                                           bool by_growth);
  [[nodiscard]] Expr growth(Expr atom, Substitution& after);
  [[nodiscard]] bool meets_all(const std::vector<std::uint32_t>& loop, const Round& round,
                               Expr region);
  [[nodiscard]] bool possible(Expr condition);

  const TransitionSystem& system_;
  Env& env_;
  ExprPool& pool_;
  std::unique_ptr<smt::Solver> solver_;
};

}  // namespace whittle::live
