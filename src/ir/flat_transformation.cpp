// SPDX-License-Identifier: Apache-2.0
#include "ir/flat_transformation.h"

#include <algorithm>
#include <utility>

namespace whittle {

FlatPipeline::FlatPipeline(const TransitionSystem& system,
                           const std::vector<FlatTransformation>& stages)
    : original_(&system) {
  for (const FlatTransformation& stage : stages) apply(stage);
}

bool FlatPipeline::apply(const FlatTransformation& stage) {
  std::optional<FlatTransformed> next = stage(system());
  if (!next) return false;
  // Hints are beliefs: one that cannot be said of the result is none of its hints.
  std::vector<Expr> hints;
  for (const Expr hint : next->system.hints) {
    const Expr forward = next->back->forward(hint);
    if (forward.valid()) hints.push_back(forward);
  }
  next->system.hints = std::move(hints);
  // What lies between is needed for its inverse only.
  if (!stages_.empty()) stages_.back().system = {};
  stages_.push_back(std::move(*next));
  return true;
}

FlatPrecision FlatPipeline::precision() const {
  const bool exact = std::all_of(stages_.begin(), stages_.end(), [](const auto& stage) {
    return stage.precision == FlatPrecision::Exact;
  });
  return exact ? FlatPrecision::Exact : FlatPrecision::OverApproximates;
}

FlatSteps FlatPipeline::steps() const {
  const bool single = std::all_of(stages_.begin(), stages_.end(), [](const auto& stage) {
    return stage.steps == FlatSteps::OneToOne;
  });
  return single ? FlatSteps::OneToOne : FlatSteps::OneToMany;
}

Expected<FlatTrace, Reason> FlatPipeline::trace(const FlatTrace& trace) const {
  if (precision() != FlatPrecision::Exact) {
    return Unexpected{Reason{Reason::Kind::Incomplete, "a run of an over-approximation"}};
  }
  FlatTrace result = trace;
  for (auto stage = stages_.rbegin(); stage != stages_.rend(); ++stage) {
    auto before = stage->back->trace(result);
    if (!before) return before;
    result = std::move(*before);
  }
  return result;
}

Expr FlatPipeline::condition(Expr condition) const {
  for (auto stage = stages_.rbegin(); stage != stages_.rend() && condition.valid(); ++stage)
    condition = stage->back->condition(condition);
  return condition;
}

Expr FlatPipeline::forward(Expr condition) const {
  for (auto stage = stages_.begin(); stage != stages_.end() && condition.valid(); ++stage)
    condition = stage->back->forward(condition);
  return condition;
}

}  // namespace whittle
