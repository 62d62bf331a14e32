// SPDX-License-Identifier: Apache-2.0
#include "engine/path/symbolic_path.h"

#include <optional>

#include "engine/path/path_trace.h"

namespace whittle {

SymbolicPath::SymbolicPath(const TransitionSystem& system, const smt::SolverFactory& solvers,
                           const Settings& settings)
    : system_(system),
      pool_(*system.pool),
      unroller_(system),
      bounds_(settings.ranges ? std::make_unique<DepthBounds>(system) : nullptr),
      steps_(system, unroller_, settings.encoding, bounds_.get()),
      solver_(pool_, solvers, settings.bits) {}

void SymbolicPath::require_init() {
  for (std::uint32_t v = 0; bounds_ && v < system_.variables.size(); ++v) {
    const Type type = system_.variables[v].type;
    if (auto value = bounds_->range(v).single(pool_, type)) {
      unroller_.define(v, 0, pool_.constant(*value, type));
    }
  }
  pending_.push_back(unroller_.at_time(system_.init, 0));
}

void SymbolicPath::extend(bool may_wait) {
  steps_.encode(depth_, pending_, may_wait);
  ++depth_;
}

bool SymbolicPath::narrow_to(Expr goal) {
  if (!bounds_) return true;
  if (!bounds_->goal_possible()) return false;
  const BackwardRanges back = bounds_->propagate_goal();
  if (!back.possible) return false;
  for (const BackwardRanges::Excluded& excluded : back.excluded) {
    const Expr selector = steps_.selector(excluded.depth, excluded.transition);
    if (!selector.valid()) continue;
    pending_.push_back(pool_.implies(goal, pool_.negate(selector)));
  }
  for (const BackwardRanges::Narrowed& narrowed : back.narrowed) {
    const Expr variable = unroller_.variable(narrowed.variable, narrowed.depth);
    for (Expr condition : steps_.in_range(variable, narrowed.range)) {
      pending_.push_back(pool_.implies(goal, condition));
    }
  }
  return true;
}

smt::CheckResult SymbolicPath::check_assuming(std::span<const Expr> assumptions) {
  for (Expr condition : pending_) solver_.require(condition);
  pending_.clear();
  return solver_.check_assuming(assumptions);
}

FlatTrace SymbolicPath::trace() {
  const ValueOf value_of = [&](Expr term) { return solver_.value(term); };
  std::vector<std::uint32_t> taken;
  for (std::uint64_t k = 0; k < depth_; ++k) {
    const std::optional<std::uint32_t> transition = steps_.taken(k, value_of);
    if (!transition) break;
    taken.push_back(*transition);
  }
  return read_trace(system_, taken, unroller_, depth_, value_of);
}

}  // namespace whittle
