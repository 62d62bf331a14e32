// SPDX-License-Identifier: Apache-2.0
// What an engine can answer, and when it is worth asking: `auto` makes its schedule of these, and
// the test matrices their rows.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace whittle {

// All true statements are about answers that are not Unknown.
struct Capabilities {
  bool bounded = false;          // takes questions with a bound on steps
  bool clears_bounds = false;    // says of goals that they are unreachable within a bound
  bool unbounded = false;        // says of goals that they are unreachable in any number of steps
  bool traces = false;           // says of goals that they are reachable
  bool shortest = false;         // by a shortest trace
  bool proofs = false;           // what it says of any number of steps comes with an invariant
  bool live = false;             // decides questions about runs that go on for ever
  bool live_only = false;        // and no others
  bool strong_fairness = false;  // reads TransitionSystem::strong by itself
  bool concurrent_only = false;  // has something to offer only where several processes interleave
  bool counting_only = false;    // only where numbers are counted up or down
  bool needs_locations = false;  // only where a variable holds the location
};

// What is known of a question before any engine is asked.
struct QuestionProfile {
  bool bounded = false;
  bool concurrent = false;      // several variables hold locations
  bool counts_far = false;      // there are loops to accelerate, and large numbers
  bool live = false;            // about runs that go on for ever
  bool as_parsed = false;       // there is the system before a relation was split, too (Env)
  std::size_t transitions = 0;  // of the system

  // A large system: most methods cost more than a moment before they say anything.
  static constexpr std::size_t kLarge = 200;
  [[nodiscard]] bool large() const { return transitions >= kLarge; }
};

// A time before the race in which only this engine works.
struct PresolveSlot {
  int rank = 0;      // the order among engines, lowest first
  double share = 0;  // of --auto-presolve
};

// Shares of --auto-presolve in large systems are for so many transitions.
constexpr double kTransitionsPerShare = 100;

// A place in the race.
struct RaceSlot {
  int rank = 0;
  // How long it runs before those who wait for a place have theirs; doubled each time.
  std::chrono::milliseconds turn{250};
  bool pinned = false;        // keeps a place that others do not get
  bool as_parsed = false;     // decides Env::as_parsed
  bool other_solver = false;  // not the one that the user chose
};

// Null, nothing, empty: not then.
struct ScheduleHint {
  std::optional<PresolveSlot> (*presolve)(const QuestionProfile& question) = nullptr;
  std::vector<RaceSlot> (*race)(const QuestionProfile& question) = nullptr;
  double shorten = 0;  // of the time for making a trace shortest; least first, 0: does not
};

// Whether the engine can have something to say about the question.
[[nodiscard]] constexpr bool suits(const Capabilities& engine, const QuestionProfile& question) {
  if (question.live ? !engine.live : engine.live_only) return false;
  if (engine.concurrent_only && !question.concurrent) return false;
  return question.bounded ? engine.bounded : engine.unbounded || engine.traces;
}

}  // namespace whittle
