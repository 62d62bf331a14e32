// SPDX-License-Identifier: Apache-2.0
// What happens to a network between loading and lowering, as a list of stages. A new
// transformation is one line in pipelines.cpp.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "base/log.h"
#include "engine/env.h"
#include "ir/transformation.h"
#include "ir/verdict.h"
#include "simplify/network/refine_counts.h"
#include "slice/slice.h"

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
};

[[nodiscard]] std::span<const Stage> check_pipeline();

// A network after all stages, with the way back through all of them.
class TransformedQuestion {
 public:
  TransformedQuestion(std::shared_ptr<Network> network, PropertyId property, StageContext& context);

  [[nodiscard]] Network& network() const { return *network_; }
  [[nodiscard]] const std::shared_ptr<Network>& shared_network() const { return network_; }
  [[nodiscard]] PropertyId property() const { return property_; }
  // In terms of the network as parsed; an error only after weak transformations.
  [[nodiscard]] Expected<Trace, std::string> trace(Trace trace) const;
  [[nodiscard]] Expr invariant(Expr invariant) const;

 private:
  std::shared_ptr<Network> network_;
  PropertyId property_;
  std::vector<std::shared_ptr<const BackTranslation>> back_;
};

}  // namespace whittle
