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

namespace whittle {

struct StageContext {
  const OptionSet& options;
  Logger& log;
  SliceStatistics& slice;  // for the stage that slices
  // Only transformations whose traces all lift: a trace of a weaker one did not.
  bool exact_only = false;
  // No transformation at all: an invariant of the result cannot be said of the input.
  bool untouched = false;
  // For stages that ask a solver; null: they stay out.
  const smt::SolverFactory* solvers = nullptr;
  Statistics* statistics = nullptr;
};

struct Stage {
  std::string_view id;
  void (*declare)(OptionSet& options) = nullptr;
  // Empty: the stage leaves the network as it is.
  std::optional<Transformed> (*apply)(const std::shared_ptr<Network>& network, PropertyId property,
                                      StageContext& context) = nullptr;
};

[[nodiscard]] std::span<const Stage> check_pipeline();

// A network after all stages, with the way back through all of them.
class TransformedQuestion {
 public:
  TransformedQuestion(std::shared_ptr<Network> network, PropertyId property, StageContext& context);

  [[nodiscard]] Network& network() const { return *network_; }
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
