// SPDX-License-Identifier: Apache-2.0
#include "driver/simulate.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "expr/print.h"
#include "expr/traverse.h"
#include "ir/enabled.h"
#include "ir/reading.h"
#include "report/shown.h"
#include "smt/simplify.h"

namespace whittle {

namespace {

LowerOptions lower_options(Network& network, const smt::SolverFactory& solvers) {
  LowerOptions options;
  options.eliminate = smt::elimination(network.pool(), solvers.settings().limits);
  return options;
}

std::string arguments_text(const std::vector<Shown>& arguments) {
  if (arguments.empty()) return "";
  std::string text = "(";
  for (const Shown& a : arguments) {
    if (text.size() > 1) text += ", ";
    text += a.value;
  }
  return text + ")";
}

}  // namespace

Simulation::Simulation(std::shared_ptr<Network> network, PropertyId property,
                       smt::SolverFactory solvers)
    : network_(std::move(network)),
      universe_(network_->property(property).universe),
      solvers_(std::move(solvers)),
      lowered_(lower(*network_, property, lower_options(*network_, solvers_))),
      stepper_(*network_, universe_) {
  find_first_state();
}

void Simulation::find_first_state() {
  const TransitionSystem& system = lowered_.system;
  auto solver = solvers_.make(*system.pool, "simulate");
  solver->require(system.init);
  switch (solver->check().answer) {
    case smt::Answer::Sat:
      break;
    case smt::Answer::Unsat:
      throw ResourceError("the model has no first state: its start conditions exclude each other");
    case smt::Answer::Unknown:
      throw ResourceError("no first state was found");
  }
  FlatTrace first;
  try {
    for (const StateVariable& v : system.variables)
      first.initial.push_back(solver->value(system.pool->symbol(v.current)));
  } catch (const smt::NoValue& none) {
    throw ResourceError(fmt::format("the first state cannot be written down: {}", none.what()));
  }
  trace_ = lowered_.back->trace(first);
  trace_.steps.clear();
  state_ = trace_.initial;
}

// guard(s, i) and relation(s, i, s') for the state s at hand and these arguments.
std::optional<Simulation::Choice> Simulation::solve(std::uint32_t index,
                                                    const std::map<std::size_t, Value>& arguments) {
  const TransitionSystem& system = lowered_.system;
  ExprPool& pool = *system.pool;
  const Transition& t = system.transitions[index];
  const std::vector<Value> now = lowered_.back->flat_state(state_);
  Substitution here(pool);
  for (std::size_t v = 0; v < now.size(); ++v)
    here.set(system.variables[v].current, pool.constant(now[v], system.variables[v].type));
  const Expr guard = here(t.guard);
  if (pool.is_false(guard)) return std::nullopt;
  auto solver = solvers_.make(pool, "simulate");
  solver->require(guard);
  if (t.relation.valid()) solver->require(here(t.relation));
  for (const auto& [position, value] : arguments) {
    const SymbolId input = t.inputs.at(position);
    solver->require(pool.eq(pool.symbol(input), pool.constant(value, pool.info(input).type)));
  }
  if (solver->check().answer != smt::Answer::Sat) return std::nullopt;
  FlatTrace step;
  step.initial = now;
  FlatStep flat;
  flat.transition = index;
  try {
    for (SymbolId input : t.inputs) flat.inputs.push_back(solver->value(pool.symbol(input)));
    for (std::uint32_t v : t.open)
      flat.open.emplace_back(v, solver->value(pool.symbol(system.variables[v].next)));
  } catch (const smt::NoValue&) {
    return std::nullopt;
  }
  step.steps.push_back(std::move(flat));
  Trace back = lowered_.back->trace(step);
  const auto [instance, event] = lowered_.back->event_of(index);
  Choice choice{instance, event, back.steps.front()};
  State trial = state_;
  if (!stepper_.advance(trial, choice.step)) return std::nullopt;
  return choice;
}

std::vector<Simulation::Choice> Simulation::choices() {
  std::vector<Choice> result;
  std::map<std::pair<InstanceId, EventId>, bool> found;
  for (std::uint32_t t = 0; t < lowered_.system.transitions.size(); ++t) {
    const auto who = lowered_.back->event_of(t);
    if (found[who]) continue;
    if (auto choice = solve(t, {})) {
      found[who] = true;
      result.push_back(std::move(*choice));
    }
  }
  return result;
}

std::optional<Simulation::Choice> Simulation::find(InstanceId instance, EventId event,
                                                   const std::map<std::size_t, Value>& arguments) {
  for (std::uint32_t t = 0; t < lowered_.system.transitions.size(); ++t) {
    if (lowered_.back->event_of(t) != std::pair(instance, event)) continue;
    if (auto choice = solve(t, arguments)) return choice;
  }
  return std::nullopt;
}

std::string Simulation::why_not(InstanceId instance, EventId event) {
  if (find(instance, event, {})) return "";
  EnabledOptions options;
  options.candidates = suggested_candidates(*network_, universe_);
  options.steps = 1;
  for (const EventStatus& status : event_statuses(stepper_, state_, options))
    if (status.instance == instance && status.event == event && status.refusal)
      return status.refusal->message;
  return "no arguments make it possible";
}

void Simulation::take(const TraceStep& step) {
  before_.push_back(state_);
  const bool taken = stepper_.advance(state_, step);
  WHITTLE_REQUIRE(taken, "only possible steps are taken");
  trace_.steps.push_back(step);
}

bool Simulation::undo() {
  if (before_.empty()) return false;
  state_ = std::move(before_.back());
  before_.pop_back();
  trace_.steps.pop_back();
  return true;
}

bool Simulation::random_step(std::mt19937_64& random) {
  const std::vector<Choice> possible = choices();
  if (possible.empty()) return false;
  take(possible[random() % possible.size()].step);
  return true;
}

// ----- words

std::string Simulation::state_text() const {
  const ModelShown shown(*network_, universe_);
  std::string text;
  InstanceId last;
  bool first = true;
  for (const ShownValue& v : shown.state(state_)) {
    if (first || v.instance != last) {
      if (!first) text += "\n";
      text += v.instance.valid() ? "  " + network_->instance(v.instance).name + ": " : "  ";
    } else {
      text += ", ";
    }
    text += v.name.empty() ? "at " + v.value : v.name + " = " + v.value;
    last = v.instance;
    first = false;
  }
  return text + "\n";
}

std::string Simulation::event_text(const Choice& choice) const {
  std::vector<Shown> arguments;
  if (network_->notation)
    arguments = network_->notation->arguments(*network_, choice.event, choice.step.arguments);
  return network_->instance(choice.instance).name + "." + network_->event(choice.event).name +
         arguments_text(arguments);
}

std::string Simulation::last_step_text() const {
  if (trace_.steps.empty()) return "";
  const TraceStep& step = trace_.steps.back();
  return event_text({step.instance, step.event, step});
}

// In the words of the language; empty where these cannot be read back as the same arguments.
std::string Simulation::script_arguments(const TraceStep& step) const {
  const auto* reader = dynamic_cast<const ReadsArguments*>(network_->notation.get());
  if (reader == nullptr) return "";
  std::string text;
  std::size_t covered = 0;
  for (const Shown& a : network_->notation->arguments(*network_, step.event, step.arguments)) {
    std::string expected;
    // The reader of scripts splits at blanks and takes a word with '=' for the next argument.
    if (a.value.find_first_of("=\n\t") != std::string::npos ||
        a.value.find("  ") != std::string::npos)
      return "";
    const auto values = reader->read(*network_, step.event, a.name, a.value, expected);
    if (!values) return "";
    for (const auto& [position, value] : *values) {
      if (value != step.arguments.at(position)) return "";
    }
    covered += values->size();
    text += " " + a.name + "=" + a.value;
  }
  return covered == step.arguments.size() ? text : "";
}

std::string Simulation::script() const {
  std::string text;
  for (const TraceStep& step : trace_.steps) {
    const Event& event = network_->event(step.event);
    text += "do " + network_->instance(step.instance).name + "." + event.name;
    if (const std::string arguments = script_arguments(step); !arguments.empty()) {
      text += arguments + "\n";
      continue;
    }
    for (std::size_t i = 0; i < event.parameters.size(); ++i)
      text += " " + event.parameters[i].name + "=" +
              to_string(network_->pool(), step.arguments[i], event.parameters[i].type);
    text += "\n";
  }
  return text;
}

std::vector<std::pair<InstanceId, EventId>> Simulation::named(const std::string& name) const {
  std::vector<std::pair<InstanceId, EventId>> result;
  for (InstanceId i : network_->universe(universe_).instances) {
    const whittle::Instance& instance = network_->instance(i);
    for (EventId e : network_->machine(instance.machine).events) {
      const Event& event = network_->event(e);
      if (name == event.name || name == instance.name + "." + event.name ||
          name == network_->machine(instance.machine).name + "." + event.name)
        result.emplace_back(i, e);
    }
  }
  return result;
}

std::optional<Value> value_from(const ExprPool& pool, const std::string& text, Type type) {
  switch (pool.kind(type)) {
    case TypeKind::Bool:
      if (text == "true") return Value(true);
      if (text == "false") return Value(false);
      return std::nullopt;
    case TypeKind::Int:
      if (auto n = Integer::parse(text)) return Value(std::move(*n));
      return std::nullopt;
    case TypeKind::Real:
      if (auto r = Rational::parse(text)) return Value(std::move(*r));
      return std::nullopt;
    case TypeKind::String:
      if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
        return Value::string(text.substr(1, text.size() - 2));
      return Value::string(text);
    case TypeKind::Enum: {
      const auto& values = pool.info(type).values;
      const auto at = std::find(values.begin(), values.end(), text);
      if (at == values.end()) return std::nullopt;
      return Value(EnumValue{static_cast<std::uint32_t>(at - values.begin())});
    }
    case TypeKind::Array:
    case TypeKind::Set:
    case TypeKind::BitVector:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace whittle
