// SPDX-License-Identifier: Apache-2.0
// Runs as tests: a trace is followed by the interpreter on the network as parsed, taken on to where
// it ends, and everything that it covers is noted.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "driver/tests/goals.h"
#include "ir/run/stepper.h"
#include "report/test_suite.h"

namespace whittle::tests {

// Takes the steps at the end of a trace that need nobody: as long as exactly one is possible, of a
// program, that has no input. Says how the run ends then.
[[nodiscard]] SuiteTest::End complete(const Network& network, Trace& trace);

// The trace without the steps that were added to the network only to ask, and with the locations of
// the network as parsed.
[[nodiscard]] Trace without_probes(const Trace& trace, const Network& parsed);

// What the inputs from outside were, in the order in which the program asked for them.
[[nodiscard]] std::vector<Value> inputs_of(const Network& network, const Trace& trace);

// Which goals the run of a test covers, by their position. `asking` has the events that were added.
class Coverage {
 public:
  Coverage(const Network& parsed, const Network& asking, UniverseId universe,
           const std::vector<CoverageGoal>& goals);

  // The property of an error that the run ends with is put into `violates`.
  [[nodiscard]] std::set<std::size_t> of(const Trace& trace, std::string* violates);

 private:
  void note_state(const State& state, std::set<std::size_t>& covered);
  void note_step(const State& before, const TraceStep& step,
                 const std::vector<Occurrence>& occurrences, const State& after,
                 std::set<std::size_t>& covered);

  const Network& parsed_;
  UniverseId universe_;
  const std::vector<CoverageGoal>& goals_;
  StateLayout layout_;
  Stepper state_;   // of the network as parsed
  Stepper probes_;  // of the other one
  std::map<Way, std::set<std::size_t>> by_arc_;
  std::map<LocationId, std::set<std::size_t>> by_location_;
  std::vector<std::size_t> by_property_;
  std::map<LocationId, std::vector<std::pair<Way, std::size_t>>> by_probe_;
};

}  // namespace whittle::tests
