// SPDX-License-Identifier: Apache-2.0
// Is there always a way back: can a state in which a condition holds be reached from every
// reachable state (AG EF, no reachability question)? Two kinds of reachability questions decide it:
//   - from one state: can a good one still be reached (`from`)?
//   - is a bad state reachable from which none of the given ways leads on (`lost`)?
//
// A way leads on from a state if it is possible there and ends in a good state, or lowers a
// measure. A measure is a list of numbers; a way lowers it if it does not raise the first ones and
// takes at least 1 from the next, where that one is not negative. So no measure can be lowered for
// ever, and where no bad state is lost, all of them have a way back.
#pragma once

#include <memory>
#include <vector>

#include "ir/lowering/moving.h"

namespace whittle {

using Measure = std::vector<Expr>;  // Int or Real, over current symbols

class Recovery {
 public:
  // The property is Recoverable.
  Recovery(Network& network, PropertyId property, const LowerOptions& options);

  // Its goal: the condition.
  [[nodiscard]] const TransitionSystem& system() const { return lowered_.system; }
  [[nodiscard]] const Lowering& back() const { return *lowered_.back; }
  [[nodiscard]] Expr good() const { return lowered_.system.goal.condition; }

  // Where the way leads on.
  [[nodiscard]] Expr leads_on(const Continuation& way, const Measure& measure) const;
  [[nodiscard]] TransitionSystem lost(const std::vector<Continuation>& ways,
                                      const Measure& measure) const;
  [[nodiscard]] TransitionSystem from(const FlatState& state) const;

 private:
  Lowered lowered_;
};

}  // namespace whittle
