// SPDX-License-Identifier: Apache-2.0
// Can one instance of a network get stuck: is a state reachable from which, whatever the others do,
// it never takes part in a step again (EF AG not "it moves")? That is no reachability question, but
// two kinds of them decide it:
//   - from one state: can the instance still move (`moves_from`)?
//   - is a state reachable in which the instance is at the location and cannot move at once, nor by
//     any of the given continuations (`waiting`)?
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "ir/lowering/lower.h"
#include "ir/run/flat_run.h"

namespace whittle {

// Transitions one after the other, with terms for what they choose: over the state before each.
struct ContinuationStep {
  std::uint32_t transition = 0;
  std::vector<Expr> inputs;                          // one per input of the transition
  std::vector<std::pair<std::uint32_t, Expr>> open;  // next values of its open variables
};
using Continuation = std::vector<ContinuationStep>;

// Holds in exactly those states in which the continuation is possible (its terms are total) and
// ends where `after` holds; invalid: wherever it ends.
[[nodiscard]] Expr weakest_precondition(const TransitionSystem& system, const Continuation& steps,
                                        Expr after = {});

// The same system, beginning in this state alone.
[[nodiscard]] TransitionSystem beginning_in(const TransitionSystem& system, const FlatState& state);

class Moving {
 public:
  // The property is a Sinkhole; the instance is one of its machine, in its universe.
  Moving(Network& network, PropertyId property, InstanceId instance, const LowerOptions& options);

  [[nodiscard]] const TransitionSystem& system() const { return lowered_.system; }
  [[nodiscard]] const Lowering& back() const { return *lowered_.back; }
  // Does the instance take part in the transition?
  [[nodiscard]] bool moves(std::uint32_t transition) const { return moves_[transition]; }
  // Those transitions are possible with values of the goal's inputs: in `moves_from`, which one.
  [[nodiscard]] Goal move() const { return move_; }
  [[nodiscard]] std::vector<ContinuationStep> moves_with(const FlatState& state,
                                                         const std::vector<Value>& inputs) const;

  // requires: every continuation ends with a move of the instance
  [[nodiscard]] TransitionSystem waiting(const std::vector<Continuation>& continuations) const;
  [[nodiscard]] TransitionSystem moves_from(const FlatState& state) const;

 private:
  struct Case {
    std::uint32_t transition = 0;
    Expr condition;
    std::vector<std::pair<std::uint32_t, SymbolId>> next;  // open variables, their goal inputs
  };
  void build_move();

  Lowered lowered_;
  std::vector<bool> moves_;  // by transition
  Goal move_;
  std::vector<Case> cases_;
};

}  // namespace whittle
