// SPDX-License-Identifier: Apache-2.0
// The solver of an unrolled path. Where all numbers on the path are bounded it can be given their
// bits (number_bits.h); where that turns out not to be so, it goes on with the numbers themselves.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/path/number_bits.h"
#include "smt/solvers.h"

namespace whittle {

class PathSolver {
 public:
  PathSolver(ExprPool& pool, const smt::SolverFactory& solvers, bool bits);

  void require(Expr condition);
  // requires: the assumptions are Bool symbols
  smt::CheckResult check_assuming(std::span<const Expr> assumptions);
  // As for smt::Solver; of symbols and constants.
  [[nodiscard]] Value value(Expr term);
  [[nodiscard]] std::vector<Expr> unsat_core() { return solver_->unsat_core(); }

 private:
  void tell();
  void begin();

  ExprPool& pool_;
  const smt::SolverFactory& solvers_;
  std::optional<NumberBits> bits_;       // none: numbers
  std::vector<Expr> conditions_;         // all that was required
  std::size_t told_ = 0;                 // how many of them the solver knows
  std::unique_ptr<smt::Solver> solver_;  // made when it is known which theories the path needs
};

}  // namespace whittle
