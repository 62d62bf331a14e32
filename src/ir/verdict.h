// SPDX-License-Identifier: Apache-2.0
// What is known about a property, with its witness, who found it and who checked it, as plain data:
// reports make the texts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/reason.h"
#include "ir/network.h"
#include "ir/property_kinds.h"
#include "ir/trace.h"
#include "ir/unreachable.h"

namespace whittle {

// Who checked a witness, and on what.
struct WitnessCheck {
  // What it was checked on: the network as parsed, or what slicing left of it.
  enum class On : std::uint8_t { Model, Slice };
  // What the check lacks: a solver that gave up.
  struct Gap {
    std::string solver;      // empty: none was asked
    std::string obligation;  // "consecution of step"; empty: the question itself
    Reason reason = {};
  };

  bool checked = false;
  std::vector<std::string> by = {};  // who agrees: "replay", "cvc5", "second search"
  On on = On::Model;
  std::optional<Gap> gap = {};   // checked: none
  bool by_option = false;        // unchecked, as an option asks
  std::string text_gap = {};     // why not all of the text was evaluated; empty: it was, or none is
  bool witness_omitted = false;  // the time was over before it could be written

  [[nodiscard]] static WitnessCheck by_whom(std::string who) { return {true, {std::move(who)}}; }
  [[nodiscard]] static WitnessCheck unchecked(Gap gap) {
    WitnessCheck check;
    check.gap = std::move(gap);
    return check;
  }
  // Nobody has looked at it.
  [[nodiscard]] bool missing() const { return !checked && by.empty() && !gap && !by_option; }
};

struct SliceStatistics {
  std::string mode;  // granularity that was used
  struct Count {
    std::uint64_t kept = 0, all = 0;
  };
  Count machines, locations, variables, transitions, effects, syncs;
  double seconds = 0;
};

// Not decided.
struct Undecided {
  Reason reason = {};
  std::optional<std::uint64_t> clear_to = {};  // no run of at most so many steps reaches the goal
  std::vector<std::string> next = {};          // what to do about it, for people
};

// An instance that never moves again after the trace, whatever happens.
struct StuckForever {
  InstanceId instance;
  Expr always = {};  // what is true from then on; invalid: it cannot be said
};

// A run that reaches the goal of the property.
struct TraceFound {
  std::optional<Trace> trace;  // on the network as parsed; none: it was left out of a report
  bool shortest = false;       // no trace has fewer steps
  std::optional<StuckForever> stuck = {};  // of a sinkhole, among several instances
};

// Of a sinkhole, among several instances: wherever one waits, something lets it go on.
struct AlwaysGoesOn {
  std::uint64_t continuations = 0;
};

// Of a property of temporal logic: an argument about the product of model and formula.
struct LiveProof {
  std::string kind;         // "invariant", ...
  std::string text = {};    // what it says, in the model's language; empty: it cannot be said
  std::string answer = {};  // the same as a sentence: "Accepting steps happen at most twice"
};

// No run reaches the goal.
struct NoTrace {
  using Why = std::variant<UpToBound, Inductive, AllStates, AllRunsShort, RangesSettled,
                           AlwaysGoesOn, LiveProof>;
  Why why;
  std::optional<std::uint64_t> bound = {};  // runs with more steps were not looked at
};

// Does the condition of a constraint follow from itself, without anything found in addition?
struct StandsAlone {
  bool inductive = false;
  std::string event = {};  // not inductive: which may break it elsewhere; empty: not known
};

// What a property of temporal logic was decided with.
struct LiveFacts {
  std::string property_class;                           // "safety", "guarantee", "general"
  std::uint64_t states = 0, edges = 0, acceptance = 0;  // of the automaton
  std::vector<std::string> fairness = {};               // "weak P[0]"
};

struct Verdict {
  PropertyKind asked = PropertyKind::Reach;
  std::variant<Undecided, TraceFound, NoTrace> found = {};
  std::string engine;  // who found it
  std::string solver;  // with which solver; empty: without one
  WitnessCheck witness;
  std::optional<LiveFacts> live = {};  // a property of temporal logic
  std::optional<StandsAlone> alone;    // a constraint that holds
  SliceStatistics slice;
  std::uint64_t solver_calls = 0;
  double seconds = 0;
  std::map<std::string, double> statistics;  // counters and timers by name

  // What the finding means for a property of this kind.
  [[nodiscard]] VerdictKind kind() const;
  [[nodiscard]] bool known() const { return undecided() == nullptr; }

  // Null, invalid or none: the finding is another one.
  [[nodiscard]] const Undecided* undecided() const { return std::get_if<Undecided>(&found); }
  [[nodiscard]] const TraceFound* trace_found() const { return std::get_if<TraceFound>(&found); }
  [[nodiscard]] const NoTrace* no_trace() const { return std::get_if<NoTrace>(&found); }
  [[nodiscard]] const Trace* trace() const;
  template <class Why>
  [[nodiscard]] const Why* because() const {
    return no_trace() != nullptr ? std::get_if<Why>(&no_trace()->why) : nullptr;
  }
  [[nodiscard]] Expr invariant() const;
  [[nodiscard]] std::optional<std::uint64_t> bound() const;
};

}  // namespace whittle
