// SPDX-License-Identifier: Apache-2.0
// The path of a bounded search as formulas: the first states, and one step after the other, told to
// one solver, which keeps what it learns about the path.
//
//   init(s@0)  and  T(s@0, s@1)  and ... and  T(s@k-1, s@k)
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "absint/interval/depth_bounds.h"
#include "engine/path/path_solver.h"
#include "engine/path/step_encoding.h"
#include "engine/path/unroller.h"

namespace whittle {

class SymbolicPath {
 public:
  struct Settings {
    StepEncoding encoding;
    bool ranges;  // of values by depth leave out what is impossible; all runs move at every step
    bool bits;    // of numbers whose ranges are known
  };
  SymbolicPath(const TransitionSystem& system, const smt::SolverFactory& solvers,
               const Settings& settings);

  // Known first values are put in.
  void require_init();
  // One step more. `may_wait`: or none, and then none follows.
  void extend(bool may_wait = false);
  [[nodiscard]] std::uint64_t depth() const { return depth_; }
  [[nodiscard]] Expr goal() { return unroller_.at_time(system_.goal.condition, depth_); }

  // False: ranges of values exclude the goal at this depth. Otherwise `goal` implies what they say
  // about the steps before.
  [[nodiscard]] bool narrow_to(Expr goal);
  // Null: not wanted.
  [[nodiscard]] DepthBounds* bounds() { return bounds_.get(); }

  [[nodiscard]] Unroller& unroller() { return unroller_; }
  [[nodiscard]] StepEncoder& steps() { return steps_; }
  // Further conditions are added here; the solver gets them with the next check.
  [[nodiscard]] std::vector<Expr>& pending() { return pending_; }
  // requires: the assumptions are Bool symbols
  smt::CheckResult check_assuming(std::span<const Expr> assumptions);
  [[nodiscard]] std::vector<Expr> unsat_core() { return solver_.unsat_core(); }
  // After Sat. Throws smt::NoValue.
  [[nodiscard]] FlatTrace trace();

 private:
  const TransitionSystem& system_;
  ExprPool& pool_;
  Unroller unroller_;
  std::unique_ptr<DepthBounds> bounds_;  // null: not wanted
  StepEncoder steps_;
  std::vector<Expr> pending_;  // required, but not told to the solver yet
  PathSolver solver_;
  std::uint64_t depth_ = 0;  // steps that are encoded
};

}  // namespace whittle
