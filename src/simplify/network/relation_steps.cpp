// SPDX-License-Identifier: Apache-2.0
#include "simplify/network/relation_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include "expr/evaluate.h"
#include "expr/traverse.h"
#include "ir/run/stepper.h"
#include "simplify/network/carry_over.h"
#include "simplify/network/control_bits.h"
#include "simplify/network/step_equations.h"

namespace whittle::simplify {

namespace {

constexpr std::size_t kMaxEvents = 1024;        // more: the disjunction stays a guard
constexpr std::size_t kMaxConjuncts = 500'000;  // of all events together
constexpr std::size_t kMaxPaths = 32;           // of one step
constexpr int kMaxNesting = 8;                  // of disjunctions in disjunctions

// What a relation speaks of besides the values before the step.
struct Unknowns {
  std::unordered_set<SymbolId> next;    // of the variables that it writes
  std::unordered_set<SymbolId> inputs;  // parameters of the event
};

class Splitter {
 public:
  Splitter(ExprPool& pool, const Unknowns& unknowns) : pool_(pool), next_(unknowns.next) {}

  std::vector<Parts> run(const Parts& relation) {
    Parts all;
    for (const Part& part : relation) flatten(pool_, part, all);
    std::vector<Parts> done;
    std::vector<Parts> open;  // the next one last
    open.push_back(std::move(all));
    while (!open.empty()) {
      Parts parts = std::move(open.back());
      open.pop_back();
      auto alternatives = split(parts, open.size() + done.size());
      if (alternatives.empty()) {
        done.push_back(std::move(parts));
        continue;
      }
      std::reverse(alternatives.begin(), alternatives.end());
      for (Parts& alternative : alternatives) open.push_back(std::move(alternative));
    }
    return done;
  }

 private:
  // The parts of a disjunction, also of one that is written in another way; empty if it is none.
  std::vector<Expr> alternatives(Expr e) {
    std::vector<Expr> result;
    if (pool_.op(e) == Op::Or) {
      result = disjuncts(pool_, e);
    } else if (pool_.op(e) == Op::Ite) {
      const auto children = pool_.children(e);
      result = {pool_.conj(children[0], children[1]),
                pool_.conj(pool_.negate(children[0]), children[2])};
    } else if (pool_.op(e) == Op::Not && pool_.op(pool_.child(e, 0)) == Op::And) {
      for (const Expr child : pool_.children(pool_.child(e, 0))) {
        result.push_back(pool_.negate(child));
      }
    }
    return result;
  }

  [[nodiscard]] bool is_next(Expr e) const {
    return pool_.is_variable(e) && next_.contains(pool_.symbol_of(e));
  }

  [[nodiscard]] bool is_equation(Expr e) const {
    if (is_next(e)) return true;
    if (pool_.op(e) == Op::Not) return is_next(pool_.child(e, 0));
    if (pool_.op(e) != Op::Eq) return false;
    return is_next(pool_.child(e, 0)) || is_next(pool_.child(e, 1)) ||
           sum_determines(pool_, e, next_);
  }

  // Whether each part of the disjunction says what some next value is.
  bool determines(Expr e, int depth) {
    if (depth > kMaxNesting) return false;
    const std::vector<Expr> parts = alternatives(e);
    if (parts.size() < 2) return false;
    return std::all_of(parts.begin(), parts.end(), [&](Expr d) {
      Parts inner;
      flatten(pool_, {d, {}, false}, inner);
      return std::any_of(inner.begin(), inner.end(), [&](const Part& p) {
        return is_equation(p.term) || determines(p.term, depth + 1);
      });
    });
  }

  std::vector<Parts> split(const Parts& parts, std::size_t others) {
    // The one with the most parts.
    std::size_t chosen = parts.size();
    std::vector<Expr> best;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].common) continue;
      const Op op = pool_.op(parts[i].term);
      if (op != Op::Or && op != Op::Ite && op != Op::Not) continue;
      std::vector<Expr> found = alternatives(parts[i].term);
      if (found.size() <= best.size() || !determines(parts[i].term, 0)) continue;
      chosen = i;
      best = std::move(found);
    }
    if (best.size() < 2 || others + best.size() > kMaxEvents ||
        copied_ + best.size() * parts.size() > kMaxConjuncts) {
      return {};
    }
    copied_ += best.size() * parts.size();
    std::vector<Parts> result;
    for (const Expr d : best) {
      Parts alternative;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i == chosen) {
          flatten(pool_, {d, parts[i].span, false}, alternative);
        } else {
          alternative.push_back(parts[i]);
          alternative.back().common = true;
        }
      }
      result.push_back(std::move(alternative));
    }
    return result;
  }

  ExprPool& pool_;
  const std::unordered_set<SymbolId>& next_;
  std::size_t copied_ = 0;
};

// One event from what is left of its conjuncts and what they say about next values. What nothing
// determines but something mentions is a parameter.
class EventMaker {
 public:
  // `event` has no parameters yet.
  EventMaker(Network& network, EventId event, const Unknowns& unknowns)
      : network_(network),
        pool_(network.pool()),
        event_(event),
        unknowns_(unknowns),
        with_parameters_(pool_, [this](Expr e, std::span<const Expr>) { return parameter(e); }) {}

  void run(const StepEquations& solved) {
    std::vector<Guard> guards;
    for (const Part& part : solved.conditions()) {
      const Expr condition = with_parameters_(part.term);
      if (!pool_.is_true(condition)) guards.push_back({condition, part.span});
    }
    std::vector<VariableId> written;
    for (const VariableId id : network_.machine(network_.event(event_).machine).variables) {
      if (unknowns_.next.contains(network_.variable(id).next)) written.push_back(id);
    }
    std::vector<Expr> values;  // before the first effect: they may bring parameters
    for (const VariableId id : written) {
      const auto* solution = solved.solution(network_.variable(id).next);
      values.push_back(solution == nullptr ? Expr() : with_parameters_(solution->value));
    }
    std::vector<Effect> effects;
    for (std::size_t i = 0; i < written.size(); ++i) {
      const Variable& variable = network_.variable(written[i]);
      const auto* solution = solved.solution(variable.next);
      Effect effect;
      effect.writes = {written[i]};
      effect.origin = solution == nullptr ? variable.origin : solution->span;
      effect.expr = values[i];
      if (const auto chosen = parameters_.find(variable.next); chosen != parameters_.end())
        effect.expr = chosen->second;
      if (effect.expr == pool_.symbol(variable.current)) continue;  // stays
      effect.kind = effect.expr.valid() ? EffectKind::Assign : EffectKind::Free;
      effects.push_back(std::move(effect));
    }
    network_.event(event_).guards = std::move(guards);
    network_.event(event_).effects = std::move(effects);
  }

  // What an input of the relation is in a step of this event: a term over the variables and the
  // parameters. What no condition speaks of may be anything.
  [[nodiscard]] Expr input(const StepEquations& solved, SymbolId symbol) {
    Rewriter known(pool_, [this](Expr e, std::span<const Expr>) -> Expr {
      if (!is_unknown(e)) return {};
      const auto parameter = parameters_.find(pool_.symbol_of(e));
      if (parameter != parameters_.end()) return parameter->second;
      return pool_.constant(pool_.default_value(pool_.type(e)), pool_.type(e));
    });
    const auto* solution = solved.solution(symbol);
    return known(solution == nullptr ? pool_.symbol(symbol) : solution->value);
  }

 private:
  [[nodiscard]] bool is_unknown(Expr e) const {
    if (!pool_.is_variable(e)) return false;
    const SymbolId symbol = pool_.symbol_of(e);
    return unknowns_.next.contains(symbol) || unknowns_.inputs.contains(symbol);
  }

  // What stands for an input, or for a next value that nothing determines; invalid: something else.
  Expr parameter(Expr e) {
    if (!is_unknown(e)) return {};
    const SymbolId symbol = pool_.symbol_of(e);
    if (const auto known = parameters_.find(symbol); known != parameters_.end())
      return known->second;
    const Role role = network_.role(symbol);
    const Span span =
        role.kind == RoleKind::Next ? network_.variable(VariableId(role.id)).origin : Span{};
    const SymbolInfo info = pool_.info(symbol);
    const Expr made = pool_.symbol(network_.add_parameter(event_, info.name, info.type, span));
    return parameters_.emplace(symbol, made).first->second;
  }

  Network& network_;
  ExprPool& pool_;
  EventId event_;
  const Unknowns& unknowns_;
  std::unordered_map<SymbolId, Expr> parameters_;
  Rewriter with_parameters_;
};

// A step, or what it is on each of the paths that it can take.
std::vector<StepEquations> solved_paths(ExprPool& pool, const Unknowns& unknowns, const Parts& step,
                                        std::size_t others) {
  const auto solve = [&](const Parts& parts) {
    StepEquations equations(pool, unknowns.inputs, unknowns.next);
    equations.solve(with_facts_known(pool, parts));
    return equations;
  };
  std::vector<StepEquations> done;
  std::vector<Parts> open = {step};  // the next one last
  while (!open.empty()) {
    const Parts parts = std::move(open.back());
    open.pop_back();
    StepEquations equations = solve(parts);
    const std::vector<Expr> choice = equations.choice();
    if (choice.empty()) {
      done.push_back(std::move(equations));
      continue;
    }
    if (done.size() + open.size() + choice.size() > kMaxPaths ||
        others + done.size() + open.size() + choice.size() > kMaxEvents) {
      done.clear();
      done.push_back(solve(step));
      return done;
    }
    for (std::size_t i = choice.size(); i-- > 0;) {
      open.push_back(parts);
      open.back().push_back({choice[i], {}, false});
    }
  }
  return done;
}

// Where an event of the result comes from.
struct Origin {
  EventId event;             // of the original
  std::vector<Expr> inputs;  // what its parameters are, over variables and parameters of the result
};

// Steps of the result as steps of the relation: the values of its inputs, and all next values.
class RelationBackTranslation final : public BackTranslation {
 public:
  RelationBackTranslation(std::shared_ptr<Network> original, std::shared_ptr<Network> result,
                          std::unordered_map<EventId, Origin> origins)
      : original_(std::move(original)), result_(std::move(result)), origins_(std::move(origins)) {}

  Expected<Trace, std::string> trace(const Trace& trace) const override;
  Expr invariant(Expr invariant) const override {
    return translated(*result_, *original_, invariant);
  }

 private:
  struct Walk {
    Walk(const RelationBackTranslation& back, const Trace& trace)
        : result(*back.result_, trace.universe),
          original(*back.original_, trace.universe),
          evaluate(back.original_->pool()),
          state(trace.initial) {}
    Stepper result, original;
    Evaluator evaluate;
    State state;
  };

  [[nodiscard]] Expected<TraceStep, std::string> once(Walk& walk, const TraceStep& step) const;
  [[nodiscard]] Expected<std::vector<Value>, std::string> inputs(Walk& walk, const Origin& origin,
                                                                 const TraceStep& step) const;

  std::shared_ptr<Network> original_, result_;
  std::unordered_map<EventId, Origin> origins_;  // by event of the result
};

Expected<Trace, std::string> RelationBackTranslation::trace(const Trace& trace) const {
  Walk walk(*this, trace);
  return with_lifted_steps(trace, walk.result, walk.state,
                           [&](const TraceStep& step) { return once(walk, step); });
}

Expected<std::vector<Value>, std::string> RelationBackTranslation::inputs(
    Walk& walk, const Origin& origin, const TraceStep& step) const {
  const Event& event = result_->event(step.event);
  std::unordered_map<SymbolId, const Value*> arguments;
  for (std::size_t p = 0; p < event.parameters.size(); ++p)
    arguments.emplace(event.parameters[p].symbol, &step.arguments[p]);
  const Evaluator::Lookup lookup = [&](SymbolId s, std::span<const Value>) -> std::optional<Value> {
    const Role role = result_->role(s);
    if (role.kind == RoleKind::Current)
      return walk.state.values[walk.result.layout().slot(step.instance, VariableId(role.id))];
    const auto argument = arguments.find(s);
    return argument == arguments.end() ? std::nullopt : std::optional(*argument->second);
  };
  std::vector<Value> values;
  for (const Expr input : origin.inputs) {
    auto value = walk.evaluate(input, lookup);
    if (!value) return Unexpected{"an input that equations determine: " + value.error().reason};
    values.push_back(std::move(*value));
  }
  return values;
}

// The next step of the original; goes on to the state after it.
Expected<TraceStep, std::string> RelationBackTranslation::once(Walk& walk,
                                                               const TraceStep& step) const {
  TraceStep lifted = step;
  lifted.times = 1;
  const auto origin = origins_.find(step.event);
  State after = walk.state;
  if (origin != origins_.end()) {
    lifted.event = origin->second.event;
    auto values = inputs(walk, origin->second, step);
    if (!values) return Unexpected{values.error()};
    lifted.arguments = std::move(*values);
    lifted.chosen.clear();
  }
  if (!walk.result.advance(after, step))
    return Unexpected{"a step of the events is refused: " + walk.result.refusal().message};
  if (origin != origins_.end()) {
    // Next values that single equations give need not be said: repetitions can be alike then.
    State told = walk.state;
    if (!walk.original.advance(told, lifted) || told != after) {
      choose(lifted, *original_, walk.result.layout(), step.instance, lifted.event, after);
    }
  }
  walk.state = std::move(after);
  return lifted;
}

// The conjuncts of a relation, and what it speaks of.
Parts conjuncts_of(const Network& network, const Event& event, Unknowns& unknowns) {
  ExprPool& pool = network.pool();
  Parts parts;
  for (const Guard& guard : event.guards) parts.push_back({guard.condition, guard.origin});
  for (const Effect& effect : event.effects) {
    for (const VariableId id : effect.writes) unknowns.next.insert(network.variable(id).next);
    if (effect.kind == EffectKind::Relation) parts.push_back({effect.expr, effect.origin});
    if (effect.kind != EffectKind::Assign) continue;
    const Expr next = pool.symbol(network.variable(effect.writes.front()).next);
    parts.push_back({pool.eq(next, effect.expr), effect.origin});
  }
  for (const Parameter& p : event.parameters) unknowns.inputs.insert(p.symbol);
  return parts;
}

bool is_relation(const Event& event) {
  return event.root && event.syncs.empty() &&
         std::any_of(event.effects.begin(), event.effects.end(),
                     [](const Effect& effect) { return effect.kind == EffectKind::Relation; });
}

void take_apart(Network& network, EventId id, const smt::SolverFactory* solvers,
                std::unordered_map<EventId, Origin>& origins) {
  const Event whole = network.event(id);
  Unknowns unknowns;
  const Parts relation = conjuncts_of(network, whole, unknowns);
  std::vector<Parts> cases = {relation};
  if (solvers != nullptr) {
    if (auto edges = control_cases(network, id, relation, *solvers)) cases = std::move(*edges);
  }
  std::vector<StepEquations> solved;
  for (const Parts& one : cases) {
    for (const Parts& step : Splitter(network.pool(), unknowns).run(one)) {
      std::vector<StepEquations> paths =
          solved_paths(network.pool(), unknowns, step, solved.size());
      std::move(paths.begin(), paths.end(), std::back_inserter(solved));
    }
  }
  for (std::size_t i = 0; i < solved.size(); ++i) {
    const std::string name =
        solved.size() == 1 ? whole.name : fmt::format("{} {}", whole.name, i + 1);
    const EventId made = i == 0 ? id : network.add_event(name, whole.machine, whole.origin);
    Event& event = network.event(made);
    event.name = name;
    event.parameters.clear();
    event.arcs = whole.arcs;
    EventMaker maker(network, made, unknowns);
    maker.run(solved[i]);
    Origin origin{id, {}};
    for (const Parameter& p : whole.parameters)
      origin.inputs.push_back(maker.input(solved[i], p.symbol));
    origins.emplace(made, std::move(origin));
  }
}

}  // namespace

std::optional<Transformed> relations_taken_apart(const std::shared_ptr<Network>& network,
                                                 PropertyId property,
                                                 const smt::SolverFactory* solvers) {
  if (!is_state_property(network->property(property).kind)) return std::nullopt;
  const std::vector<char> called = called_events(*network);
  std::vector<EventId> chosen;
  for (std::size_t i = 0; i < network->events().size(); ++i) {
    const EventId id(i);
    if (is_relation(network->event(id)) && called[i] == 0) chosen.push_back(id);
  }
  if (chosen.empty()) return std::nullopt;
  auto result = std::make_shared<Network>(*network);
  std::unordered_map<EventId, Origin> origins;
  for (const EventId id : chosen) take_apart(*result, id, solvers, origins);
  auto back = std::make_shared<RelationBackTranslation>(network, result, std::move(origins));
  return Transformed{std::move(result), property, std::move(back)};
}

}  // namespace whittle::simplify
