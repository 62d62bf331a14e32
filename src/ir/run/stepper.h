// SPDX-License-Identifier: Apache-2.0
// Steps of a network taken in place, one after the other: what Interpreter, replay, the simulator
// and the explicit search are made of. The cost of a step depends on what takes part in it, not on
// the size of the state.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/expected.h"
#include "expr/evaluate.h"
#include "ir/run/occurrence.h"
#include "ir/run/repetition.h"
#include "ir/trace.h"

namespace whittle {

// Values worth trying for a variable or parameter of this type; none: cannot be enumerated.
using Candidates = std::function<std::optional<std::vector<Value>>(Type type, SymbolId symbol)>;

// Both values of Bool and all values of an Enum; nothing else.
[[nodiscard]] Candidates finite_candidates(const ExprPool& pool);

class Stepper {
 public:
  Stepper(const Network& network, UniverseId universe);
  ~Stepper();
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  [[nodiscard]] const Network& network() const;
  [[nodiscard]] const StateLayout& layout() const;
  // For next values that only a relation restricts; at first finite_candidates.
  void set_candidates(Candidates candidates);

  // Takes the step once and says true; or leaves the state as it is and says false.
  bool advance(State& state, const TraceStep& step);
  // After true: who took part (root first), and what changed.
  [[nodiscard]] const std::vector<Occurrence>& occurrences() const;
  [[nodiscard]] const std::vector<std::uint32_t>& changed_slots() const;
  [[nodiscard]] const std::vector<std::uint32_t>& moved() const;
  // After false: why.
  [[nodiscard]] Refusal refusal() const;

  // Is some step of this event with these arguments possible, root or not? Where it depends on
  // next values that have no candidates: ResourceError.
  bool enabled(const State& state, InstanceId instance, EventId event,
               const std::vector<Value>& arguments);
  // All steps of this event with these arguments, with choices among the candidates. Stops when
  // `visit` returns false; it may ask for occurrences() but not take steps here. Says whether there
  // was any step; if not, refusal() says why.
  bool each_step(const State& state, InstanceId instance, EventId event,
                 const std::vector<Value>& arguments,
                 const std::function<bool(const TraceStep&, const State&)>& visit);

  [[nodiscard]] Expected<Value, Undefined> evaluate(Expr condition, const State& state);
  [[nodiscard]] std::optional<std::string> initial_problem(const State& state);

  // Writes down what is evaluated from now on (repetition.h); null: no more.
  void observe(Observations* into);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace whittle
