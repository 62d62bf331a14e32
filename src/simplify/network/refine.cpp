// SPDX-License-Identifier: Apache-2.0
// The order: instances that stand apart may differ in what is constant, constants make conditions
// simpler, conditions that go free inputs, inputs that go make events alike, and events that are
// alike make locations alike.
#include "simplify/network/refine.h"

#include "simplify/network/constant_variables.h"
#include "simplify/network/equal_locations.h"
#include "simplify/network/free_inputs.h"
#include "simplify/network/implied_guards.h"
#include "simplify/network/separate_instances.h"

namespace whittle::simplify {

namespace {

// The question is about states that runs lead to, not about single guards or relations.
}  // namespace

std::optional<Transformed> refined(const std::shared_ptr<Network>& network, PropertyId property,
                                   const Refinements& which, Queries& queries,
                                   RefineCounts& counts) {
  if (!is_state_property(network->property(property).kind)) return std::nullopt;
  const std::uint64_t asked = queries.asked();
  std::shared_ptr<Network> now = network;
  auto back = std::make_shared<Chain>();
  auto take = [&](std::optional<Transformed> next) {
    if (!next) return;
    now = std::move(next->network);
    back->add(std::move(next->back));
  };
  if (which.instances) take(instances_separated(now, property, counts));
  if (which.constants) take(constants_propagated(now, property, counts));
  if (which.guards) take(implied_guards_removed(now, property, queries, counts));
  if (which.inputs) take(free_inputs_eliminated(now, property, queries, counts));
  if (which.merge) take(equal_locations_merged(now, property, counts));
  counts.queries += queries.asked() - asked;
  if (now == network) return std::nullopt;
  return Transformed{std::move(now), property, std::move(back)};
}

Expected<Trace, std::string> Chain::trace(const Trace& trace) const {
  Trace result = trace;
  for (auto part = parts_.rbegin(); part != parts_.rend(); ++part) {
    auto lifted = (*part)->trace(result);
    if (!lifted) return Unexpected{lifted.error()};
    result = std::move(*lifted);
  }
  return result;
}

Expr Chain::invariant(Expr invariant) const {
  for (auto part = parts_.rbegin(); part != parts_.rend(); ++part) {
    if (!invariant.valid()) break;
    invariant = (*part)->invariant(invariant);
  }
  return invariant;
}

}  // namespace whittle::simplify
