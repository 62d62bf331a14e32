// SPDX-License-Identifier: Apache-2.0
// What an engine is: a procedure that takes a flat system and says whether its goal is reachable,
// with a witness in terms of that system. engines.cpp lists all of them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "expr/expr.h"
#include "ir/transition_system.h"

namespace whittle {

enum class Outcome : std::uint8_t {
  Reached,    // with a trace
  Unreached,  // with an invariant, or for a bounded question up to its bound
  Unknown,    // with a reason
};

struct EngineResult {
  Outcome outcome = Outcome::Unknown;
  std::optional<FlatTrace> trace;        // Reached
  Expr invariant;                        // Unreached for any number of steps: inductive, excludes the goal
  std::optional<std::uint64_t> clear_to; // no goal within so many steps (also when Unknown)
  std::string reason;                    // Unknown
  std::uint64_t solver_calls = 0;
  bool shortest = false;                 // the trace is a shortest one
};

}  // namespace whittle
