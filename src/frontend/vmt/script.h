// SPDX-License-Identifier: Apache-2.0
// The commands of a file, and what their annotations say: a symbolic transition system as one
// formula for the first states, one for the steps, and properties.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "expr/expr.h"
#include "expr/expr_map.h"
#include "frontend/symbol_index.h"
#include "frontend/vmt/sexpr.h"
#include "ir/expectation.h"

namespace whittle::vmt {

struct Constant {  // declare-fun without arguments, declare-const
  SymbolId symbol;
  Span span;
};

struct NextPair {  // (! current :next next)
  SymbolId current;
  SymbolId next;
  Span span;
};

struct Formula {
  Expr term;
  Span span;
  std::string name;  // of a property
  std::optional<Expectation> expected = {};
};

struct Script {
  std::shared_ptr<ExprPool> pool;
  std::vector<Constant> constants;
  std::vector<NextPair> nexts;
  std::vector<Formula> inits;        // all of them hold in the first states
  std::vector<Formula> transitions;  // all of them hold in a step
  std::vector<Formula> invariants;
  ExprMap<Span> places;  // of Boolean terms, where they first stand
};

// What is wrong is reported and left out.
[[nodiscard]] Script read_script(const SexprTree& tree, Diagnostics& diagnostics,
                                 SymbolIndex& symbols);

}  // namespace whittle::vmt
