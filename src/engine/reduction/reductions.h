// SPDX-License-Identifier: Apache-2.0
// Which of the reductions a bounded search uses: projections, partial orders or symmetry. All keep
// the least depth of the goal; which go together, and where they cost more than they save, stands
// in reductions.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/bmc_options.h"
#include "engine/reduction/accesses.h"
#include "engine/reduction/partial_order.h"
#include "engine/reduction/projection.h"
#include "engine/reduction/symmetry.h"

namespace whittle {

// Several variables hold locations: processes interleave.
[[nodiscard]] bool is_concurrent(const TransitionSystem& system);

class Reductions {
 public:
  // requires: no step is encoded yet; all arguments outlive the reductions.
  Reductions(const TransitionSystem& system, const BmcOptions& options, Unroller& unroller,
             StepEncoder& steps);

  // Adds what step k, encoded already, has to do with the steps before it.
  void encode(std::uint64_t k, std::vector<Expr>& out);
  // Adds what holds if `goal` means that the goal is wanted after k steps.
  void at_goal(std::uint64_t k, Expr goal, std::vector<Expr>& out);
  // Only projected runs are looked at.
  [[nodiscard]] bool projects() const { return projection_ != nullptr; }

 private:
  std::unique_ptr<Accesses> accesses_;      // null: nobody needs them
  std::unique_ptr<PartialOrder> order_;     // null: all orders
  std::unique_ptr<Symmetry> symmetry_;      // null: all instances
  std::unique_ptr<Projection> projection_;  // null: all steps
};

}  // namespace whittle
