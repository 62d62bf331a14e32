// SPDX-License-Identifier: Apache-2.0
// The concrete meaning of a network, without any solver: exact arithmetic, every guard, effect and
// synchronisation evaluated. It judges traces, drives the simulator and, for small finite models,
// is the oracle for everything else.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/expected.h"
#include "expr/evaluate.h"
#include "ir/network.h"
#include "ir/run/occurrence.h"
#include "ir/trace.h"

namespace whittle {

struct StepResult {
  State state;                          // after the step
  std::vector<Occurrence> occurrences;  // root first, synchronised events below their callers
};

class Interpreter {
 public:
  Interpreter(const Network& network, UniverseId universe);
  ~Interpreter();

  [[nodiscard]] const StateLayout& layout() const;

  // Why the state is no start, if it is none.
  [[nodiscard]] std::optional<std::string> initial_problem(const State& state);
  // Takes the step once (`times` is the caller's business).
  [[nodiscard]] Expected<StepResult, Refusal> step(const State& state, const TraceStep& step);
  // Value of a condition over a state (properties, goals).
  [[nodiscard]] Expected<Value, Undefined> evaluate(Expr condition, const State& state);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// A trace after it was followed from its first state to its last.
struct ReplayedStep {
  std::vector<Occurrence> occurrences;       // of its last repetition
  std::vector<std::uint32_t> changed_slots;  // over all repetitions together
  std::vector<std::uint32_t> moved;          // positions of instances whose location changed
  State after;
};

struct Replay {
  State initial;
  std::vector<ReplayedStep> steps;
  [[nodiscard]] const State& final() const { return steps.empty() ? initial : steps.back().after; }
};

struct ReplayFailure {
  std::uint64_t step =
      0;  // 0: the initial state; else the number of the step (repetitions counted)
  std::string message;
};

// What a visitor sees of a step (all its repetitions together); good during the call only.
struct FollowedStep {
  const TraceStep& step;
  std::uint64_t number;  // of its last repetition, from 1
  const std::vector<Occurrence>& occurrences;
  std::vector<std::uint32_t> changed_slots;
  std::vector<std::uint32_t> moved;
  const State& after;
};
using StepVisitor = std::function<void(const FollowedStep&)>;

struct FollowedTrace {
  State final;
  std::uint64_t length = 0;
};

// Follows a trace from its first state to its last in one state that changes in place: millions of
// steps, no memory. The visitor may be empty.
[[nodiscard]] Expected<FollowedTrace, ReplayFailure> follow(const Network& network,
                                                            const Trace& trace,
                                                            const StepVisitor& visit = {});

// The same with a copy of every state, for traces that people look at.
// Linear in the length of the trace. Long repetitions keep only their last state.
[[nodiscard]] Expected<Replay, ReplayFailure> replay(const Network& network, const Trace& trace);

}  // namespace whittle
