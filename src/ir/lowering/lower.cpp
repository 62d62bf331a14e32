// SPDX-License-Identifier: Apache-2.0
#include "ir/lowering/lower.h"

#include <algorithm>
#include <unordered_set>

#include "base/error.h"
#include "ir/lowering/flat_terms.h"
#include "ir/lowering/live_steps.h"
#include "ir/lowering/step_cases.h"
#include "ir/lowering/symmetric_instances.h"
#include "ir/property_kinds.h"
#include "ir/run/flat_run.h"

namespace whittle {

using namespace lowering;

namespace {

// Who takes part in a flat transition; `moves` of the root come first.
struct TransitionInfo {
  std::vector<Move> moves;
};

// A way in which the goal of a DeadTransition can hold: the step that it stands for.
struct GoalCase {
  std::uint32_t transition = 0;
  Expr condition;
  std::vector<std::pair<std::uint32_t, SymbolId>> next;  // open variables and their goal inputs
};

class NetworkLowering final : public Lowering {
 public:
  NetworkLowering(Network& network, PropertyId property, const LowerOptions& options)
      : network_(network),
        pool_(network.pool()),
        property_(network.property(property)),
        alike_(symmetry_classes(network, property)),
        options_(options),
        terms_(network, property_.universe),
        cases_(network, property_.universe, terms_, options.eliminate) {}

  TransitionSystem system() {
    TransitionSystem result;
    result.pool = network_.shared_pool();
    result.variables = terms_.variables();
    result.bound = property_.bound;
    build_transitions(result);
    result.init = init();
    result.goal = goal(result);
    if (goal_of(property_.kind) == GoalKind::Started) result.bound = {0, 0};
    if (goal_of(property_.kind) == GoalKind::RunRefutes) {
      add_live(result);
    } else {
      result.alike = parts_of_alike();
    }
    return result;
  }
  [[nodiscard]] const std::string& more_runs() const { return more_runs_; }
  // The way back needs the system to know which case of a goal holds.
  void keep(std::shared_ptr<const TransitionSystem> system) { system_ = std::move(system); }
  [[nodiscard]] bool needs_system() const { return !goal_cases_.empty(); }

  [[nodiscard]] Trace trace(const FlatTrace& flat) const override;
  [[nodiscard]] std::vector<Value> flat_state(const State& state) const override;
  [[nodiscard]] Expr condition(Expr flat) const override;
  [[nodiscard]] Expr flat_condition(Expr condition) const override {
    return terms_.holds(terms_.partial(condition, Context{}));
  }
  [[nodiscard]] Expr at_step(Expr flat, std::uint32_t transition) const override;
  [[nodiscard]] bool takes_part(std::uint32_t transition, InstanceId instance,
                                const std::vector<EventId>& events) const override;
  [[nodiscard]] std::pair<InstanceId, EventId> event_of(std::uint32_t transition) const override {
    const Move& root = infos_.at(transition).moves.front();
    return {layout().instance(root.position), root.event};
  }
  [[nodiscard]] FlatPlace place_of(std::uint32_t variable) const override {
    const std::size_t place = terms_.place_of(variable);
    if (terms_.variables()[variable].is_location) return {layout().instance(place), {}};
    const auto [instance, of] = layout().at(place);
    return {instance, of};
  }
  [[nodiscard]] std::vector<InstanceId> participants(std::uint32_t transition) const override {
    std::vector<InstanceId> result;
    for (const Move& move : infos_.at(transition).moves)
      result.push_back(layout().instance(move.position));
    return result;
  }

 private:
  [[nodiscard]] const StateLayout& layout() const { return terms_.layout(); }

  void build_transitions(TransitionSystem& system);
  void add_transition(TransitionSystem& system, std::size_t position, EventId event, StepCase step);

  [[nodiscard]] std::vector<std::vector<std::vector<std::uint32_t>>> parts_of_alike() const;

  Expr init();
  Expr start_of(std::size_t position);
  Expr at_start(std::size_t position, const Start& start);

  void add_live(TransitionSystem& system);
  [[nodiscard]] bool stays(std::uint32_t transition) const {
    return infos_.at(transition).moves.empty();
  }

  Goal goal(const TransitionSystem& system);
  Expr enabled(const TransitionSystem& system, std::uint32_t transition);
  Expr deadlock(const TransitionSystem& system);
  Goal dead_transition(const TransitionSystem& system);
  Expr sinkhole(const TransitionSystem& system);
  Goal unsat_relation();

  [[nodiscard]] Expr is_value(Expr location, std::uint32_t value) const;
  [[nodiscard]] std::vector<std::pair<InstanceId, LocationId>> targets_of(
      const TransitionInfo& info, const std::vector<LocationId>& locations) const;
  [[nodiscard]] TraceStep step_of(const TransitionInfo& info, std::vector<LocationId>& locations,
                                  std::vector<Value> arguments) const;
  void append_goal_step(const FlatTrace& flat, std::vector<LocationId>& locations,
                        Trace& trace) const;

  Network& network_;
  ExprPool& pool_;
  Property property_;
  std::vector<std::vector<InstanceId>> alike_;
  LowerOptions options_;
  mutable FlatTerms terms_;  // makes symbols and remembers terms, also on the way back
  StepCases cases_;
  std::vector<TransitionInfo> infos_;  // by transition
  std::vector<GoalCase> goal_cases_;
  std::string more_runs_;
  std::shared_ptr<const TransitionSystem> system_;
};

// ----- transitions

void NetworkLowering::build_transitions(TransitionSystem& system) {
  for (std::size_t p = 0; p < layout().instance_count(); ++p) {
    const MachineId machine = network_.instance(layout().instance(p)).machine;
    for (EventId e : network_.machine(machine).events) {
      const Event& event = network_.event(e);
      if (!event.root) continue;
      std::vector<Expr> arguments;
      for (const Parameter& parameter : event.parameters) {
        arguments.push_back(pool_.symbol(parameter.symbol));
      }
      cases_.each(p, e, arguments,
                  [&](StepCase step) { add_transition(system, p, e, std::move(step)); });
    }
  }
}

void NetworkLowering::add_transition(TransitionSystem& system, std::size_t position, EventId event,
                                     StepCase step) {
  if (system.transitions.size() >= options_.max_transitions) {
    throw ResourceError("the model has more than " + std::to_string(options_.max_transitions) +
                        " combinations of events that can happen together");
  }
  Transition t;
  t.name = network_.instance(layout().instance(position)).name + "." + network_.event(event).name;
  for (std::size_t i = 1; i < step.moves.size(); ++i) {
    t.name += (i == 1 ? " with " : ", ") +
              network_.instance(layout().instance(step.moves[i].position)).name;
  }
  for (const Parameter& parameter : network_.event(event).parameters) {
    t.inputs.push_back(parameter.symbol);
  }
  t.guard = step.guard;
  t.updates.reserve(step.updates.size());
  for (const auto& [variable, value] : step.updates) t.updates.push_back({variable, value});
  t.open = std::move(step.open);
  t.relation = step.relation;
  system.transitions.push_back(std::move(t));
  infos_.push_back({std::move(step.moves)});
}

std::vector<std::vector<std::vector<std::uint32_t>>> NetworkLowering::parts_of_alike() const {
  std::vector<std::vector<std::vector<std::uint32_t>>> result;
  if (alike_.empty()) return result;
  std::vector<std::vector<std::uint32_t>> parts(layout().instance_count());
  for (std::uint32_t t = 0; t < infos_.size(); ++t) {
    for (const Move& move : infos_[t].moves) {
      std::vector<std::uint32_t>& list = parts[move.position];
      if (list.empty() || list.back() != t) list.push_back(t);
    }
  }
  for (const auto& group : alike_) {
    auto& members = result.emplace_back();
    for (InstanceId instance : group) members.push_back(parts[layout().position(instance)]);
  }
  return result;
}

// ----- infinite runs

void NetworkLowering::add_live(TransitionSystem& system) {
  const LiveMeaning meaning = {
      [&](std::uint32_t t) { return enabled(system, t); },
      [&](std::uint32_t t, InstanceId instance, const std::vector<EventId>& events) {
        return takes_part(t, instance, events);
      }};
  more_runs_ = add_live_steps(network_, property_.universe, meaning, system);
  infos_.emplace_back();  // the step that stays: nobody takes part in it
}

Expr NetworkLowering::at_step(Expr flat, std::uint32_t transition) const {
  Rewriter known(pool_, [&](Expr e, std::span<const Expr>) -> Expr {
    if (!pool_.is_variable(e)) return {};
    const Role role = network_.role(pool_.symbol_of(e));
    if (role.kind == RoleKind::Halt) return pool_.boolean(stays(transition));
    if (role.kind != RoleKind::InstanceTaken) return {};
    return pool_.boolean(takes_part(transition, role.instance, {EventId(role.id)}));
  });
  return known(flat);
}

bool NetworkLowering::takes_part(std::uint32_t transition, InstanceId instance,
                                 const std::vector<EventId>& events) const {
  const std::vector<Move>& moves = infos_.at(transition).moves;
  return std::any_of(moves.begin(), moves.end(), [&](const Move& move) {
    return layout().instance(move.position) == instance &&
           std::find(events.begin(), events.end(), move.event) != events.end();
  });
}

// ----- first states

Expr NetworkLowering::init() {
  std::vector<Expr> parts;
  for (std::size_t slot = 0; slot < layout().value_count(); ++slot) {
    const auto [instance, variable] = layout().at(slot);
    const Expr initial = network_.variable(variable).initial;
    if (!initial.valid() || terms_.variable_of(slot) == kNoVariable) continue;
    Context context;
    if (instance.valid()) context.position = layout().position(instance);
    const Expr value = terms_.partial(initial, context);
    const SymbolId symbol = terms_.variables()[terms_.variable_of(slot)].current;
    parts.push_back(terms_.holds(pool_.eq(pool_.symbol(symbol), value)));
  }
  for (std::size_t p = 0; p < layout().instance_count(); ++p) parts.push_back(start_of(p));
  for (Expr condition : network_.universe(property_.universe).init) {
    parts.push_back(terms_.holds(terms_.partial(condition, Context{})));
  }
  return pool_.conj(parts);
}

Expr NetworkLowering::start_of(std::size_t position) {
  const InstanceId instance = layout().instance(position);
  const MachineId machine = network_.instance(instance).machine;
  const std::vector<Start>& starts = network_.machine(machine).starts;
  // The question is about one start: the first instance takes it.
  const auto* asked = std::get_if<StartGoal>(&property_.goal);
  if (asked != nullptr && asked->machine == machine &&
      network_.instances_of(property_.universe, machine).front() == instance) {
    return at_start(position, starts.at(asked->start));
  }
  std::vector<Expr> alternatives;
  alternatives.reserve(starts.size());
  for (const Start& start : starts) alternatives.push_back(at_start(position, start));
  return pool_.disj(alternatives);
}

Expr NetworkLowering::at_start(std::size_t position, const Start& start) {
  const Expr here = terms_.is_at(position, start.location);
  if (!start.condition.valid()) return here;
  Context context;
  context.position = position;
  return pool_.conj(here, terms_.holds(terms_.partial(start.condition, context)));
}

// ----- goals

Goal NetworkLowering::goal(const TransitionSystem& system) {
  switch (goal_of(property_.kind)) {
    case GoalKind::ConditionHolds:
      return {flat_condition(property_.condition()), {}};
    case GoalKind::ConditionFails:
      return {pool_.negate(flat_condition(property_.condition())), {}};
    case GoalKind::NothingPossible:
      return {deadlock(system), {}};
    case GoalKind::ArcTaken:
      return dead_transition(system);
    case GoalKind::NeverMoves:
      return {sinkhole(system), {}};
    case GoalKind::Started:
      return {pool_.boolean(true), {}};
    case GoalKind::NoNextState:
      return unsat_relation();
    case GoalKind::RunRefutes:
    case GoalKind::NeverAgain:
      return {pool_.boolean(false), {}};  // no question about a last state alone
  }
  throw InternalError("unknown kind of property");
}

// For some inputs and some next state.
Expr NetworkLowering::enabled(const TransitionSystem& system, std::uint32_t transition) {
  const Transition& t = system.transitions[transition];
  std::vector<SymbolId> symbols = t.inputs;
  for (std::uint32_t v : t.open) symbols.push_back(system.variables[v].next);
  std::vector<Expr> parts = conjuncts(pool_, t.guard);
  for (Expr e : conjuncts(pool_, t.relation)) parts.push_back(e);
  return cases_.exists(parts, symbols, t.name);
}

Expr NetworkLowering::deadlock(const TransitionSystem& system) {
  std::vector<Expr> parts;
  std::vector<Expr> unfinished;
  for (std::size_t p = 0; p < layout().instance_count(); ++p) {
    const MachineId machine = network_.instance(layout().instance(p)).machine;
    std::vector<Expr> finished;
    for (LocationId l : network_.machine(machine).locations) {
      if (network_.location(l).final) finished.push_back(terms_.is_at(p, l));
      // A step that failed has ended the run, whoever could go on.
      if (network_.location(l).error) parts.push_back(pool_.negate(terms_.is_at(p, l)));
    }
    unfinished.push_back(pool_.negate(pool_.disj(finished)));
  }
  parts.push_back(pool_.disj(unfinished));
  for (std::uint32_t t = 0; t < system.transitions.size(); ++t) {
    parts.push_back(pool_.negate(enabled(system, t)));
  }
  return pool_.conj(parts);
}

Goal NetworkLowering::dead_transition(const TransitionSystem& system) {
  const auto& taken = property_.as<ArcGoal>();
  const Arc& arc = network_.event(taken.event).arcs.at(taken.arc);
  Goal result;
  std::vector<Expr> alternatives;
  std::unordered_set<SymbolId> inputs;
  std::unordered_map<std::uint32_t, SymbolId> next_input;  // by open variable
  for (std::uint32_t i = 0; i < system.transitions.size(); ++i) {
    const Transition& t = system.transitions[i];
    for (const Move& move : infos_[i].moves) {
      const bool stays = arc.from == arc.to;
      if (move.event != taken.event) continue;
      if (stays ? move.target.valid() : move.target != arc.to) continue;
      if (!move.from.empty() && !std::binary_search(move.from.begin(), move.from.end(), arc.from)) {
        continue;
      }
      GoalCase found{i, {}, {}};
      Substitution rename(pool_);
      for (std::uint32_t v : t.open) {
        const StateVariable& variable = system.variables[v];
        auto [it, fresh] = next_input.try_emplace(v);
        if (fresh) it->second = pool_.declare(variable.name + "''", variable.type);
        rename.set(variable.next, pool_.symbol(it->second));
        found.next.emplace_back(v, it->second);
        if (inputs.insert(it->second).second) result.inputs.push_back(it->second);
      }
      for (SymbolId input : t.inputs) {
        if (inputs.insert(input).second) result.inputs.push_back(input);
      }
      const Expr here = terms_.is_at(move.position, arc.from);
      found.condition = pool_.conj(here, pool_.conj(t.guard, rename(t.relation)));
      alternatives.push_back(found.condition);
      goal_cases_.push_back(std::move(found));
    }
  }
  result.condition = pool_.disj(alternatives);
  return result;
}

Expr NetworkLowering::sinkhole(const TransitionSystem& system) {
  const LocationId location = property_.as<SinkholeGoal>().location;
  const MachineId machine = network_.location(location).machine;
  std::vector<std::vector<Expr>> stuck(layout().instance_count());
  for (std::uint32_t i = 0; i < system.transitions.size(); ++i) {
    for (const Move& move : infos_[i].moves) {
      if (network_.event(move.event).machine != machine) continue;
      if (options_.instance.valid() && options_.instance != layout().instance(move.position))
        continue;
      if (!move.from.empty() && !std::binary_search(move.from.begin(), move.from.end(), location)) {
        continue;
      }
      stuck[move.position].push_back(pool_.negate(enabled(system, i)));
    }
  }
  std::vector<Expr> alternatives;
  for (InstanceId instance : network_.instances_of(property_.universe, machine)) {
    if (options_.instance.valid() && options_.instance != instance) continue;
    const std::size_t p = layout().position(instance);
    alternatives.push_back(pool_.conj(terms_.is_at(p, location), pool_.conj(stuck[p])));
  }
  if (property_.condition().valid())
    return pool_.conj(flat_condition(property_.condition()), pool_.disj(alternatives));
  return pool_.disj(alternatives);
}

Goal NetworkLowering::unsat_relation() {
  Goal result;
  const EventId id = property_.as<RelationGoal>().event;
  const Event& event = network_.event(id);
  std::vector<Expr> arguments;
  for (const Parameter& parameter : event.parameters) {
    result.inputs.push_back(parameter.symbol);
    arguments.push_back(pool_.symbol(parameter.symbol));
  }
  std::vector<Expr> alternatives;
  for (InstanceId instance : network_.instances_of(property_.universe, event.machine)) {
    const std::size_t p = layout().position(instance);
    alternatives.push_back(pool_.conj(cases_.allowed(p, id, arguments),
                                      pool_.negate(cases_.enabled(p, id, arguments))));
  }
  result.condition = pool_.disj(alternatives);
  return result;
}

// ----- the way back

// Only participants that could go elsewhere need to be told where.
std::vector<std::pair<InstanceId, LocationId>> NetworkLowering::targets_of(
    const TransitionInfo& info, const std::vector<LocationId>& locations) const {
  std::vector<std::pair<InstanceId, LocationId>> targets;
  for (const Move& move : info.moves) {
    const LocationId here = locations[move.position];
    const LocationId target = move.target.valid() ? move.target : here;
    for (const Arc& arc : network_.event(move.event).arcs) {
      if (arc.from != here || arc.to == target) continue;
      targets.emplace_back(layout().instance(move.position), target);
      break;
    }
  }
  return targets;
}

TraceStep NetworkLowering::step_of(const TransitionInfo& info, std::vector<LocationId>& locations,
                                   std::vector<Value> arguments) const {
  TraceStep step;
  step.instance = layout().instance(info.moves.front().position);
  step.event = info.moves.front().event;
  step.arguments = std::move(arguments);
  step.targets = targets_of(info, locations);
  for (const Move& move : info.moves) {
    if (move.target.valid()) locations[move.position] = move.target;
  }
  return step;
}

Trace NetworkLowering::trace(const FlatTrace& flat) const {
  WHITTLE_REQUIRE(flat.initial.size() == terms_.variables().size(),
                  "a trace of the lowered system");
  Trace result;
  result.universe = property_.universe;
  for (std::size_t p = 0; p < layout().instance_count(); ++p) {
    const InstanceId instance = layout().instance(p);
    const Machine& machine = network_.machine(network_.instance(instance).machine);
    const std::uint32_t v = terms_.location_variable(p);
    result.initial.locations.push_back(v == kNoVariable ? machine.locations.front()
                                                        : terms_.location_at(p, flat.initial[v]));
  }
  for (std::size_t slot = 0; slot < layout().value_count(); ++slot) {
    const std::uint32_t v = terms_.variable_of(slot);
    result.initial.values.push_back(
        v == kNoVariable ? network_.instance(layout().at(slot).first).key : flat.initial[v]);
  }
  std::vector<LocationId> locations = result.initial.locations;
  result.steps.reserve(flat.steps.size());
  for (std::size_t i = 0; i < flat.steps.size(); ++i) {
    const FlatStep& flat_step = flat.steps[i];
    if (flat.loop == i) result.loop = i;
    if (stays(flat_step.transition)) {  // for ever
      result.loop = i;
      return result;
    }
    TraceStep step = step_of(infos_.at(flat_step.transition), locations, flat_step.inputs);
    for (const auto& [v, value] : flat_step.open) {
      step.chosen.emplace_back(static_cast<std::uint32_t>(terms_.place_of(v)), value);
    }
    step.times = flat_step.times;
    result.steps.push_back(std::move(step));
  }
  if (!goal_cases_.empty()) append_goal_step(flat, locations, result);
  return result;
}

std::vector<Value> NetworkLowering::flat_state(const State& state) const {
  std::vector<Value> result;
  result.reserve(terms_.variables().size());
  for (std::uint32_t v = 0; v < terms_.variables().size(); ++v) {
    const std::size_t place = terms_.place_of(v);
    result.push_back(terms_.variables()[v].is_location
                         ? pool_.value(terms_.location_constant(place, state.locations[place]))
                         : state.values[place]);
  }
  return result;
}

// The step that a DeadTransition asks for, from the values that make the goal true.
void NetworkLowering::append_goal_step(const FlatTrace& flat, std::vector<LocationId>& locations,
                                       Trace& trace) const {
  const TransitionSystem& system = *system_;
  FlatRun run(system);
  FlatState state = flat.initial;
  for (const FlatStep& step : flat.steps) {
    if (auto problem = run.advance_all(state, step)) {
      throw InternalError("a flat trace that is no run: " + *problem);
    }
  }
  auto input = [&](SymbolId symbol) {
    auto it = std::find(system.goal.inputs.begin(), system.goal.inputs.end(), symbol);
    return flat.goal_inputs.at(static_cast<std::size_t>(it - system.goal.inputs.begin()));
  };
  for (const GoalCase& found : goal_cases_) {
    if (!run.holds(found.condition, state, system.goal.inputs, flat.goal_inputs)) continue;
    std::vector<Value> arguments;
    for (SymbolId symbol : system.transitions[found.transition].inputs) {
      arguments.push_back(input(symbol));
    }
    TraceStep step = step_of(infos_[found.transition], locations, std::move(arguments));
    for (const auto& [v, symbol] : found.next) {
      step.chosen.emplace_back(static_cast<std::uint32_t>(terms_.place_of(v)), input(symbol));
    }
    trace.steps.push_back(std::move(step));
    return;
  }
  throw InternalError("a flat trace whose last state is no goal");
}

// "The location is the one with this number", for the forms that solvers give.
Expr NetworkLowering::is_value(Expr location, std::uint32_t value) const {
  // Conditions above, innermost last; the result is built from the inside out.
  if (pool_.is_const(location)) {
    return pool_.boolean(pool_.value(location).as_enum().index == value);
  }
  if (pool_.is_variable(location)) {
    const std::uint32_t v = terms_.variable_of_current(pool_.symbol_of(location));
    WHITTLE_REQUIRE(v != kNoVariable, "a location of an instance");
    const std::size_t position = terms_.place_of(v);
    const LocationId id = terms_.location_at(position, Value(EnumValue{value}));
    return pool_.symbol(network_.at_instance(layout().instance(position), id));
  }
  if (pool_.op(location) == Op::Ite) {
    return pool_.ite(condition(pool_.child(location, 0)), is_value(pool_.child(location, 1), value),
                     is_value(pool_.child(location, 2), value));
  }
  throw InternalError("a location in a form that cannot be said in terms of the network");
}

Expr NetworkLowering::condition(Expr flat) const {
  std::unordered_set<std::uint32_t> location_types;
  for (const StateVariable& v : terms_.variables()) {
    if (v.is_location) location_types.insert(v.type.id());
  }
  Rewriter rewriter(pool_, [&](Expr e, std::span<const Expr>) {
    if (pool_.op(e) != Op::Eq) return Expr();
    Expr a = pool_.child(e, 0);
    Expr b = pool_.child(e, 1);
    if (!location_types.contains(pool_.type(a).id())) return Expr();
    if (pool_.is_const(a)) std::swap(a, b);
    if (pool_.is_const(b)) return is_value(a, pool_.value(b).as_enum().index);
    std::vector<Expr> cases;
    for (std::uint32_t i = 0; i < pool_.info(pool_.type(a)).values.size(); ++i) {
      cases.push_back(pool_.conj(is_value(a, i), is_value(b, i)));
    }
    return pool_.disj(cases);
  });
  return rewriter(flat);
}

}  // namespace

Lowered lower(Network& network, PropertyId property, const LowerOptions& options) {
  auto back = std::make_shared<NetworkLowering>(network, property, options);
  Lowered result;
  result.system = back->system();
  result.more_runs = back->more_runs();
  if (back->needs_system()) back->keep(std::make_shared<TransitionSystem>(result.system));
  result.back = std::move(back);
  return result;
}

}  // namespace whittle
