// SPDX-License-Identifier: Apache-2.0
// How a Z3 solver is asked, by logic: incrementally, by several procedures in turns, or, for bits,
// incrementally as long as that is easy.
#pragma once

#include <memory>
#include <span>

#include "smt/z3/solver.h"

namespace whittle::smt {

class CheckStrategy {
 public:
  virtual ~CheckStrategy() = default;
  virtual CheckResult check(std::span<const Z3_ast> literals) = 0;
};

[[nodiscard]] std::unique_ptr<CheckStrategy> check_strategy(Z3Solver& solver, const Logic& logic);

}  // namespace whittle::smt
