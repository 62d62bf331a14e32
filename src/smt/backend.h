// SPDX-License-Identifier: Apache-2.0
// What a solver library must do for us, as little as possible; smt/session.h makes a Solver of it.
// Terms given here are plain (smt/elimination/expand.h).
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "smt/logic.h"
#include "smt/solver.h"

namespace whittle::smt {

// What a backend must be ready for; fixed when it is made.
struct Needs {
  Logic logic;
  bool assumptions = false;  // checks under assumptions, and cores of them
  unsigned seed = 0;
  std::optional<unsigned> memory_mb;
};

class Backend {
 public:
  virtual ~Backend() = default;

  [[nodiscard]] virtual bool covers(const Needs& needs) const = 0;
  virtual void push() = 0;
  virtual void pop(unsigned levels) = 0;
  virtual void add(Expr condition) = 0;  // may throw Unsupported, ResourceError
  virtual CheckResult check(std::span<const Expr> assumptions) = 0;
  // After Sat: the value of a variable, or of a function at these arguments. Throws NoValue.
  virtual Value value(SymbolId symbol, std::span<const Value> arguments) = 0;
  // After Unsat: positions in the last check's assumptions.
  virtual std::vector<std::size_t> core() = 0;
  // From any thread, any number of times; a running check ends soon.
  virtual void interrupt() = 0;
  [[nodiscard]] virtual std::map<std::string, double> statistics() const = 0;
};

using MakeBackend = std::unique_ptr<Backend> (*)(ExprPool&, const Needs&);

}  // namespace whittle::smt
