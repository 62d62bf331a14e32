// SPDX-License-Identifier: Apache-2.0
// A walk through a model, step by step: what is possible, what happens, why something is not
// possible. The solver finds arguments, the interpreter takes the steps.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "ir/lowering/lower.h"
#include "ir/run/stepper.h"
#include "smt/solvers.h"

namespace whittle {

// The start conditions of a model exclude each other.
class NoFirstState : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Simulation {
 public:
  // In the universe of the property. Throws NoFirstState, and ResourceError where the solver finds
  // none.
  Simulation(std::shared_ptr<Network> network, PropertyId property, smt::SolverFactory solvers);

  struct Choice {
    InstanceId instance;
    EventId event;
    TraceStep step;  // with some arguments
  };
  // Every event that is possible now, with arguments that make it so.
  [[nodiscard]] std::vector<Choice> choices();
  using Arguments = std::map<std::size_t, Value>;     // by position
  using Values = std::map<std::string, std::string>;  // of variables, in the words of reports
  // The event with these arguments, others are found; empty: not possible. Where the step leaves
  // next values open and `after` is given, they are what that says, or stay as they are.
  [[nodiscard]] std::optional<Choice> find(InstanceId instance, EventId event,
                                           const Arguments& arguments,
                                           const Values* after = nullptr);
  // Why the event is not possible now with these arguments, in words; empty when it is.
  [[nodiscard]] std::string why_not(InstanceId instance, EventId event,
                                    const Arguments& arguments = {});
  // Begins anew in a first state with these values; false: there is none.
  bool restart(const Values& initial);

  // requires: the step is possible now
  void take(const TraceStep& step);
  bool undo();  // false: nothing to take back
  // What it would say of the formulas of this universe if the steps from this one on (the first is
  // 1) were repeated for ever; behind the last step: if the walk ended here. For people, a line
  // each.
  [[nodiscard]] std::vector<std::string> judged_loop(std::size_t from);
  // Takes a random possible step; false: there is none.
  bool random_step(std::mt19937_64& random);

  [[nodiscard]] const Network& network() const { return *network_; }
  [[nodiscard]] UniverseId universe() const { return universe_; }
  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] const Trace& trace() const { return trace_; }

  // For people.
  [[nodiscard]] std::string state_text() const;
  [[nodiscard]] std::string event_text(const Choice& choice) const;
  [[nodiscard]] std::string last_step_text() const;
  // The walk so far as commands of the simulator, one `do` per line.
  [[nodiscard]] std::string script() const;

  // `Account[1].open`, `withdraw` where only one instance has it; invalid ids: nothing or several.
  [[nodiscard]] std::vector<std::pair<InstanceId, EventId>> named(const std::string& name) const;

 private:
  // Without the one that stays where a run ends.
  [[nodiscard]] std::uint32_t transitions() const;
  [[nodiscard]] std::string script_arguments(const TraceStep& step) const;
  [[nodiscard]] std::string known_values(const std::vector<Value>& values,
                                         const std::vector<Value>& without) const;
  [[nodiscard]] std::string why_not_with(InstanceId instance, EventId event,
                                         const Arguments& arguments);
  std::optional<Choice> solve(std::uint32_t transition, const Arguments& arguments,
                              const Values* after);
  // False: there is none with these values.
  bool find_first_state(const Values& initial);
  // What is said about a variable of the flat system; null: nothing.
  [[nodiscard]] const std::string* said_of(std::uint32_t variable, const Values& values) const;

  std::shared_ptr<Network> network_;
  PropertyId property_;
  UniverseId universe_;
  smt::SolverFactory solvers_;
  Lowered lowered_;
  Stepper stepper_;
  State state_;
  Trace trace_;
  std::vector<State> before_;  // by step of the trace
};

// The walk so far, as reports write traces.
[[nodiscard]] nlohmann::ordered_json walked(const Simulation& simulation);

// The value that a text means for a type (numbers, true, false, names of an enumeration, text in
// quotes); empty: none.
[[nodiscard]] std::optional<Value> value_from(const ExprPool& pool, const std::string& text,
                                              Type type);

}  // namespace whittle
