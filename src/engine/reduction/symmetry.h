// SPDX-License-Identifier: Apache-2.0
// Symmetry breaking: of runs that differ only in which of several alike instances does what, one is
// looked at. What and why stands in symmetry.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/path/step_encoding.h"
#include "engine/path/unroller.h"

namespace whittle {

class Symmetry {
 public:
  Symmetry(const TransitionSystem& system, Unroller& unroller, const StepEncoder& steps);

  // Adds who may take part in step k, encoded already.
  void encode(std::uint64_t k, std::vector<Expr>& out);

 private:
  // A member of a group that has another one after it.
  struct Turn {
    std::vector<std::uint32_t> own;    // transitions in which it takes part
    std::vector<std::uint32_t> after;  // in which the next member does, and it does not
    Expr had;                          // it has taken part; invalid: not yet
  };

  ExprPool& pool_;
  Unroller& unroller_;
  const StepEncoder& steps_;
  std::vector<Turn> turns_;
};

}  // namespace whittle
