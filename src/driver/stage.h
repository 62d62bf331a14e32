// SPDX-License-Identifier: Apache-2.0
// A stage of the pipeline: a transformation of networks with its options and limits.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "base/log.h"
#include "base/option_set.h"
#include "base/statistics.h"
#include "ir/transformation.h"
#include "ir/verdict.h"
#include "simplify/network/refine_counts.h"
#include "slice/slice.h"
#include "smt/solvers.h"

namespace whittle {

// What the stages did to a question, for commands that show it.
struct Preparation {
  std::shared_ptr<Network> sliced_from;  // as parsed, with relations taken apart
  slice::SliceResult slice;
  std::size_t definitions = 0;        // variables that were names for values of others, before that
  simplify::RefineCounts simplified;  // of the slice
  std::shared_ptr<Network> network;   // what is decided
  PropertyId property;

  [[nodiscard]] bool simpler() const { return definitions > 0 || simplified.any(); }
};

struct StageContext {
  const OptionSet& options;
  Logger& log;
  SliceStatistics& slice;  // for the stage that slices
  // Only transformations whose traces all lift: a trace of a weaker one did not.
  bool exact_only = false;
  // No transformation but those that are always there: an invariant of the result cannot be said
  // of the input.
  bool untouched = false;
  // For stages that ask a solver; null: they stay out.
  const smt::SolverFactory* solvers = nullptr;
  Statistics* statistics = nullptr;
  // Set: shortcuts of slices are exact, since what is shown has the answers of the model.
  Preparation* record = nullptr;
  bool as_parsed = false;  // no transformation at all
};

struct Stage {
  std::string_view id;
  void (*declare)(OptionSet& options) = nullptr;
  // Empty: the stage leaves the network as it is.
  std::optional<Transformed> (*apply)(const std::shared_ptr<Network>& network, PropertyId property,
                                      StageContext& context) = nullptr;
  bool always = false;  // keeps states as they are, so that every witness can be said of the input
  bool live = false;    // knows what questions about all of a run need (LTL, recovery)
};

}  // namespace whittle
