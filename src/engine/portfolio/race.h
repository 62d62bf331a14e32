// SPDX-License-Identifier: Apache-2.0
// Engines that race in worker processes: the first answer whose witness is accepted wins, and the
// others are ended.
#pragma once

#include <span>
#include <string>

#include "base/options.h"
#include "engine/engine.h"

namespace whittle {

struct AutoOptions : OptionGroup {
  AutoOptions() : OptionGroup("Racing engines") {}
  Option<unsigned> jobs{
      *this, "jobs|j", 0, {0, 256}, "processes that work at the same time; 0: one per processor"};
  Option<double> presolve{*this,
                          "auto-presolve",
                          0.16,
                          {0, 3600},
                          "seconds of processor time for presolving: quick engines one after the "
                          "other, before any process starts"};
};

struct Racer {
  const EngineInfo* engine = nullptr;
  smt::SolverId solver = smt::SolverId::Z3;
  // How long it runs before those who wait for a place have theirs; doubled each time.
  std::chrono::milliseconds turn{250};
  bool pinned = false;  // keeps a place that others do not get; takes turns with those who do, too
  bool as_parsed = false;  // decides Env::as_parsed
  [[nodiscard]] std::string name() const;
};

// Why the result does not hold up; empty: it does. By Env::accept where there is one.
[[nodiscard]] std::optional<std::string> witness_problem(const TransitionSystem& system,
                                                         const Env& env,
                                                         const EngineResult& result);

// As many at a time as there are places (Env::jobs), in turns, except pinned ones. A worker that
// crashes or is killed is started again, a few times; one that runs out of memory or whose witness
// is not accepted is not. Whoever follows takes the place. All of this is logged, and stated in the
// reason if nobody answers: then the result is Unknown, with the strongest thing known.
[[nodiscard]] EngineResult race(const TransitionSystem& system, Env& env,
                                std::span<const Racer> racers);

// Of two that know nothing, the one that has looked further.
void keep_better(EngineResult& best, EngineResult other);

}  // namespace whittle
