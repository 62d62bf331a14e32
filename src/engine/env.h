// SPDX-License-Identifier: Apache-2.0
// What an engine gets besides the question: options, solvers, limits, and where to leave figures,
// log lines and progress. There are no globals; whoever runs an engine makes one of these.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/deadline.h"
#include "base/log.h"
#include "base/option_set.h"
#include "base/progress.h"
#include "base/statistics.h"
#include "smt/solvers.h"

namespace whittle {

struct EngineResult;
struct TransitionSystem;
class Jobs;

struct Env {
  const OptionSet& options;
  smt::SolverFactory solvers;  // with the limits of the run
  Deadline deadline;
  CancelToken cancel;
  Statistics& statistics;
  Logger& log;
  ProgressListener& progress;
  std::string property;  // whose question it is, for progress
  Clock::time_point begun = Clock::now();
  // Why the witness of a result does not hold up on the model as it was written; empty: it does.
  // For engines that have somebody else to ask then; null: whoever called looks at it afterwards.
  std::function<std::optional<std::string>(const EngineResult&)> accept = nullptr;
  // The same question without any transformation, where one changed what a step is: for engines
  // that can do more with one relation than with its parts. Null: there is no other system.
  const TransitionSystem* as_parsed = nullptr;
  // Somebody else's answer is being confirmed: by the solver, not by what needs none.
  bool confirms = false;
  Jobs* jobs = nullptr;  // shared with other questions; null: there are none

  // Why to stop now; none: go on.
  [[nodiscard]] std::optional<Reason> stopped() const {
    if (cancel.cancelled()) return Reason{cancel.reason()};
    if (deadline.passed()) return Reason{Reason::Kind::Timeout};
    return std::nullopt;
  }
  void report_depth(std::string_view engine, std::uint64_t depth) const {
    progress.on_progress(
        {property, engine, depth, std::chrono::duration<double>(Clock::now() - begun).count()});
  }
};

}  // namespace whittle
