// SPDX-License-Identifier: Apache-2.0
// Projections: paths on which every step is needed for the goal. What they are and why they are
// enough stands in projection.cpp.
//
//   Projection projection(system, accesses, unroller, encoder);
//   projection.encode(k, out);           // after the encoder has encoded step k
//   projection.at_goal(k, goal, out);    // when the goal is asked for after k steps
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/path/step_encoding.h"
#include "engine/path/unroller.h"
#include "engine/reduction/accesses.h"

namespace whittle {

class Projection {
 public:
  virtual ~Projection() = default;
  // Adds what step k, encoded already, has to do with the steps before it.
  virtual void encode(std::uint64_t k, std::vector<Expr>& out) = 0;
  // Adds what holds if `goal`, a condition, means that the goal is wanted after k steps.
  virtual void at_goal(std::uint64_t k, Expr goal, std::vector<Expr>& out) = 0;
};

// Can there be steps that a part of the goal does without? Where every process writes what it
// reads, nearly every step of a run that is not too long matters, and the constraints cost more
// time than they save. When depths are asked for one after the other, that is no loss: a first run
// to the goal has only steps that matter.
[[nodiscard]] bool may_have_idle_steps(const TransitionSystem& system, const Accesses& accesses);

// `late`: steps that only their own thread notices stand where they are needed.
[[nodiscard]] std::unique_ptr<Projection> liveness_projection(const TransitionSystem& system,
                                                              const Accesses& accesses,
                                                              Unroller& unroller,
                                                              const StepEncoder& steps, bool late);
[[nodiscard]] std::unique_ptr<Projection> dependency_projection(const TransitionSystem& system,
                                                                const Accesses& accesses,
                                                                Unroller& unroller,
                                                                const StepEncoder& steps);

}  // namespace whittle
