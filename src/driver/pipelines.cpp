// SPDX-License-Identifier: Apache-2.0
#include "driver/pipelines.h"

#include "driver/refine_stage.h"
#include "driver/slice_stage.h"
#include "ir/notation.h"
#include "ir/property_kinds.h"
#include "simplify/network/defined_variables.h"
#include "simplify/network/relation_steps.h"
#include "slice/bystanders.h"

namespace whittle {

namespace {

std::optional<Transformed> taken_apart(const std::shared_ptr<Network>& network, PropertyId property,
                                       const smt::SolverFactory* solvers) {
  if (!traits_of(*network).one_relation) return std::nullopt;
  return simplify::relations_taken_apart(network, property, solvers);
}

// No option: slicing and the engines do not read relations well.
Stage relation_stage() {
  return {"relations", nullptr,
          [](const std::shared_ptr<Network>& network, PropertyId property, StageContext& context) {
            return taken_apart(network, property, context.solvers);
          },
          true};
}

// Comes first: a relation shows best what every event preserves.
std::optional<Transformed> without_names(const std::shared_ptr<Network>& network,
                                         PropertyId property, StageContext& context) {
  if (*context.options.get<SlicingOptions>().granularity == slice::Granularity::Off)
    return std::nullopt;
  std::size_t count = 0;
  auto result = simplify::defined_variables_eliminated(network, property, count);
  if (context.statistics != nullptr)
    context.statistics->counter("slice.defined_variables") += count;
  if (context.record != nullptr && result) context.record->definitions = count;
  return result;
}

Stage definition_stage() { return {"definitions", nullptr, without_names}; }

// Of questions about infinite runs. What is shown keeps these machines: no text says `idle`.
std::optional<Transformed> alone(const std::shared_ptr<Network>& network, PropertyId property,
                                 StageContext& context) {
  const auto granularity = *context.options.get<SlicingOptions>().granularity;
  if (!std::holds_alternative<RunGoal>(network->property(property).goal) || context.exact_only ||
      context.record != nullptr ||
      (granularity != slice::Granularity::Fine && granularity != slice::Granularity::Amorphous))
    return std::nullopt;
  auto result = slice::without_bystanders(network, property);
  if (!result) return std::nullopt;
  if (context.statistics != nullptr)
    context.statistics->counter("slice.bystanders") +=
        network->machines().size() - result->network->machines().size();
  return result;
}

Stage bystander_stage() { return {"bystanders", nullptr, alone, false, true}; }

}  // namespace

std::span<const Stage> check_pipeline() {
  static const std::vector<Stage> stages = {definition_stage(), relation_stage(), slice_stage(),
                                            bystander_stage(), refine_stage()};
  return stages;
}

TransformedQuestion::TransformedQuestion(std::shared_ptr<Network> network, PropertyId property,
                                         StageContext& context)
    : network_(std::move(network)), property_(property) {
  const GoalKind goal = goal_of(network_->property(property_).kind);
  const bool live = goal == GoalKind::RunRefutes || goal == GoalKind::NeverAgain;
  for (const Stage& stage : check_pipeline()) {
    if (context.as_parsed || (context.untouched && !stage.always)) continue;
    if (live && !stage.always && !stage.live) continue;
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

std::vector<const StepMap*> TransformedQuestion::step_maps() const {
  std::vector<const StepMap*> result;
  for (const auto& back : back_)
    if (const StepMap* map = back->step_map()) result.push_back(map);
  return result;
}

Expr TransformedQuestion::invariant(Expr invariant) const {
  for (auto back = back_.rbegin(); back != back_.rend(); ++back) {
    if (!invariant.valid()) break;
    invariant = (*back)->invariant(invariant);
  }
  return invariant;
}

}  // namespace whittle
