// SPDX-License-Identifier: Apache-2.0
#include "driver/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "expr/print.h"
#include "expr/traverse.h"
#include "ir/property_kinds.h"
#include "ir/reading.h"
#include "ir/run/enabled.h"
#include "report/json.h"
#include "report/shown.h"
#include "smt/elimination/quantifier_elimination.h"
#include "witness/run_check.h"

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

// #b0101, #x1f
std::optional<Value> bits_from(const std::string& text, std::uint32_t width) {
  const bool hex = text.starts_with("#x");
  if (!hex && !text.starts_with("#b")) return std::nullopt;
  if ((text.size() - 2) * (hex ? 4 : 1) != width) return std::nullopt;
  Integer bits;
  for (char c : text.substr(2)) {
    const std::size_t digit = std::string_view("0123456789abcdef").find(c);
    if (digit >= (hex ? 16U : 2U)) return std::nullopt;
    bits = bits * Integer(hex ? 16 : 2) + Integer(static_cast<unsigned long>(digit));
  }
  return Value(BitVectorValue{std::move(bits), width});
}

}  // namespace

Simulation::Simulation(std::shared_ptr<Network> network, PropertyId property,
                       smt::SolverFactory solvers)
    : network_(std::move(network)),
      property_(property),
      universe_(network_->property(property).universe),
      solvers_(std::move(solvers)),
      lowered_(lower(*network_, property, lower_options(*network_, solvers_))),
      stepper_(*network_, universe_) {
  find_first_state({});
}

bool Simulation::restart(const Values& initial) {
  before_.clear();
  return find_first_state(initial);
}

const std::string* Simulation::said_of(std::uint32_t variable, const Values& values) const {
  const StateVariable& v = lowered_.system.variables[variable];
  auto found = values.find(v.name);
  // With a single instance its name is left out.
  if (found == values.end() && network_->universe(universe_).instances.size() == 1) {
    const std::string& instance =
        network_->instance(network_->universe(universe_).instances.front()).name;
    if (v.name.starts_with(instance))
      found = values.find(v.name.substr(instance.size() + (v.is_location ? 0 : 1)));
  }
  return found == values.end() ? nullptr : &found->second;
}

bool Simulation::find_first_state(const Values& initial) {
  const TransitionSystem& system = lowered_.system;
  auto solver = solvers_.make(*system.pool, "simulate");
  solver->require(system.init);
  for (std::uint32_t v = 0; v < system.variables.size(); ++v) {
    const StateVariable& variable = system.variables[v];
    const std::string* text = said_of(v, initial);
    if (text == nullptr) continue;
    if (const auto value = value_from(*system.pool, *text, variable.type))
      solver->require(system.pool->eq(system.pool->symbol(variable.current),
                                      system.pool->constant(*value, variable.type)));
  }
  switch (solver->check().answer) {
    case smt::Answer::Sat:
      break;
    case smt::Answer::Unsat:
      if (!initial.empty()) return false;
      throw NoFirstState("the model has no first state: its start conditions exclude each other");
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
  return true;
}

// guard(s, i) and relation(s, i, s') for the state s at hand and these arguments.
std::optional<Simulation::Choice> Simulation::solve(std::uint32_t index, const Arguments& arguments,
                                                    const Values* after) {
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
  for (std::uint32_t v : t.open) {
    if (after == nullptr) break;
    const StateVariable& variable = system.variables[v];
    const std::string* text = said_of(v, *after);
    const std::optional<Value> value =
        text == nullptr ? now[v] : value_from(pool, *text, variable.type);
    if (value)
      solver->require(pool.eq(pool.symbol(variable.next), pool.constant(*value, variable.type)));
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

std::uint32_t Simulation::transitions() const {
  const auto count = static_cast<std::uint32_t>(lowered_.system.transitions.size());
  return goal_of(network_->property(property_).kind) == GoalKind::RunRefutes ? count - 1 : count;
}

std::vector<Simulation::Choice> Simulation::choices() {
  std::vector<Choice> result;
  std::map<std::pair<InstanceId, EventId>, bool> found;
  for (std::uint32_t t = 0; t < transitions(); ++t) {
    const auto who = lowered_.back->event_of(t);
    if (found[who]) continue;
    if (auto choice = solve(t, {}, nullptr)) {
      found[who] = true;
      result.push_back(std::move(*choice));
    }
  }
  return result;
}

std::optional<Simulation::Choice> Simulation::find(InstanceId instance, EventId event,
                                                   const Arguments& arguments,
                                                   const Values* after) {
  for (std::uint32_t t = 0; t < transitions(); ++t) {
    if (lowered_.back->event_of(t) != std::pair(instance, event)) continue;
    if (auto choice = solve(t, arguments, after)) return choice;
  }
  return std::nullopt;
}

std::string Simulation::why_not(InstanceId instance, EventId event, const Arguments& arguments) {
  if (find(instance, event, arguments)) return "";
  if (!arguments.empty() && find(instance, event, {}))
    return why_not_with(instance, event, arguments);
  EnabledOptions options;
  options.candidates = suggested_candidates(*network_, universe_);
  options.steps = 1;
  for (const EventStatus& status : event_statuses(stepper_, state_, options))
    if (status.instance == instance && status.event == event && status.refusal)
      return status.refusal->message;
  return "no arguments make it possible";
}

// The refusal of the step with these arguments; others are those of a step that is possible.
std::string Simulation::why_not_with(InstanceId instance, EventId event,
                                     const Arguments& arguments) {
  auto possible = find(instance, event, {});
  TraceStep step = possible->step;
  for (const auto& [position, value] : arguments) step.arguments[position] = value;
  State trial = state_;
  if (stepper_.advance(trial, step)) return "";
  const Refusal refusal = stepper_.refusal();
  if (refusal.kind != Refusal::Kind::Guard || !refusal.condition.valid()) return refusal.message;
  // A language that reads arguments itself encodes them, and the condition is about the encoding.
  if (dynamic_cast<const ReadsArguments*>(network_->notation.get()) != nullptr)
    return "not possible with these arguments";
  return fmt::format("not possible with these arguments: {} does not hold",
                     ModelShown(*network_, universe_).condition(refusal.condition));
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

std::vector<std::string> Simulation::judged_loop(std::size_t from) {
  Trace run = trace_;
  run.loop = from - 1;
  std::vector<std::string> result;
  for (std::uint32_t p = 0; p < network_->properties().size(); ++p) {
    const Property question = network_->property(PropertyId(p));
    if (goal_of(question.kind) != GoalKind::RunRefutes || question.universe != universe_) continue;
    const auto checked = check_run(*network_, PropertyId(p), run, solvers_);
    if (!checked) {
      result.push_back(fmt::format("{}: not violated, {}", question.name, checked.error().reason));
    } else if (!checked->check.checked) {
      result.push_back(fmt::format("{}: violated, if the run is fair", question.name));
    } else {
      result.push_back(fmt::format("{}: violated", question.name));
    }
  }
  return result;
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

// The first state is part of the walk where it could be another one, and so are next values that
// a step leaves open.
std::string Simulation::script() const {
  std::string text = "start" + known_values(lowered_.back->flat_state(trace_.initial), {}) + "\n";
  for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
    const TraceStep& step = trace_.steps[i];
    const Event& event = network_->event(step.event);
    text += "do " + network_->instance(step.instance).name + "." + event.name;
    if (const std::string arguments = script_arguments(step); !arguments.empty()) {
      text += arguments;
    } else {
      for (std::size_t p = 0; p < event.parameters.size(); ++p)
        text += " " + event.parameters[p].name + "=" +
                to_string(network_->pool(), step.arguments[p], event.parameters[p].type);
    }
    if (!step.chosen.empty()) {
      const State& after = i + 1 < before_.size() ? before_[i + 1] : state_;
      const auto now = lowered_.back->flat_state(before_[i]);
      text += " with" + known_values(lowered_.back->flat_state(after), now);
    }
    text += "\n";
  }
  return text;
}

// Those that can be read back, and that differ from `without`, if that is given.
std::string Simulation::known_values(const std::vector<Value>& values,
                                     const std::vector<Value>& without) const {
  const TransitionSystem& system = lowered_.system;
  std::string text;
  for (std::size_t v = 0; v < values.size(); ++v) {
    if (!without.empty() && values[v] == without[v]) continue;
    const std::string shown = to_string(*system.pool, values[v], system.variables[v].type);
    if (shown.find_first_of("=\n\t") != std::string::npos || shown.find("  ") != std::string::npos)
      continue;
    const auto read = value_from(*system.pool, shown, system.variables[v].type);
    if (read && *read == values[v]) text += " " + system.variables[v].name + "=" + shown;
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

nlohmann::ordered_json walked(const Simulation& simulation) {
  const auto replayed = replay(simulation.network(), simulation.trace());
  WHITTLE_REQUIRE(replayed, "every step of a walk was possible");
  return json_trace(simulation.network(), simulation.trace(), *replayed, false);
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
    case TypeKind::Array: {
      // [1, 2, 3]
      const TypeInfo& info = pool.info(type);
      if (!info.length || pool.kind(info.index) != TypeKind::Int || text.size() < 2 ||
          text.front() != '[' || text.back() != ']')
        return std::nullopt;
      ArrayValue array{pool.default_value(info.element), {}};
      std::size_t begin = 1;
      for (std::uint64_t i = 0; i < *info.length; ++i) {
        const std::size_t end = std::min(text.find(", ", begin), text.size() - 1);
        const auto cell = value_from(pool, text.substr(begin, end - begin), info.element);
        if (!cell) return std::nullopt;
        array.put(Value(Integer(i)), *cell);
        begin = end + 2;
      }
      return pool.normalized(Value::array(std::move(array)), type);
    }
    case TypeKind::BitVector:
      return bits_from(text, pool.info(type).width);
    case TypeKind::Set:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace whittle
