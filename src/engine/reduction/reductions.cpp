// SPDX-License-Identifier: Apache-2.0
#include "engine/reduction/reductions.h"

#include <algorithm>

namespace whittle {

bool is_concurrent(const TransitionSystem& system) {
  return std::count_if(system.variables.begin(), system.variables.end(),
                       [](const StateVariable& v) { return v.is_location; }) > 1;
}

Reductions::Reductions(const TransitionSystem& system, const BmcOptions& options,
                       Unroller& unroller, StepEncoder& steps) {
  // A shorter run is no answer to a question for at least so many steps.
  const bool project = *options.projection != BmcProjection::Off && system.bound.min == 0;
  // Symmetric instances are worth more than independent steps, and both together would lose runs.
  if (*options.symmetry == BmcSymmetry::On && !system.alike.empty())
    symmetry_ = std::make_unique<Symmetry>(system, unroller, steps);
  const bool order = *options.por == BmcPor::On && !symmetry_;
  if (!project && !order) return;
  accesses_ = std::make_unique<Accesses>(system);
  const bool by_depth = *options.encoding != BmcEncoding::Monolithic;
  bool late = false;
  if (project && *options.projection == BmcProjection::Dependency) {
    projection_ = dependency_projection(system, *accesses_, unroller, steps);
  } else if (project && (!by_depth || may_have_idle_steps(system, *accesses_))) {
    // Symmetric instances come into play in an order of their own, which moved steps would break.
    late = !symmetry_;
    projection_ = liveness_projection(system, *accesses_, unroller, steps, late);
  }
  // Around a mutex the order is given but for a few steps, and the constraints only cost time
  // (philosophers: 0.25 s instead of 0.15 s with ten of them, 1.7 s instead of 0.3 s with 15).
  if (order && !(is_concurrent(system) && accesses_->all_meet()))
    order_ = std::make_unique<PartialOrder>(system, *accesses_, unroller, steps, late);
}

void Reductions::encode(std::uint64_t k, std::vector<Expr>& out) {
  if (order_) order_->encode(k, out);
  if (symmetry_) symmetry_->encode(k, out);
  if (projection_) projection_->encode(k, out);
}

void Reductions::at_goal(std::uint64_t k, Expr goal, std::vector<Expr>& out) {
  if (projection_) projection_->at_goal(k, goal, out);
}

}  // namespace whittle
