// SPDX-License-Identifier: Apache-2.0
#include "driver/tests/asking.h"

#include <utility>

#include "base/checkpoint.h"
#include "driver/check_options.h"
#include "driver/decide_options.h"
#include "report/shown.h"
#include "report/verdict_text.h"

namespace whittle::tests {

Asking::Asking(std::string file, std::shared_ptr<Network> network, UniverseId universe,
               DecideContext& context)
    : file_(std::move(file)),
      network_(std::move(network)),
      universe_(universe),
      context_(context) {}

Property Asking::question(std::string name, PropertyKind kind, PropertyGoal goal) const {
  Property property;
  property.name = std::move(name);
  property.kind = kind;
  property.goal = std::move(goal);
  property.universe = universe_;
  property.demand = false;
  property.incomplete = network_->universe(universe_).incomplete;
  return property;
}

std::string Asking::proof_text(const PropertyResult& result) {
  if (result.verdict.invariant().valid())
    return "always " + ModelShown(*result.network, result.question().universe)
                           .condition(result.verdict.invariant());
  return reason(result);
}

Answer Asking::about(const std::shared_ptr<Network>& network, PropertyId property) {
  const double seconds = *context_.options.get<DecideOptions>().timeout;
  Deadline end = context_.deadline;
  if (seconds > 0)
    end = end.earlier(
        Deadline::after(std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000))));
  const CancelToken cancel = CancelToken::within(context_.cancel);
  const Grace grace = grace_of(context_.options);
  const Watchdog::Guard guard(context_.watchdog, end.plus(grace.process), cancel);
  const LimitScope scope(end.plus(grace.work), cancel);
  DecideContext inner{context_.options,  end,           cancel,          context_.log,
                      context_.progress, context_.jobs, context_.engine, context_.sources};
  Answer answer;
  try {
    const PropertyResult result = decide(file_, network, property, inner);
    if (const Trace* trace = result.verdict.trace()) {
      answer.trace = *trace;
    } else if (result.verdict.no_trace() != nullptr &&
               (!result.verdict.bound() || network->property(property).bound.max)) {
      answer.dead = true;
      answer.why = proof_text(result);
    } else {
      answer.why = reason(result);
    }
  } catch (const LimitReached& limit) {
    answer.why = to_string(limit.reason().kind);
  }
  return answer;
}

Answer Asking::taken(const Way& way, const std::string& name) {
  const PropertyId property = network_->add_property(
      question(name, PropertyKind::DeadTransition, ArcGoal{way.event, way.arc}));
  return about(network_, property);
}

// Any of the ways will do; a goal is dead if all of them are.
Answer Asking::about(const CoverageGoal& goal) {
  if (goal.property.valid()) return about(network_, goal.property);
  Answer last;
  last.dead = true;
  const auto note = [&](Answer answer) {
    if (answer.trace || !answer.dead || last.dead) last = std::move(answer);
    return last.trace.has_value();
  };
  for (const Way& way : goal.arcs)
    if (note(taken(way, goal.name))) return last;
  for (const Way& way : goal.probes)
    if (note(taken(way, goal.name))) return last;
  if (goal.locations.empty()) return last;
  std::vector<Expr> there;
  for (const LocationId location : goal.locations)
    for (const InstanceId instance :
         network_->instances_of(universe_, network_->location(location).machine))
      there.push_back(network_->pool().symbol(network_->at_instance(instance, location)));
  const PropertyId property = network_->add_property(
      question(goal.name, PropertyKind::Reach, StateGoal{network_->pool().disj(there)}));
  return about(network_, property);
}

}  // namespace whittle::tests
