// SPDX-License-Identifier: Apache-2.0
// What an engine gets besides the question: options, solvers, limits, and where to leave figures,
// log lines and progress. There are no globals; whoever runs an engine makes one of these.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <typeindex>
#include <utility>
#include <vector>

#include "base/deadline.h"
#include "base/log.h"
#include "base/options.h"
#include "base/progress.h"
#include "base/statistics.h"
#include "smt/solvers.h"

namespace whittle {

struct EngineResult;
struct TransitionSystem;
class Jobs;

// Groups of options by their type: `options.get<BmcOptions>().max_depth`. A group that nobody
// added has its defaults, so that tests and nested engines need not prepare anything.
class OptionSet {
 public:
  template <class Group>
  Group& add() {
    for (auto& [type, group] : groups_) {
      if (type == typeid(Group)) return static_cast<Group&>(*group);
    }
    groups_.emplace_back(typeid(Group), std::make_shared<Group>());
    return static_cast<Group&>(*groups_.back().second);
  }

  template <class Group>
  [[nodiscard]] const Group& get() const {
    for (const auto& [type, group] : groups_) {
      if (type == typeid(Group)) return static_cast<const Group&>(*group);
    }
    static const Group defaults;
    return defaults;
  }

  // In the order of adding, for the command line.
  [[nodiscard]] std::vector<OptionGroup*> groups() const {
    std::vector<OptionGroup*> result;
    for (const auto& entry : groups_) result.push_back(entry.second.get());
    return result;
  }

 private:
  std::vector<std::pair<std::type_index, std::shared_ptr<OptionGroup>>> groups_;
};

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
