// SPDX-License-Identifier: Apache-2.0
// Back from a slice. A trace: instances that were dropped stay where they start, variables that
// were dropped start with a value that satisfies the conditions that were dropped with them,
// parameters that were dropped get any value. An invariant: the location of an instance in the
// slice is the last location of the slice it has been at, so "at l" becomes "at l, or at a location
// outside the slice that was entered from l".
#include "slice/back.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "expr/evaluate.h"
#include "expr/traverse.h"
#include "ir/run/advance_repeated.h"
#include "slice/closed_run.h"
#include "slice/init_conditions.h"
#include "slice/lift_run.h"

namespace whittle::slice {

namespace {

// Locations outside the slice that may have been entered from more than so many locations of the
// slice are too many cases to list.
constexpr std::size_t kMaxSources = 16;

class SliceBackTranslation final : public BackTranslation {
 public:
  SliceBackTranslation(std::shared_ptr<Network> original, PropertyId property,
                       std::shared_ptr<Network> sliced, IdMaps maps, const Kept& kept,
                       bool invariants, std::optional<StepMap> step_map)
      : original_(std::move(original)),
        sliced_(std::move(sliced)),
        property_(property),
        universe_(original_->property(property).universe),
        maps_(std::move(maps)),
        in_slice_(kept.locations),
        weak_(!kept.shortcuts.empty()),
        compressed_(kept.compression.has_value()),
        invariants_(invariants),
        step_map_(std::move(step_map)) {}

  Expected<Trace, std::string> trace(const Trace& trace) const override {
    if (weak_) return Unexpected{std::string("a shortcut stands for no particular steps")};
    StateLayout here(*sliced_, trace.universe);
    StateLayout there(*original_, universe_);
    Trace result;
    result.universe = universe_;
    result.initial = initial(trace.initial, here, there);
    if (compressed_)
      return lifted_run(*original_, *sliced_, maps_, step_map_->places, std::move(result.initial),
                        trace);
    TraceWalker walker(*sliced_, trace);
    for (const TraceStep& step : trace.steps)
      result.steps.push_back(back(step, walker.next(step), here, there));
    result.loop = trace.loop;
    if (!trace.loop || *trace.loop == trace.steps.size()) return result;
    // What was left out may differ from round to round.
    if (auto closed = closed_run(*original_, result)) return std::move(*closed);
    result.region = as_before_loop(trace, here);
    return result;
  }

  [[nodiscard]] const StepMap* step_map() const override {
    return step_map_ ? &*step_map_ : nullptr;
  }

  Expr invariant(Expr invariant) const override;

 private:
  // Steps through the slice's trace, for the target of each participant: what is a single arc in
  // the slice can be one of several in the original.
  class TraceWalker {
   public:
    TraceWalker(const Network& network, const Trace& trace)
        : stepper_(network, trace.universe), state_(trace.initial) {}

    std::vector<std::pair<InstanceId, LocationId>> next(const TraceStep& step) {
      for (std::uint64_t i = 0; i < step.times; ++i) {
        if (i == 1 && step.times > kWalked &&
            advance_repeated(stepper_, state_, step, step.times - 1))
          break;
        const bool possible = stepper_.advance(state_, step);
        WHITTLE_REQUIRE(possible, "a trace of the slice can be followed there");
      }
      std::vector<std::pair<InstanceId, LocationId>> targets;
      for (const Occurrence& o : stepper_.occurrences())
        targets.emplace_back(o.instance, state_.locations[stepper_.layout().position(o.instance)]);
      return targets;
    }

   private:
    static constexpr std::uint64_t kWalked = 100'000;  // repetitions; more are taken at once
    Stepper stepper_;
    State state_;
  };

  // Everything that the slice has is as it is before the loop.
  Expr as_before_loop(const Trace& trace, const StateLayout& here) const {
    Stepper stepper(*sliced_, trace.universe);
    State state = trace.initial;
    for (std::size_t i = 0; i < *trace.loop; ++i)
      for (std::uint64_t n = 0; n < trace.steps[i].times; ++n) {
        const bool possible = stepper.advance(state, trace.steps[i]);
        WHITTLE_REQUIRE(possible, "a trace of the slice can be followed there");
      }
    ExprPool& pool = original_->pool();
    std::vector<Expr> parts;
    for (std::size_t i = 0; i < here.instance_count(); ++i) {
      const InstanceId old = maps_.instances[here.instance(i).index()];
      if (original_->machine(original_->instance(old).machine).locations.size() > 1)
        parts.push_back(
            pool.symbol(original_->at_instance(old, maps_.locations[state.locations[i].index()])));
    }
    for (std::size_t slot = 0; slot < here.value_count(); ++slot) {
      const auto [instance, variable] = here.at(slot);
      const VariableId old = maps_.variables[variable.index()];
      const Variable& v = original_->variable(old);
      if (v.machine.valid() && original_->machine(v.machine).key == old) continue;
      const Expr is = pool.symbol(
          instance.valid() ? original_->of_instance(maps_.instances[instance.index()], old)
                           : v.current);
      parts.push_back(pool.eq(is, pool.constant(state.values[slot], v.type)));
    }
    return pool.conj(parts);
  }

  State initial(const State& state, const StateLayout& here, const StateLayout& there) const;
  TraceStep back(const TraceStep& step,
                 const std::vector<std::pair<InstanceId, LocationId>>& targets,
                 const StateLayout& here, const StateLayout& there) const;
  void choose_start(InstanceId instance, bool kept, const StateLayout& there, State& state) const;
  Expr located(Expr invariant, InstanceId here) const;
  [[nodiscard]] bool asks_where(InstanceId instance) const;
  [[nodiscard]] std::vector<LocationId> without_way(MachineId machine) const;

  std::shared_ptr<Network> original_;
  std::shared_ptr<Network> sliced_;
  PropertyId property_;
  UniverseId universe_;
  IdMaps maps_;
  std::vector<char> in_slice_;
  bool weak_;
  bool compressed_;
  bool invariants_;
  std::optional<StepMap> step_map_;
};

State SliceBackTranslation::initial(const State& state, const StateLayout& here,
                                    const StateLayout& there) const {
  const ExprPool& pool = original_->pool();
  State result;
  result.locations.resize(there.instance_count());
  std::vector<char> known_value(there.value_count(), 0);
  std::vector<char> known_instance(there.instance_count(), 0);
  for (std::size_t slot = 0; slot < there.value_count(); ++slot) {
    auto [instance, variable] = there.at(slot);
    const Variable& v = original_->variable(variable);
    Value value = pool.default_value(v.type);
    if (instance.valid() && original_->machine(v.machine).key == variable)
      value = original_->instance(instance).key;
    else if (v.initial.valid()) {
      Evaluator evaluate(pool);
      auto given = evaluate(
          v.initial,
          [](SymbolId, std::span<const Value>) -> std::optional<Value> { return std::nullopt; });
      if (given) value = *given;
    }
    result.values.push_back(std::move(value));
  }
  for (std::size_t slot = 0; slot < here.value_count(); ++slot) {
    auto [instance, variable] = here.at(slot);
    InstanceId old = instance.valid() ? maps_.instances[instance.index()] : InstanceId();
    std::size_t target = there.slot(old, maps_.variables[variable.index()]);
    result.values[target] = state.values[slot];
    known_value[target] = 1;
  }
  for (std::size_t i = 0; i < here.instance_count(); ++i) {
    InstanceId old = maps_.instances[here.instance(i).index()];
    // Until choose_start says where in the original: where it is in the slice.
    result.locations[there.position(old)] =
        compressed_ ? state.locations[i] : maps_.locations[state.locations[i].index()];
    known_instance[there.position(old)] = 1;
  }
  for (std::size_t i = 0; i < there.instance_count(); ++i)
    choose_start(there.instance(i), known_instance[i] != 0, there, result);
  // Conditions on the whole universe that went with their variables.
  InitConditions init(*original_, universe_);
  for (const InitCondition& c : init.all()) {
    if (c.machine.valid() || !c.removable) continue;
    Role role = original_->role(symbols(pool, c.condition).front());
    std::size_t slot = there.slot(role.instance, VariableId(role.id));
    if (!known_value[slot])
      result.values[slot] = satisfying_value(*original_, c.condition, result.values[slot]);
  }
  return result;
}

// Puts an instance at a start that fits what the slice says of it, and gives its other variables
// the values that the start asks for.
void SliceBackTranslation::choose_start(InstanceId instance, bool kept, const StateLayout& there,
                                        State& state) const {
  const ExprPool& pool = original_->pool();
  std::size_t position = there.position(instance);
  const Machine& machine = original_->machine(original_->instance(instance).machine);
  std::vector<char> in_new(original_->variables().size(), 0);
  if (kept)
    for (VariableId v : maps_.variables) in_new[v.index()] = 1;
  Evaluator evaluate(pool);
  auto lookup = [&](SymbolId s, std::span<const Value>) -> std::optional<Value> {
    Role role = original_->role(s);
    if (role.kind != RoleKind::Current) return std::nullopt;
    return state.values[there.slot(instance, VariableId(role.id))];
  };
  for (const Start& start : machine.starts) {
    const LocationId here =
        compressed_ ? step_map_->places[start.location.index()] : start.location;
    if (kept && state.locations[position] != here) continue;
    State before = state;
    state.locations[position] = start.location;
    bool fits = true;
    const std::vector<Expr> parts =
        start.condition.valid() ? conjuncts(pool, start.condition) : std::vector<Expr>{};
    for (Expr part : parts) {
      auto value = evaluate(part, lookup);
      if (value && value->as_bool()) continue;
      auto names = symbols(pool, part);
      if (names.size() == 1 && !in_new[original_->role(names[0]).id]) {
        std::size_t slot = there.slot(instance, VariableId(original_->role(names[0]).id));
        state.values[slot] = satisfying_value(*original_, part, state.values[slot]);
      } else {
        fits = false;
        break;
      }
    }
    if (fits) return;
    state = std::move(before);
  }
  if (!kept && !machine.starts.empty()) state.locations[position] = machine.starts.front().location;
}

TraceStep SliceBackTranslation::back(const TraceStep& step,
                                     const std::vector<std::pair<InstanceId, LocationId>>& targets,
                                     const StateLayout& here, const StateLayout& there) const {
  TraceStep result;
  result.instance = maps_.instances[step.instance.index()];
  result.event = maps_.events[step.event.index()];
  result.times = step.times;
  const auto& kept = sliced_->event(step.event).parameters;
  std::size_t next = 0;
  for (const Parameter& p : original_->event(result.event).parameters) {
    bool given = next < kept.size() && kept[next].symbol == p.symbol;
    result.arguments.push_back(given ? step.arguments[next]
                                     : original_->pool().default_value(p.type));
    if (given) ++next;
  }
  for (auto [instance, location] : targets)
    result.targets.emplace_back(maps_.instances[instance.index()],
                                maps_.locations[location.index()]);
  for (const auto& [slot, value] : step.chosen) {
    auto [instance, variable] = here.at(slot);
    InstanceId old = instance.valid() ? maps_.instances[instance.index()] : InstanceId();
    result.chosen.emplace_back(
        static_cast<std::uint32_t>(there.slot(old, maps_.variables[variable.index()])), value);
  }
  return result;
}

Expr SliceBackTranslation::invariant(Expr invariant) const {
  if (weak_ || !invariants_) return Expr();
  for (std::uint32_t i = 0; i < maps_.instances.size(); ++i) {
    invariant = located(invariant, InstanceId(i));
    if (!invariant.valid()) return invariant;
  }
  // Of instances that were dropped the slice says nothing; the question may have been decided
  // because of where they cannot be.
  ExprPool& pool = original_->pool();
  std::vector<Expr> nowhere;
  for (InstanceId there : original_->universe(universe_).instances) {
    const bool kept =
        std::find(maps_.instances.begin(), maps_.instances.end(), there) != maps_.instances.end();
    if (kept || !asks_where(there)) continue;
    for (LocationId l : without_way(original_->instance(there).machine))
      nowhere.push_back(pool.negate(pool.symbol(original_->at_instance(there, l))));
  }
  // The rest is a change of symbols: those of the slice for those of the original.
  Rewriter rename(pool, [&](Expr e, std::span<const Expr> arguments) -> Expr {
    if (pool.op(e) != Op::Apply) return Expr();
    Role role = sliced_->role(pool.symbol_of(e));
    switch (role.kind) {
      case RoleKind::InstanceCurrent:
        return pool.symbol(original_->of_instance(maps_.instances[role.instance.index()],
                                                  maps_.variables[role.id]));
      case RoleKind::InstanceAt:
        return e;  // already replaced by `located`
      default:
        return with_arguments(pool, e, arguments);
    }
  });
  nowhere.push_back(rename(invariant));
  return pool.conj(nowhere);
}

// Locations to which no arcs lead from where the machine starts.
std::vector<LocationId> SliceBackTranslation::without_way(MachineId id) const {
  const Machine& machine = original_->machine(id);
  std::unordered_map<LocationId, std::vector<LocationId>> next;
  for (EventId e : machine.events)
    for (const Arc& arc : original_->event(e).arcs) next[arc.from].push_back(arc.to);
  std::unordered_set<LocationId> reached;
  std::vector<LocationId> open;
  for (const Start& start : machine.starts) open.push_back(start.location);
  while (!open.empty()) {
    const LocationId l = open.back();
    open.pop_back();
    if (!reached.insert(l).second) continue;
    const auto more = next.find(l);
    if (more != next.end()) open.insert(open.end(), more->second.begin(), more->second.end());
  }
  std::vector<LocationId> result;
  for (LocationId l : machine.locations)
    if (!reached.contains(l)) result.push_back(l);
  return result;
}

// The question names locations of the instance. It may have been decided in the slice because no
// others are left there, which the invariant then does not say.
bool SliceBackTranslation::asks_where(InstanceId instance) const {
  // Which instance is blocked depends on the locations of all.
  if (std::holds_alternative<DeadlockGoal>(original_->property(property_).goal)) return true;
  const Expr condition = original_->property(property_).condition();
  if (!condition.valid()) return false;
  const std::vector<SymbolId> named = symbols(original_->pool(), condition);
  return std::any_of(named.begin(), named.end(), [&](SymbolId symbol) {
    const Role role = original_->role(symbol);
    if (role.kind == RoleKind::InstanceAt) return role.instance == instance;
    return role.kind == RoleKind::RemoteAt && original_->location(LocationId(role.id)).machine ==
                                                  original_->instance(instance).machine;
  });
}

// Replaces the locations of one instance.
Expr SliceBackTranslation::located(Expr invariant, InstanceId here) const {
  ExprPool& pool = original_->pool();
  InstanceId there = maps_.instances[here.index()];
  MachineId machine = original_->instance(there).machine;
  const auto& locations = original_->machine(machine).locations;
  std::vector<LocationId> named;  // locations of the original that the invariant mentions
  for (SymbolId s : symbols(pool, invariant)) {
    Role role = sliced_->role(s);
    if (role.kind == RoleKind::InstanceAt && role.instance == here)
      named.push_back(maps_.locations[role.id]);
  }
  if (named.empty() && !asks_where(there)) return invariant;
  ControlFlow flow(*original_);
  Region outside = region(flow, machine, in_slice_, kMaxSources);
  if (!outside.complete) return Expr();

  // invariant[at := at] where the last location of the slice is known for sure, and a disjunction
  // over the possible ones where it is not.
  auto with_last = [&](auto&& holds_at) {
    Rewriter rewrite(pool, [&](Expr e, std::span<const Expr> arguments) -> Expr {
      if (pool.is_variable(e)) {
        Role role = sliced_->role(pool.symbol_of(e));
        if (role.kind == RoleKind::InstanceAt && role.instance == here)
          return holds_at(maps_.locations[role.id]);
        return e;
      }
      return with_arguments(pool, e, arguments);
    });
    return rewrite(invariant);
  };
  auto at = [&](LocationId l) { return pool.symbol(original_->at_instance(there, l)); };
  std::unordered_map<LocationId, std::vector<Expr>> entered_from;
  std::vector<std::size_t> ambiguous;
  std::vector<Expr> parts;  // no way leads to some locations, of which the slice says nothing
  for (std::size_t i = 0; i < locations.size(); ++i) {
    const auto& sources = outside.sources[i];
    if (sources.empty() && in_slice_[locations[i].index()] == 0) {
      parts.push_back(pool.negate(at(locations[i])));
    }
    if (sources.size() == 1) entered_from[sources[0]].push_back(at(locations[i]));
    if (sources.size() > 1) ambiguous.push_back(i);
  }
  Expr certain = with_last([&](LocationId l) {
    std::vector<Expr> places{at(l)};
    auto more = entered_from.find(l);
    if (more != entered_from.end())
      places.insert(places.end(), more->second.begin(), more->second.end());
    return pool.disj(places);
  });
  if (ambiguous.empty()) {
    parts.push_back(certain);
    return pool.conj(parts);
  }
  std::vector<Expr> cases;
  std::vector<Expr> elsewhere;
  for (std::size_t i : ambiguous) {
    std::vector<Expr> possible;
    for (LocationId source : outside.sources[i])
      possible.push_back(with_last([&](LocationId l) { return pool.boolean(l == source); }));
    cases.push_back(pool.conj(at(locations[i]), pool.disj(possible)));
    elsewhere.push_back(pool.negate(at(locations[i])));
  }
  elsewhere.push_back(certain);
  cases.push_back(pool.conj(elsewhere));
  parts.push_back(pool.disj(cases));
  return pool.conj(parts);
}

class Identity final : public BackTranslation {
 public:
  Expected<Trace, std::string> trace(const Trace& trace) const override { return trace; }
  Expr invariant(Expr invariant) const override { return invariant; }
};

}  // namespace

std::shared_ptr<const BackTranslation> back_translation(const std::shared_ptr<Network>& original,
                                                        PropertyId property,
                                                        const std::shared_ptr<Network>& sliced,
                                                        IdMaps maps, const Kept& kept,
                                                        bool invariants,
                                                        std::optional<StepMap> step_map) {
  return std::make_shared<SliceBackTranslation>(original, property, sliced, std::move(maps), kept,
                                                invariants, std::move(step_map));
}

std::shared_ptr<const BackTranslation> identity() { return std::make_shared<Identity>(); }

}  // namespace whittle::slice
