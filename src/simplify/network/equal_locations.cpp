// SPDX-License-Identifier: Apache-2.0
// Partition refinement: locations that no condition tells apart begin in one block, and a block is
// split while some event leads from two of its locations to different blocks. Events that only
// happen by themselves count by what they do, not by their names; an event that others synchronise
// with is itself.
#include "simplify/network/equal_locations.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>

#include "expr/evaluate.h"
#include "expr/traverse.h"
#include "ir/run/stepper.h"
#include "simplify/network/carry_over.h"

namespace whittle::simplify {

namespace {

// Arcs looked at, and passes over them, per machine before it is left as it is: a long chain splits
// one location at a time, and nothing of it can be merged in the end.
constexpr std::size_t kMaxWork = 2'000'000;
constexpr std::size_t kMaxPasses = 40;

// By event: equal numbers do the same. Events of different machines differ.
std::vector<std::uint32_t> labels_of(const Network& network) {
  ExprPool& pool = network.pool();
  const std::vector<char> called = called_events(network);
  std::vector<std::uint32_t> labels(network.events().size());
  std::map<std::vector<std::uint32_t>, std::uint32_t> known;
  // Parameters are compared by position and type.
  std::map<std::pair<std::uint32_t, std::size_t>, Expr> places;
  for (std::uint32_t e = 0; e < labels.size(); ++e) {
    labels[e] = e;
    const Event& event = network.events()[e];
    if (called[e] || !event.root) continue;
    Substitution placed(pool);
    std::vector<std::uint32_t> key{event.machine.index(),
                                   static_cast<std::uint32_t>(event.parameters.size())};
    for (std::size_t p = 0; p < event.parameters.size(); ++p) {
      const Type type = event.parameters[p].type;
      auto [place, fresh] = places.try_emplace({type.id(), p});
      if (fresh) place->second = pool.symbol(pool.declare("place", type));
      placed.set(event.parameters[p].symbol, place->second);
      key.push_back(type.id());
    }
    auto add = [&](Expr term) { key.push_back(term.valid() ? placed(term).id() : UINT32_MAX); };
    std::set<std::uint32_t> guards;
    for (const Guard& g : event.guards) guards.insert(placed(g.condition).id());
    key.push_back(static_cast<std::uint32_t>(guards.size()));
    key.insert(key.end(), guards.begin(), guards.end());
    key.push_back(static_cast<std::uint32_t>(event.effects.size()));
    for (const Effect& f : event.effects) {
      key.push_back(static_cast<std::uint32_t>(f.kind));
      key.push_back(static_cast<std::uint32_t>(f.writes.size()));
      for (VariableId v : f.writes) key.push_back(v.index());
      add(f.expr);
    }
    for (const Sync& s : event.syncs) {
      key.push_back(s.event.index() * 2 + (s.negated ? 1 : 0));
      add(s.key);
      for (Expr argument : s.arguments) add(argument);
    }
    labels[e] = known.try_emplace(std::move(key), e).first->second;
  }
  return labels;
}

// By location: some condition asks whether a machine is there.
std::vector<char> observed_locations(const Network& network, PropertyId property) {
  std::vector<Expr> terms;
  auto add = [&](Expr e) {
    if (e.valid()) terms.push_back(e);
  };
  for (const Event& event : network.events()) {
    for (const Guard& g : event.guards) add(g.condition);
    for (const Effect& f : event.effects) add(f.expr);
    for (const Sync& s : event.syncs) {
      add(s.key);
      for (Expr argument : s.arguments) add(argument);
    }
  }
  for (const Machine& machine : network.machines())
    for (const Start& start : machine.starts) add(start.condition);
  for (const Variable& v : network.variables()) add(v.initial);
  for (Expr condition : network.universe(network.property(property).universe).init) add(condition);
  add(network.property(property).condition());
  std::vector<char> observed(network.locations().size(), 0);
  for (SymbolId s : symbols(network.pool(), terms)) {
    const Role role = network.role(s);
    switch (role.kind) {
      case RoleKind::At:
      case RoleKind::AtNext:
      case RoleKind::RemoteAt:
      case RoleKind::RemoteAtNext:
      case RoleKind::InstanceAt:
        observed[role.id] = 1;
        break;
      default:
        break;
    }
  }
  return observed;
}

// A location of each block, by location.
std::vector<LocationId> representatives(const Network& network, PropertyId property,
                                        const std::vector<std::uint32_t>& labels) {
  std::vector<LocationId> result;
  for (std::uint32_t l = 0; l < network.locations().size(); ++l) result.emplace_back(l);
  const std::vector<char> observed = observed_locations(network, property);
  std::vector<std::uint32_t> block(network.locations().size(), 0);
  std::vector<std::vector<std::pair<std::uint32_t, LocationId>>> leaving(block.size());
  for (std::uint32_t e = 0; e < network.events().size(); ++e)
    for (const Arc& a : network.events()[e].arcs)
      leaving[a.from.index()].emplace_back(labels[e], a.to);
  for (const Machine& machine : network.machines()) {
    if (machine.locations.size() < 2) continue;
    std::size_t arcs = 0;
    std::map<std::uint32_t, std::uint32_t> first;
    for (LocationId l : machine.locations) {
      const Location& location = network.location(l);
      const std::uint32_t kind = observed[l.index()]
                                     ? 4 + l.index()
                                     : (location.final ? 1U : 0U) + (location.error ? 2U : 0U);
      block[l.index()] =
          first.try_emplace(kind, static_cast<std::uint32_t>(first.size())).first->second;
      arcs += leaving[l.index()].size() + 1;
    }
    std::size_t blocks = first.size();
    bool stable = false;
    const std::size_t most = std::min(kMaxWork, kMaxPasses * arcs);
    for (std::size_t work = 0; !stable && work < most; work += arcs) {
      std::map<std::vector<std::uint32_t>, std::uint32_t> split;
      std::vector<std::uint32_t> next;
      for (LocationId l : machine.locations) {
        std::set<std::pair<std::uint32_t, std::uint32_t>> moves;
        for (const auto& [label, to] : leaving[l.index()]) moves.emplace(label, block[to.index()]);
        std::vector<std::uint32_t> key{block[l.index()]};
        for (const auto& [label, to] : moves) {
          key.push_back(label);
          key.push_back(to);
        }
        next.push_back(split.try_emplace(std::move(key), static_cast<std::uint32_t>(split.size()))
                           .first->second);
      }
      stable = split.size() == blocks;
      blocks = split.size();
      for (std::size_t i = 0; i < next.size(); ++i) block[machine.locations[i].index()] = next[i];
    }
    if (!stable) continue;
    std::vector<LocationId> of_block(blocks);
    for (LocationId l : machine.locations) {
      LocationId& r = of_block[block[l.index()]];
      if (!r.valid()) r = l;
      result[l.index()] = r;
    }
  }
  return result;
}

// Follows the trace in the original: the location of each instance, and by which event.
class MergeBackTranslation final : public BackTranslation {
 public:
  MergeBackTranslation(std::shared_ptr<Network> original, std::shared_ptr<Network> result,
                       std::vector<LocationId> representative,
                       const std::vector<std::uint32_t>& labels)
      : original_(std::move(original)),
        result_(std::move(result)),
        representative_(std::move(representative)),
        labels_(labels) {
    for (std::uint32_t e = 0; e < labels_.size(); ++e) alike_[labels_[e]].emplace_back(e);
  }

  Expected<Trace, std::string> trace(const Trace& trace) const override;

  Expr invariant(Expr invariant) const override {
    ExprPool& pool = original_->pool();
    Rewriter rename(pool, [&](Expr e, std::span<const Expr>) -> Expr {
      if (!pool.is_variable(e)) return Expr();
      const Role role = result_->role(pool.symbol_of(e));
      if (role.kind == RoleKind::InstanceCurrent)
        return pool.symbol(original_->of_instance(role.instance, VariableId(role.id)));
      if (role.kind != RoleKind::InstanceAt) return Expr();
      std::vector<Expr> places;
      const MachineId machine = original_->location(LocationId(role.id)).machine;
      for (LocationId l : original_->machine(machine).locations)
        if (representative_[l.index()] == LocationId(role.id))
          places.push_back(pool.symbol(original_->at_instance(role.instance, l)));
      return pool.disj(places);
    });
    return rename(invariant);
  }

 private:
  [[nodiscard]] bool start_anew(State& state, const StateLayout& layout) const;

  std::shared_ptr<Network> original_, result_;
  std::vector<LocationId> representative_;
  std::vector<std::uint32_t> labels_;
  std::unordered_map<std::uint32_t, std::vector<EventId>> alike_;  // by label
};

// The start that stands for the one in the result.
bool MergeBackTranslation::start_anew(State& state, const StateLayout& layout) const {
  Evaluator evaluate(original_->pool());
  for (std::size_t i = 0; i < layout.instance_count(); ++i) {
    const InstanceId instance = layout.instance(i);
    const Evaluator::Lookup lookup = [&](SymbolId s,
                                         std::span<const Value>) -> std::optional<Value> {
      const Role role = original_->role(s);
      if (role.kind == RoleKind::Current)
        return state.values[layout.slot_at(i, VariableId(role.id))];
      return std::nullopt;
    };
    bool found = false;
    for (const Start& start : original_->machine(original_->instance(instance).machine).starts) {
      if (representative_[start.location.index()] != state.locations[i]) continue;
      if (start.condition.valid()) {
        auto holds = evaluate(start.condition, lookup);
        if (!holds || !holds->as_bool()) continue;
      }
      state.locations[i] = start.location;
      found = true;
      break;
    }
    if (!found) return false;
  }
  return true;
}

Expected<Trace, std::string> MergeBackTranslation::trace(const Trace& trace) const {
  Stepper stepper(*result_, trace.universe);
  const StateLayout& layout = stepper.layout();
  State state = trace.initial;
  Trace result;
  result.universe = trace.universe;
  result.initial = trace.initial;
  if (!start_anew(result.initial, layout))
    return Unexpected{std::string("no start fits a merged one")};
  std::vector<LocationId> at = result.initial.locations;
  for (const TraceStep& step : trace.steps) {
    for (std::uint64_t i = 0; i < step.times; ++i) {
      if (!stepper.advance(state, step))
        return Unexpected{std::string("a step between merged locations is refused")};
      TraceStep next = step;
      next.times = 1;
      next.targets.clear();
      std::set<InstanceId> moved;
      for (const Occurrence& o : stepper.occurrences()) {
        if (!moved.insert(o.instance).second) continue;
        const std::size_t place = layout.position(o.instance);
        const LocationId target = state.locations[place];
        const std::vector<EventId> itself{o.event};
        const std::vector<EventId>& events =
            o.depth == 0 ? alike_.at(labels_[o.event.index()]) : itself;
        bool found = false;
        for (EventId e : events) {
          for (const Arc& a : original_->event(e).arcs) {
            if (found || a.from != at[place] || representative_[a.to.index()] != target) continue;
            if (o.depth == 0) next.event = e;
            next.targets.emplace_back(o.instance, a.to);
            at[place] = a.to;
            found = true;
          }
          if (found) break;
        }
        if (!found) return Unexpected{std::string("a merged location has lost a step")};
      }
      append(result, std::move(next));
    }
  }
  return result;
}

}  // namespace

std::optional<Transformed> equal_locations_merged(const std::shared_ptr<Network>& network,
                                                  PropertyId property, RefineCounts& counts) {
  const std::vector<std::uint32_t> labels = labels_of(*network);
  const std::vector<LocationId> representative = representatives(*network, property, labels);
  std::uint64_t merged = 0;
  for (std::uint32_t l = 0; l < representative.size(); ++l)
    merged += representative[l] != LocationId(l) ? 1U : 0U;
  // The arcs that stay; one per label, source and target.
  std::vector<std::vector<Arc>> arcs(network->events().size());
  std::uint64_t gone = 0;
  std::set<std::array<std::uint32_t, 3>> seen;
  for (std::uint32_t e = 0; e < arcs.size(); ++e) {
    for (Arc a : network->events()[e].arcs) {
      a.from = representative[a.from.index()];
      a.to = representative[a.to.index()];
      if (seen.insert({labels[e], a.from.index(), a.to.index()}).second)
        arcs[e].push_back(a);
      else
        ++gone;
    }
  }
  if (merged == 0 && gone == 0) return std::nullopt;
  auto result = std::make_shared<Network>(*network);
  for (std::uint32_t e = 0; e < arcs.size(); ++e)
    result->event(EventId(e)).arcs = std::move(arcs[e]);
  for (std::uint32_t m = 0; m < result->machines().size(); ++m)
    for (Start& start : result->machine(MachineId(m)).starts)
      start.location = representative[start.location.index()];
  counts.locations += merged;
  counts.arcs += gone;
  auto back = std::make_shared<MergeBackTranslation>(network, result, representative, labels);
  return Transformed{std::move(result), property, std::move(back)};
}

}  // namespace whittle::simplify
