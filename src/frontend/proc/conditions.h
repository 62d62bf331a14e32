// SPDX-License-Identifier: Apache-2.0
// Conditions of a program that contradict themselves. Those of a family of processes have a meaning
// for each process, and `turn == 0 && turn == me` is only wrong if it is so for all.
#pragma once

#include <map>

#include "base/diagnostics.h"
#include "expr/expr.h"
#include "frontend/expression/syntax_tree.h"

namespace whittle::proc {

class Conditions {
 public:
  explicit Conditions(const ExprPool& pool) : pool_(pool) {}

  // What the condition means for one process.
  void add(frontend::SyntaxId id, Expr condition);
  void warn(const frontend::SyntaxTree& tree, Diagnostics& diagnostics) const;

 private:
  struct Use {
    bool possible = false;       // for some process
    bool contradictory = false;  // for some process, and not just the constant `false`
  };
  const ExprPool& pool_;
  std::map<frontend::SyntaxId, Use> uses_;
};

}  // namespace whittle::proc
