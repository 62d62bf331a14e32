// SPDX-License-Identifier: Apache-2.0
#include "simplify/network/defined_variables.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "expr/evaluate.h"
#include "expr/traverse.h"
#include "ir/run/stepper.h"
#include "simplify/network/carry_over.h"
#include "simplify/network/step_equations.h"

namespace whittle::simplify {

namespace {

using Symbols = std::unordered_set<SymbolId>;

Parts flattened(ExprPool& pool, Expr condition, Span span) {
  Parts result;
  if (condition.valid()) flatten(pool, {condition, span}, result);
  return result;
}

// An event, as far as it is about states before and after.
class Step {
 public:
  Step(const Network& network, const Event& event)
      : pool_(network.pool()), primed_(pool_), assigned_(pool_) {
    for (const Effect& effect : event.effects) {
      for (const VariableId id : effect.writes) {
        const Variable& variable = network.variable(id);
        if (!written_.insert(variable.current).second) continue;
        primed_.set(variable.current, pool_.symbol(variable.next));
      }
    }
    for (const Effect& effect : event.effects) {
      if (effect.kind == EffectKind::Assign)
        assigned_.set(network.variable(effect.writes[0]).next, effect.expr);
      if (effect.kind != EffectKind::Relation) continue;
      for (const Part& part : flattened(pool_, effect.expr, effect.origin)) said_.insert(part.term);
    }
  }

  [[nodiscard]] bool writes(SymbolId current) const { return written_.contains(current); }
  // What a condition on states says about the state after the step.
  [[nodiscard]] Expr primed(Expr condition) { return primed_(condition); }
  // Whether the condition obviously holds after the step, if it did before.
  [[nodiscard]] bool preserves(Expr condition) {
    const Expr after = primed(condition);
    if (after == condition || said_.contains(after)) return true;
    const Expr given = assigned_(after);
    return pool_.is_true(given) || (pool_.op(given) == Op::Eq &&
                                    same_sum(pool_, pool_.child(given, 0), pool_.child(given, 1)));
  }

 private:
  ExprPool& pool_;
  Symbols written_;  // current symbols
  Substitution primed_, assigned_;
  std::unordered_set<Expr> said_;  // by relations
};

// What holds in every state of a machine, and the variables that this determines.
struct Definitions {
  MachineId machine;
  std::vector<Expr> holds;                   // as found
  std::unordered_set<Expr> known;            // the same
  Parts rest;                                // what it says besides the values below
  std::unordered_map<SymbolId, Expr> value;  // by current symbol, over symbols that stay
};

// Variables that others read through a reference; they stay.
Symbols read_elsewhere(const Network& network, const Property& property) {
  std::vector<Expr> terms = network.universe(property.universe).init;
  const auto add = [&](Expr e) {
    if (e.valid()) terms.push_back(e);
  };
  add(property.condition());
  for (const Event& event : network.events()) {
    for (const Guard& g : event.guards) add(g.condition);
    for (const Effect& f : event.effects) add(f.expr);
    for (const Sync& s : event.syncs) {
      add(s.key);
      for (const Expr argument : s.arguments) add(argument);
    }
  }
  Symbols result;
  for (const SymbolId symbol : symbols(network.pool(), terms)) {
    const Role role = network.role(symbol);
    if (role.kind == RoleKind::RemoteCurrent || role.kind == RoleKind::RemoteNext)
      result.insert(network.variable(VariableId(role.id)).current);
  }
  return result;
}

Definitions definitions(const Network& network, MachineId id, const Symbols& stay) {
  ExprPool& pool = network.pool();
  const Machine& machine = network.machine(id);
  Definitions result;
  result.machine = id;
  if (machine.starts.empty()) return result;
  Symbols own, unknowns;
  for (const VariableId v : machine.variables) {
    const Variable& variable = network.variable(v);
    own.insert(variable.current);
    if (v != machine.key && !variable.initial.valid() && !stay.contains(variable.current))
      unknowns.insert(variable.current);
  }
  // Conjuncts that all starts have in common.
  Parts candidates;
  std::unordered_map<Expr, std::size_t> in_starts;
  for (const Start& start : machine.starts) {
    std::unordered_set<Expr> here;
    for (const Part& part : flattened(pool, start.condition, start.origin)) {
      if (!here.insert(part.term).second) continue;
      if (in_starts[part.term]++ == 0) candidates.push_back(part);
    }
  }
  std::erase_if(candidates, [&](const Part& part) {
    if (in_starts[part.term] < machine.starts.size() || !pool.total(part.term)) return true;
    const std::vector<SymbolId> used = symbols(pool, part.term);
    return !std::all_of(used.begin(), used.end(), [&](SymbolId s) { return own.contains(s); });
  });
  for (const EventId e : machine.events) {
    if (candidates.empty()) return result;
    if (network.event(e).arcs.empty()) continue;
    Step step(network, network.event(e));
    std::erase_if(candidates, [&](const Part& part) { return !step.preserves(part.term); });
  }
  for (const Part& part : candidates) {
    result.holds.push_back(part.term);
    result.known.insert(part.term);
  }
  const Symbols no_inputs;
  StepEquations equations(pool, no_inputs, unknowns);
  equations.solve(candidates);
  for (const SymbolId symbol : unknowns) {
    if (const auto* solution = equations.solution(symbol))
      result.value.emplace(symbol, solution->value);
  }
  if (!result.value.empty()) result.rest = equations.conditions();
  return result;
}

using AllDefinitions = std::vector<Definitions>;

// A condition over own variables as one about an instance.
Expr about(Network& network, InstanceId instance, Expr condition) {
  ExprPool& pool = network.pool();
  Substitution here(pool);
  for (const SymbolId symbol : symbols(pool, condition)) {
    const Role role = network.role(symbol);
    here.set(symbol, pool.symbol(network.of_instance(instance, VariableId(role.id))));
  }
  return here(condition);
}

// Takes defined variables out of a copy of the network.
class Eliminator {
 public:
  Eliminator(Network& network, const AllDefinitions& all)
      : network_(network), pool_(network.pool()) {
    for (const Definitions& d : all) value_.insert(d.value.begin(), d.value.end());
  }

  void take_out(const Definitions& found) {
    for (const EventId e : network_.machine(found.machine).events) change(network_.event(e), found);
    Rewriter values = rewriter(nullptr);
    for (Start& start : network_.machine(found.machine).starts) {
      std::vector<Expr> parts;
      for (const Part& part : flattened(pool_, start.condition, start.origin))
        if (!found.known.contains(part.term)) parts.push_back(values(part.term));
      for (const Part& part : found.rest) parts.push_back(part.term);
      start.condition = pool_.conj(parts);
    }
    for (const auto& [symbol, value] : found.value) {
      Variable& variable = network_.variable(VariableId(network_.role(symbol).id));
      variable.initial = pool_.constant(pool_.default_value(variable.type), variable.type);
    }
  }

  void rewrite(Expr& condition) {
    if (condition.valid()) condition = rewriter(nullptr)(condition);
  }

 private:
  // Values instead of variables; next values where there is a step.
  [[nodiscard]] Rewriter rewriter(Step* step) {
    return Rewriter(pool_, [this, step](Expr e, std::span<const Expr>) -> Expr {
      if (!pool_.is_variable(e)) return {};
      const Role role = network_.role(pool_.symbol_of(e));
      if (role.kind != RoleKind::Current && role.kind != RoleKind::Next &&
          role.kind != RoleKind::InstanceCurrent)
        return {};
      const auto known = value_.find(network_.variable(VariableId(role.id)).current);
      if (known == value_.end()) return {};
      if (role.kind == RoleKind::InstanceCurrent)
        return about(network_, role.instance, known->second);
      return role.kind == RoleKind::Next && step != nullptr ? step->primed(known->second)
                                                            : known->second;
    });
  }

  [[nodiscard]] bool gone(VariableId id) const {
    return value_.contains(network_.variable(id).current);
  }

  // A condition between states, where it belongs.
  void put(Event& event, Expr condition, Span span) {
    if (pool_.is_true(condition)) return;
    Effect effect{EffectKind::Relation, {}, condition, span};
    for (const SymbolId symbol : symbols(pool_, condition)) {
      const Role role = network_.role(symbol);
      if (role.kind == RoleKind::Next) effect.writes.emplace_back(role.id);
    }
    if (effect.writes.empty()) {
      event.guards.push_back({condition, span});
    } else {
      event.effects.push_back(std::move(effect));
    }
  }

  void change(Event& event, const Definitions& found) {
    Step step(network_, event);
    Rewriter values = rewriter(&step);
    std::vector<Guard> guards;
    std::vector<Effect> effects;
    std::swap(guards, event.guards);
    std::swap(effects, event.effects);
    bool said_before = false, said_after = false;  // what holds in every state
    for (const Guard& guard : guards) {
      if (found.known.contains(guard.condition)) {
        said_before = true;
        continue;
      }
      const Expr condition = values(guard.condition);
      if (!pool_.is_true(condition))
        event.guards.push_back({condition, guard.origin, guard.of_effect});
    }
    std::unordered_set<Expr> after;
    for (const Expr e : found.holds) after.insert(step.primed(e));
    for (Effect& effect : effects) {
      if (effect.kind == EffectKind::Relation) {
        for (const Part& part : flattened(pool_, effect.expr, effect.origin)) {
          if (after.contains(part.term)) {
            said_after = true;
          } else if (found.known.contains(part.term)) {
            said_before = true;
          } else {
            put(event, values(part.term), part.span);
          }
        }
        continue;
      }
      std::erase_if(effect.writes, [&](VariableId id) { return gone(id); });
      if (effect.writes.empty()) continue;
      if (effect.expr.valid()) effect.expr = values(effect.expr);
      event.effects.push_back(std::move(effect));
    }
    for (const Part& part : found.rest) {
      if (said_before) event.guards.push_back({part.term, part.span});
      const Expr primed = step.primed(part.term);
      if (said_after && primed != part.term) put(event, primed, part.span);
    }
    free_others(event, effects);
    for (Sync& sync : event.syncs) {
      if (sync.key.valid()) sync.key = values(sync.key);
      for (Expr& argument : sync.arguments) argument = values(argument);
    }
  }

  // What was written, and is restricted by nothing any more, may become anything.
  void free_others(Event& event, const std::vector<Effect>& before) {
    std::unordered_set<VariableId> written;
    for (const Effect& effect : event.effects)
      written.insert(effect.writes.begin(), effect.writes.end());
    for (const Effect& effect : before) {
      for (const VariableId id : effect.writes) {
        if (gone(id) || !written.insert(id).second) continue;
        event.effects.push_back({EffectKind::Free, {id}, {}, effect.origin});
      }
    }
  }

  Network& network_;
  ExprPool& pool_;
  std::unordered_map<SymbolId, Expr> value_;
};

// Puts the values back.
class DefinitionBackTranslation final : public BackTranslation {
 public:
  DefinitionBackTranslation(std::shared_ptr<Network> original, std::shared_ptr<Network> result,
                            UniverseId universe, AllDefinitions definitions)
      : original_(std::move(original)),
        result_(std::move(result)),
        universe_(universe),
        definitions_(std::move(definitions)) {}

  Expected<Trace, std::string> trace(const Trace& trace) const override {
    Stepper result(*result_, trace.universe), original(*original_, trace.universe);
    State state = trace.initial;
    auto lifted = with_lifted_steps(trace, result, state, [&](const TraceStep& step) {
      return once(result, original, state, step);
    });
    if (!lifted) return lifted;
    auto initial = completed(result.layout(), trace.initial);
    if (!initial) return Unexpected{initial.error()};
    lifted->initial = std::move(*initial);
    return lifted;
  }

  // It may rest on the definitions and on what else was found to hold: they are part of it. Of
  // variables that are gone it can only say what they are in the result, always.
  Expr invariant(Expr invariant) const override {
    ExprPool& pool = original_->pool();
    Substitution gone(pool);
    std::vector<Expr> parts;
    for (const Definitions& d : definitions_) {
      for (const InstanceId i : original_->instances_of(universe_, d.machine)) {
        for (const auto& [symbol, value] : d.value) {
          const VariableId id(original_->role(symbol).id);
          gone.set(original_->of_instance(i, id), result_->variable(id).initial);
        }
        for (const Expr e : d.holds) parts.push_back(about(*original_, i, e));
      }
    }
    parts.insert(parts.begin(), gone(translated(*result_, *original_, invariant)));
    return pool.conj(parts);
  }

 private:
  // The state of the original that a state of the result is.
  [[nodiscard]] Expected<State, std::string> completed(const StateLayout& layout,
                                                       State state) const {
    Evaluator evaluate(original_->pool());
    for (const Definitions& d : definitions_) {
      for (const InstanceId i : original_->instances_of(universe_, d.machine)) {
        const Evaluator::Lookup lookup = [&](SymbolId s,
                                             std::span<const Value>) -> std::optional<Value> {
          return state.values[layout.slot(i, VariableId(original_->role(s).id))];
        };
        for (const auto& [symbol, term] : d.value) {
          auto value = evaluate(term, lookup);
          if (!value) return Unexpected{"a defined variable: " + value.error().reason};
          state.values[layout.slot(i, VariableId(original_->role(symbol).id))] = std::move(*value);
        }
      }
    }
    return state;
  }

  // The next step of the original; goes on to the state after it.
  [[nodiscard]] Expected<TraceStep, std::string> once(Stepper& result, Stepper& original,
                                                      State& state, const TraceStep& step) const {
    TraceStep lifted = step;
    lifted.times = 1;
    auto told = completed(result.layout(), state);
    if (!told) return Unexpected{told.error()};
    if (!result.advance(state, step))
      return Unexpected{"a step without names is refused: " + result.refusal().message};
    auto after = completed(result.layout(), state);
    if (!after) return Unexpected{after.error()};
    // Values that follow need not be said: repetitions can be alike then.
    if (original.advance(*told, lifted) && *told == *after) return lifted;
    for (const Occurrence& o : result.occurrences())
      choose(lifted, *original_, result.layout(), o.instance, o.event, *after);
    return lifted;
  }

  std::shared_ptr<Network> original_, result_;
  UniverseId universe_;
  AllDefinitions definitions_;
};

}  // namespace

std::optional<Transformed> defined_variables_eliminated(const std::shared_ptr<Network>& network,
                                                        PropertyId property, std::size_t& count) {
  const Property& asked = network->property(property);
  if (!is_state_property(asked.kind)) return std::nullopt;
  const Symbols stay = read_elsewhere(*network, asked);
  AllDefinitions all;
  for (std::size_t m = 0; m < network->machines().size(); ++m) {
    Definitions found = definitions(*network, MachineId(m), stay);
    count += found.value.size();
    if (!found.value.empty()) all.push_back(std::move(found));
  }
  if (all.empty()) return std::nullopt;
  auto result = std::make_shared<Network>(*network);
  Eliminator eliminate(*result, all);
  for (const Definitions& found : all) eliminate.take_out(found);
  Expr goal = asked.condition();
  eliminate.rewrite(goal);
  result->property(property).set_condition(goal);
  for (Expr& condition : result->universe(asked.universe).init) eliminate.rewrite(condition);
  auto back =
      std::make_shared<DefinitionBackTranslation>(network, result, asked.universe, std::move(all));
  return Transformed{std::move(result), property, std::move(back)};
}

}  // namespace whittle::simplify
