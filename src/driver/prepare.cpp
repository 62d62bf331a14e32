// SPDX-License-Identifier: Apache-2.0
#include "driver/prepare.h"

#include "driver/hints.h"
#include "ir/property_kinds.h"
#include "simplify/flat/control_locations.h"
#include "slice/kept.h"
#include "smt/elimination/quantifier_elimination.h"

namespace whittle {

namespace {

// What every question goes through once it is flat.
std::vector<FlatTransformation> flat_stages() { return {simplify::find_control_locations}; }

}  // namespace

Prepared::Prepared(std::shared_ptr<Network> network, PropertyId property, Pipeline pipeline,
                   const PrepareContext& context)
    : network_(std::move(network)), property_(property), pipeline_(pipeline) {
  slice_ = slice::whole_statistics(*network_);
  slice_.mode = slice::to_string(slice::Granularity::Off);
  StageContext stages{context.options,
                      context.log,
                      slice_,
                      pipeline != Pipeline::All,
                      pipeline == Pipeline::Nothing,
                      &context.solvers,
                      &context.statistics,
                      nullptr,
                      pipeline == Pipeline::AsParsed};
  transformed_.emplace(network_, property_, stages);
  Network& left = transformed_->network();
  lowered_ = lowered_as_parsed(left, transformed_->property(), context.solvers.settings().limits);
  lowered_.system.hints =
      hints_for(*network_, question().universe, context.hints, left,
                left.property(transformed_->property()).universe, *lowered_.back);
  context.log.debug("{}: {} flat variables, {} flat transitions", question().name,
                    lowered_.system.variables.size(), lowered_.system.transitions.size());
  if (goal_of(question().kind) == GoalKind::RunRefutes) {
    live_ = live_question(left, transformed_->property(), lowered_, context.prefixes);
    product_ = live_product(lowered_.system, live_->formula, at_step(lowered_));
    context.log.debug("{}: an automaton with {} states, {} transitions of the product",
                      question().name, live_->formula.automaton.size(),
                      product_->system.transitions.size());
  }
  flat_.emplace(product_ ? product_->system : lowered_.system, flat_stages());
}

Expected<Trace, std::string> Prepared::trace(const FlatTrace& trace) const {
  auto lowered = flat_->trace(trace);
  if (lowered && product_) lowered = product_->back->trace(*lowered);
  if (!lowered) return Unexpected{lowered.error().text()};
  return transformed_->trace(lowered_.back->trace(*lowered));
}

Expr Prepared::invariant(Expr invariant) const {
  Expr of_lowered = flat_->condition(invariant);
  if (of_lowered.valid() && product_) of_lowered = product_->back->condition(of_lowered);
  if (!of_lowered.valid()) return {};
  return transformed_->invariant(lowered_.back->condition(of_lowered));
}

Preparation prepared_to_show(const std::shared_ptr<Network>& network, PropertyId property,
                             const OptionSet& options, Logger& log, const CancelToken& cancel) {
  smt::SolverFactory::Settings settings;
  settings.limits.cancel = cancel;
  const smt::SolverFactory solvers(settings);
  Preparation result;
  SliceStatistics statistics;
  StageContext stages{options, log, statistics, false, false, &solvers, nullptr, &result};
  const TransformedQuestion transformed(network, property, stages);
  result.network = transformed.shared_network();
  result.property = transformed.property();
  return result;
}

Lowered lowered_as_parsed(Network& network, PropertyId property, const smt::Limits& limits) {
  LowerOptions options;
  options.eliminate = smt::elimination(network.pool(), limits);
  return lower(network, property, options);
}

}  // namespace whittle
