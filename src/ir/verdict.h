// SPDX-License-Identifier: Apache-2.0
// What is known about a property, with its witness, as plain data.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/reason.h"
#include "ir/network.h"
#include "ir/trace.h"

namespace whittle {

enum class VerdictKind : std::uint8_t { Reachable, Unreachable, Holds, Violated, Unknown };

[[nodiscard]] std::string_view to_string(VerdictKind kind);

struct WitnessCheck {
  bool checked = false;
  std::string by;  // "replay", "cvc5", "z3"; or why not: "unchecked by the second solver"
  // What it was checked on: the network as parsed, or what slicing left of it.
  enum class On : std::uint8_t { Model, Slice } on = On::Model;
};

// "checked", "checked on the slice", "unchecked".
[[nodiscard]] std::string_view status(const WitnessCheck& check);

struct SliceStatistics {
  std::string mode;  // granularity that was used
  struct Count {
    std::uint64_t kept = 0, all = 0;
  };
  Count machines, locations, variables, transitions, effects, syncs;
  double seconds = 0;
};

struct Verdict {
  VerdictKind kind = VerdictKind::Unknown;
  std::optional<std::uint64_t> bound;        // holds up to so many steps only
  std::optional<Trace> trace;                // on the network as parsed
  bool shortest = false;                     // no trace has fewer steps
  Expr invariant;                            // over the network as parsed; invalid: none
  std::uint64_t induction = 1;               // the invariant is k-inductive for this k
  std::string reason;                        // Unknown: why, and the strongest thing known
  std::optional<Reason::Kind> unknown = {};  // Unknown: the kind of the reason
  std::vector<std::string> next = {};        // Unknown: what to do about it, for people
  std::string engine;                        // who found it
  std::string solver;                        // with which solver; empty: without one
  WitnessCheck witness;
  SliceStatistics slice;
  std::uint64_t solver_calls = 0;
  double seconds = 0;
  std::map<std::string, double> statistics;  // counters and timers by name
};

}  // namespace whittle
