// SPDX-License-Identifier: Apache-2.0
// What a step and its refusal are called, and why a state is no first state.
#include "expr/print.h"
#include "ir/notation.h"
#include "ir/run/stepping.h"

namespace whittle::stepping {

namespace {

std::string text_of(const Network& network, Expr condition) {
  if (network.notation != nullptr) return network.notation->condition(network, condition);
  return to_string(network.pool(), condition);
}

std::string location_name(const Network& network, LocationId id) {
  const bool known = id.valid() && id.index() < network.locations().size();
  return known ? network.location(id).name : "nowhere";
}

// Is the instance at this position at one of its starts?
std::optional<std::string> start_problem(StateEvaluator& evaluator, const Network& network,
                                         const StateLayout& layout, const State& state,
                                         std::size_t position) {
  const Instance& instance = network.instance(layout.instance(position));
  const Machine& machine = network.machine(instance.machine);
  if (machine.key.valid() && state.values[layout.slot_at(position, machine.key)] != instance.key) {
    return instance.name + " does not have its key";
  }
  evaluator.set_context({&state, nullptr, position, nullptr});
  for (const Start& start : machine.starts) {
    if (start.location != state.locations[position]) continue;
    if (!start.condition.valid()) return std::nullopt;
    auto holds = evaluator.value(start.condition);
    if (holds && holds->as_bool()) return std::nullopt;
  }
  return instance.name + " is at no start: " + location_name(network, state.locations[position]);
}

}  // namespace

std::string slot_name(const Network& network, const StateLayout& layout, std::size_t slot) {
  const auto [instance, variable] = layout.at(slot);
  const std::string& name = network.variable(variable).name;
  return instance.valid() ? network.instance(instance).name + "." + name : name;
}

std::string event_name(const Network& network, InstanceId instance, EventId event) {
  std::string text;
  if (instance.valid()) text = network.instance(instance).name;
  if (event.valid()) text += (text.empty() ? "" : ".") + network.event(event).name;
  return text;
}

std::string described(const Network& network, const Occurrence& o) {
  std::string text = event_name(network, o.instance, o.event) + "(";
  if (network.notation != nullptr) {
    bool first = true;
    for (const Shown& shown : network.notation->arguments(network, o.event, o.arguments)) {
      text += (first ? "" : ", ") + shown.value;
      first = false;
    }
    return text + ")";
  }
  const auto& parameters = network.event(o.event).parameters;
  for (std::size_t i = 0; i < o.arguments.size(); ++i) {
    text += (i == 0 ? "" : ", ") + to_string(network.pool(), o.arguments[i], parameters[i].type);
  }
  return text + ")";
}

std::string message(const Network& network, const Failure& f) {
  std::string name = event_name(network, f.instance, f.event);
  switch (f.kind) {
    case Refusal::Kind::Location:
      return f.detail.empty() ? name + " does not lead there from here"
                              : name + " cannot happen at " + f.detail;
    case Refusal::Kind::Guard:
      return name + ": " + text_of(network, f.condition) + " does not hold";
    case Refusal::Kind::Relation:
      if (!f.condition.valid()) return name + ": no next state was found";
      return name + ": " + text_of(network, f.condition) +
             " does not hold between before and after";
    case Refusal::Kind::Assignment:
      return name + ": " + f.detail + " would get two values";
    case Refusal::Kind::Sync:
      return name + " " + f.detail;
    case Refusal::Kind::Conflict:
      return network.instance(f.instance).name + " " + f.detail;
    case Refusal::Kind::Undefined:
      return name + ": " + text_of(network, f.condition) + " has no value (" + f.detail + ")";
    case Refusal::Kind::Malformed:
      return name.empty() ? f.detail : name + ": " + f.detail;
  }
  return name;
}

std::optional<std::string> initial_problem(StateEvaluator& evaluator, const Network& network,
                                           const StateLayout& layout, const State& state) {
  if (state.values.size() != layout.value_count() ||
      state.locations.size() != layout.instance_count()) {
    return "the state does not fit the universe";
  }
  for (std::size_t slot = 0; slot < state.values.size(); ++slot) {
    const Variable& variable = network.variable(layout.at(slot).second);
    const std::string name = slot_name(network, layout, slot);
    if (!network.pool().has_type(state.values[slot], variable.type)) {
      return name + " is no " + network.pool().to_string(variable.type);
    }
    if (!variable.initial.valid()) continue;
    const InstanceId owner = layout.at(slot).first;
    evaluator.set_context(
        {&state, nullptr, owner.valid() ? layout.position(owner) : kNoPosition, nullptr});
    auto wanted = evaluator.value(variable.initial);
    if (!wanted) return "the initial value of " + name + " is undefined";
    if (*wanted != network.pool().normalized(state.values[slot], variable.type)) {
      return name + " does not have its initial value " +
             to_string(network.pool(), *wanted, variable.type);
    }
  }
  for (std::size_t p = 0; p < state.locations.size(); ++p) {
    if (auto problem = start_problem(evaluator, network, layout, state, p)) return problem;
  }
  for (Expr condition : network.universe(layout.universe()).init) {
    evaluator.set_context({&state, nullptr, kNoPosition, nullptr});
    auto holds = evaluator.value(condition);
    if (!holds || !holds->as_bool()) {
      return "the first state does not satisfy " + text_of(network, condition);
    }
  }
  return std::nullopt;
}

}  // namespace whittle::stepping
