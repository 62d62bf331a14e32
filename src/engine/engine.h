// SPDX-License-Identifier: Apache-2.0
// What an engine is: a procedure that takes a flat system and says whether its goal is reachable,
// with a witness in terms of that system. engines.h lists all of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/env.h"
#include "expr/expr.h"
#include "ir/transition_system.h"

namespace whittle {

enum class Outcome : std::uint8_t {
  Reached,    // with a trace
  Unreached,  // with an invariant, `longest_run` or `states`, or for a bounded question up to its
              // bound
  Unknown,    // with a reason
};

struct EngineResult {
  Outcome outcome = Outcome::Unknown;
  std::optional<FlatTrace> trace;  // Reached
  Expr invariant;  // Unreached for any number of steps: inductive, excludes the goal
  // The invariant is k-inductive for this k: it holds in the first k states of every run, and in
  // every state that follows on k states in which it holds.
  std::uint64_t induction = 1;
  std::optional<std::uint64_t> clear_to;     // no goal within so many steps (also when Unknown)
  std::optional<std::uint64_t> longest_run;  // no run of the system has more steps than this
  std::optional<std::uint64_t> states;       // Unreached: the system has so many, and all were seen
  std::string reason;                        // Unknown
  std::uint64_t solver_calls = 0;
  bool shortest = false;  // the trace is a shortest one
  std::string engine;     // who found it, where that is not the engine that was called
};

// A new engine is a file named as its id, whose last lines define one of these, and one line in
// engines.cpp. Help, documentation and the engine tests are made from the list.
struct EngineInfo {
  std::string_view id;                            // also the prefix of its options and statistics
  std::string_view summary;                       // one sentence
  std::string_view decides;                       // what it can answer, and when it answers unknown
  void (*declare)(OptionSet& options) = nullptr;  // adds its group of options; null: has none
  // requires: the system is well formed (ir). Does not throw on limits: they end in Unknown.
  EngineResult (*run)(const TransitionSystem& system, Env& env) = nullptr;
};

}  // namespace whittle
