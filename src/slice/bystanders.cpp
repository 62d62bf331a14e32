// SPDX-License-Identifier: Apache-2.0
#include "slice/bystanders.h"

#include <algorithm>
#include <utility>

#include "expr/traverse.h"
#include "ir/ltl.h"
#include "slice/build.h"
#include "slice/flow_graph.h"
#include "slice/machines.h"

namespace whittle::slice {

namespace {

bool counts_steps(const Network& network, PropertyId id) {
  const Property& property = network.property(id);
  const auto& asked = property.as<RunGoal>();
  if (property.bound.max) return true;
  for (const LtlFormula f : {asked.formula, asked.assumption}) {
    if (!f.valid()) continue;
    if (network.ltl().mentions(f, {LtlOp::Next})) return true;
    for (const Expr atom : network.ltl().atoms(f))
      for (const SymbolId s : symbols(network.pool(), atom)) {
        const RoleKind kind = network.role(s).kind;
        if (kind == RoleKind::InstanceTaken || kind == RoleKind::Halt) return true;
      }
  }
  return false;
}

// How many steps can follow from each location; UINT32_MAX: they may go on for ever.
std::vector<std::uint32_t> steps_left(const Network& network) {
  FlowGraph graph(network.locations().size());
  for (const Event& event : network.events())
    for (const Arc& arc : event.arcs) graph.connect(arc.from.index(), arc.to.index());
  return longest_before(graph, std::vector<char>(graph.size(), 0));
}

class WithoutBystanders final : public BackTranslation {
 public:
  WithoutBystanders(std::shared_ptr<const BackTranslation> of_others, StepMap map, EventId idle)
      : of_others_(std::move(of_others)), map_(std::move(map)), idle_(idle) {}

  Expected<Trace, std::string> trace(const Trace& trace) const override {
    const bool idles = std::any_of(trace.steps.begin(), trace.steps.end(), [&](const TraceStep& s) {
      return idle_.valid() && s.event == idle_;
    });
    if (idles || trace.loop == trace.steps.size())
      return Unexpected{std::string("machines that were left out may have to go on")};
    return of_others_->trace(trace);
  }
  Expr invariant(Expr invariant) const override { return of_others_->invariant(invariant); }
  [[nodiscard]] const StepMap* step_map() const override { return &map_; }

 private:
  std::shared_ptr<const BackTranslation> of_others_;
  StepMap map_;
  EventId idle_;  // invalid: none
};

EventId add_idle(Network& network) {
  const MachineId machine(0);
  std::string name = "idle";
  while (std::any_of(network.events().begin(), network.events().end(),
                     [&](const Event& e) { return e.name == name; }))
    name += "_";
  const EventId idle = network.add_event(std::move(name), machine, Span{});
  for (const LocationId l : network.machine(machine).locations)
    network.event(idle).arcs.push_back({l, l, Span{}});
  return idle;
}

}  // namespace

std::optional<Transformed> without_bystanders(const std::shared_ptr<Network>& network,
                                              PropertyId property) {
  if (counts_steps(*network, property)) return std::nullopt;
  const ControlFlow flow(*network);
  const InitConditions init(*network, network->property(property).universe);
  SliceResult result;
  result.kept = needed_machines(flow, init, property);
  const auto kept = std::count(result.kept.machines.begin(), result.kept.machines.end(), 1);
  if (kept == 0 || kept == std::ssize(result.kept.machines)) return std::nullopt;
  build(network, property, flow, init, {}, result);
  // Somebody has to be there for a step.
  const Network& others = *result.network;
  if (others.instances_of(others.property(result.property).universe, MachineId(0)).empty())
    return std::nullopt;
  StepMap map = *result.back->step_map();
  map.ranks = steps_left(*network);
  bool for_ever = false;
  for (std::uint32_t l = 0; l < map.ranks.size(); ++l) {
    const bool gone = !map.places[l].valid();
    for_ever = for_ever || (gone && map.ranks[l] == UINT32_MAX);
    if (!gone || map.ranks[l] == UINT32_MAX) map.ranks[l] = 0;
  }
  EventId idle;
  if (for_ever) {
    idle = add_idle(*result.network);
    map.events.emplace_back();
  }
  auto back = std::make_shared<WithoutBystanders>(result.back, std::move(map), idle);
  return Transformed{result.network, result.property, std::move(back)};
}

}  // namespace whittle::slice
