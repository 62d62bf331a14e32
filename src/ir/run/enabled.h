// SPDX-License-Identifier: Apache-2.0
// What can happen in a state, and why the rest cannot: the simulator's question.
#pragma once

#include <optional>
#include <vector>

#include "ir/run/stepper.h"

namespace whittle {

// Values that are worth trying: all of Bool and Enum; of other types the constants that occur in
// the network with their neighbours, and the keys of the universe's instances. Not complete.
[[nodiscard]] Candidates suggested_candidates(const Network& network, UniverseId universe);

// All lists of values for these symbols, in order, from the candidates; at most `limit`.
struct Tuples {
  std::vector<std::vector<Value>> all;
  bool complete = true;  // false: cut at the limit, or a type without candidates
};
[[nodiscard]] Tuples tuples(const ExprPool& pool, const std::vector<SymbolId>& symbols,
                            const Candidates& candidates, std::size_t limit);

struct EventStatus {
  InstanceId instance;
  EventId event;
  std::vector<TraceStep> steps;    // what is possible with the candidates
  std::optional<Refusal> refusal;  // why nothing is, from one of the attempts
  bool complete = true;            // all candidates were tried
};

struct EnabledOptions {
  Candidates candidates;        // for parameters and open next values
  std::size_t tuples = 10'000;  // of arguments to try per event
  std::size_t steps = 1'000;    // to list per event
};

// Every root event of every instance, in the order of the universe and the machines.
[[nodiscard]] std::vector<EventStatus> event_statuses(Stepper& stepper, const State& state,
                                                      const EnabledOptions& options);

}  // namespace whittle
