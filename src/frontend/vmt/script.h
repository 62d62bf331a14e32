// SPDX-License-Identifier: Apache-2.0
// The commands of a file, and what their annotations say: a symbolic transition system as one
// formula for the first states, one for the steps, and properties.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "expr/expr.h"
#include "expr/expr_map.h"
#include "frontend/symbol_index.h"
#include "frontend/vmt/sexpr.h"
#include "frontend/vmt/temporal.h"
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

struct LiveProperty {
  enum class Kind : std::uint8_t { Live, Formula };
  Kind kind = Kind::Live;
  std::string index;        // :live-property index
  std::vector<Expr> terms;  // Live: from some step on one of them holds for ever
  Span span;
  std::string name;
  std::string text;  // as written
  std::optional<Expectation> expected = {};
};

struct Script {
  std::shared_ptr<ExprPool> pool;
  std::vector<Constant> constants;
  std::vector<NextPair> nexts;
  std::vector<Formula> inits;        // all of them hold in the first states
  std::vector<Formula> transitions;  // all of them hold in a step
  std::vector<Formula> invariants;
  std::vector<LiveProperty> live;
  std::vector<bool> order;  // of the properties: is the next one of `live`?
  std::optional<TemporalOperators> temporal;
  ExprMap<Span> places;  // of Boolean terms, where they first stand
};

// What is wrong is reported and left out.
[[nodiscard]] Script read_script(const SexprTree& tree, Diagnostics& diagnostics,
                                 SymbolIndex& symbols);

}  // namespace whittle::vmt
