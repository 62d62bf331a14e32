// SPDX-License-Identifier: Apache-2.0
#include "driver/pipelines.h"

#include "driver/refine_stage.h"
#include "driver/slice_stage.h"

namespace whittle {

std::span<const Stage> check_pipeline() {
  static const std::vector<Stage> stages = {slice_stage(), refine_stage()};
  return stages;
}

TransformedQuestion::TransformedQuestion(std::shared_ptr<Network> network, PropertyId property,
                                         StageContext& context)
    : network_(std::move(network)), property_(property) {
  if (context.untouched) return;
  for (const Stage& stage : check_pipeline()) {
    std::optional<Transformed> result = stage.apply(network_, property_, context);
    if (!result) continue;
    context.log.debug("{}: {} machines, {} events left", stage.id,
                      result->network->machines().size(), result->network->events().size());
    network_ = std::move(result->network);
    property_ = result->property;
    back_.push_back(std::move(result->back));
  }
}

Expected<Trace, std::string> TransformedQuestion::trace(Trace trace) const {
  for (auto back = back_.rbegin(); back != back_.rend(); ++back) {
    auto lifted = (*back)->trace(trace);
    if (!lifted) return Unexpected{lifted.error()};
    trace = std::move(*lifted);
  }
  return trace;
}

Expr TransformedQuestion::invariant(Expr invariant) const {
  for (auto back = back_.rbegin(); back != back_.rend(); ++back) {
    if (!invariant.valid()) break;
    invariant = (*back)->invariant(invariant);
  }
  return invariant;
}

}  // namespace whittle
