// SPDX-License-Identifier: Apache-2.0
#include "report/shown.h"

#include <algorithm>

#include "expr/print.h"
#include "expr/traverse.h"

namespace whittle {

ModelShown::ModelShown(const Network& network, UniverseId universe)
    : network_(network), layout_(network, universe) {
  if (!traits_of(network).values_begin_with_events) return;
  std::map<MachineId, std::map<VariableId, std::uint32_t>> written;
  std::map<MachineId, std::uint32_t> ways_out;
  for (const Event& event : network.events()) {
    if (!event.machine.valid() || network.machine(event.machine).starts.empty()) continue;
    const LocationId start = network.machine(event.machine).starts.front().location;
    bool leaves = false;
    for (const Arc& arc : event.arcs) leaves = leaves || arc.from == start;
    if (!leaves) continue;
    ++ways_out[event.machine];
    std::set<VariableId> writes;
    for (const Effect& effect : event.effects) {
      writes.insert(effect.writes.begin(), effect.writes.end());
    }
    for (VariableId variable : writes) ++written[event.machine][variable];
  }
  for (const auto& [machine, variables] : written) {
    for (const auto& [variable, count] : variables) {
      if (count == ways_out[machine]) unset_[machine].insert(variable);
    }
  }
}

bool ModelShown::unset(InstanceId instance, LocationId location, VariableId variable) const {
  const MachineId machine = network_.instance(instance).machine;
  const auto it = unset_.find(machine);
  if (it == unset_.end() || !it->second.contains(variable)) return false;
  return location == network_.machine(machine).starts.front().location;
}

void ModelShown::add_values(const State& state, InstanceId instance, MachineId machine,
                            const std::vector<VariableId>& variables, bool all,
                            std::vector<ShownValue>& result) const {
  if (variables.empty()) return;
  auto value_of = [&](VariableId variable) {
    return state.values[layout_.slot(instance, variable)];
  };
  if (network_.notation) {
    const std::vector<VariableId> only = all ? std::vector<VariableId>{} : variables;
    for (Shown& shown : network_.notation->state(network_, machine, value_of, only)) {
      result.push_back({instance, std::move(shown.name), std::move(shown.value)});
    }
    return;
  }
  for (VariableId variable : variables) {
    const Variable& info = network_.variable(variable);
    result.push_back(
        {instance, info.name, to_string(network_.pool(), value_of(variable), info.type)});
  }
}

// The location of a machine with only one is no news.
void ModelShown::add_location(const State& state, std::size_t position,
                              std::vector<ShownValue>& result) const {
  const InstanceId instance = layout_.instance(position);
  const Machine& machine = network_.machine(network_.instance(instance).machine);
  if (machine.locations.size() < 2) return;
  result.push_back({instance, "", network_.location(state.locations[position]).name});
}

std::vector<ShownValue> ModelShown::state(const State& state) const {
  std::vector<ShownValue> result;
  add_values(state, {}, {}, network_.shared_variables(), true, result);
  for (std::size_t i = 0; i < layout_.instance_count(); ++i) {
    const InstanceId instance = layout_.instance(i);
    const MachineId machine = network_.instance(instance).machine;
    add_location(state, i, result);
    std::vector<VariableId> variables;
    for (VariableId variable : network_.machine(machine).variables) {
      if (variable == network_.machine(machine).key) continue;
      if (unset(instance, state.locations[i], variable)) continue;
      variables.push_back(variable);
    }
    add_values(state, instance, machine, variables,
               variables.size() == network_.machine(machine).variables.size(), result);
  }
  return result;
}

std::vector<ShownValue> ModelShown::changes(const ReplayedStep& step) const {
  std::vector<ShownValue> result;
  std::map<InstanceId, std::vector<VariableId>> changed;  // invalid first: it is the largest id
  std::vector<VariableId> shared;
  for (std::uint32_t slot : step.changed_slots) {
    const auto [instance, variable] = layout_.at(slot);
    (instance.valid() ? changed[instance] : shared).push_back(variable);
  }
  for (std::uint32_t position : step.moved) changed[layout_.instance(position)];
  // A first value is news even where it happens to be what the variable held before.
  for (const Occurrence& occurrence : step.occurrences) {
    if (!occurrence.instance.valid()) continue;
    const MachineId machine = network_.instance(occurrence.instance).machine;
    const auto first = unset_.find(machine);
    if (first == unset_.end()) continue;
    const LocationId start = network_.machine(machine).starts.front().location;
    const LocationId now = step.after.locations[layout_.position(occurrence.instance)];
    bool begins = false;
    for (const Arc& arc : network_.event(occurrence.event).arcs) {
      begins = begins || (arc.from == start && arc.to == now);
    }
    if (!begins) continue;
    for (VariableId variable : first->second) {
      std::vector<VariableId>& news = changed[occurrence.instance];
      if (std::find(news.begin(), news.end(), variable) == news.end()) news.push_back(variable);
    }
  }
  add_values(step.after, {}, {}, shared, false, result);
  for (const auto& [instance, variables] : changed) {
    const std::size_t position = layout_.position(instance);
    for (std::uint32_t moved : step.moved) {
      if (moved == position) add_location(step.after, position, result);
    }
    add_values(step.after, instance, network_.instance(instance).machine, variables, false, result);
  }
  return result;
}

std::vector<ShownValue> ModelShown::values(const State& state, InstanceId instance,
                                           const std::vector<VariableId>& variables) const {
  std::vector<ShownValue> result;
  const MachineId machine = instance.valid() ? network_.instance(instance).machine : MachineId();
  add_values(state, instance, machine, variables, false, result);
  return result;
}

std::vector<ShownEvent> ModelShown::events(const ReplayedStep& step) const {
  std::vector<ShownEvent> result;
  for (const Occurrence& occurrence : step.occurrences) {
    ShownEvent shown{
        occurrence.instance, network_.event(occurrence.event).name, {}, occurrence.depth};
    if (network_.notation) {
      shown.arguments =
          network_.notation->arguments(network_, occurrence.event, occurrence.arguments);
    } else {
      const auto& parameters = network_.event(occurrence.event).parameters;
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        shown.arguments.push_back(
            {parameters[i].name,
             to_string(network_.pool(), occurrence.arguments[i], parameters[i].type)});
      }
    }
    result.push_back(std::move(shown));
  }
  return result;
}

std::string ModelShown::condition(Expr condition) const {
  if (network_.notation) return network_.notation->condition(network_, condition);
  return to_string(network_.pool(), condition);
}

std::vector<std::string> ModelShown::conditions(Expr all) const {
  if (network_.notation) return network_.notation->conditions(network_, all);
  std::vector<std::string> result;
  for (Expr part : conjuncts(network_.pool(), all)) result.push_back(condition(part));
  return result;
}

std::string ModelShown::instance(InstanceId instance) const {
  return instance.valid() ? network_.instance(instance).name : std::string();
}

std::string ModelShown::key(const ShownValue& value) const {
  const bool prefix = value.instance.valid() && !single();
  std::string result = prefix ? instance(value.instance) : std::string();
  if (value.name.empty()) return result + "@";
  if (prefix) result += ".";
  return result + value.name;
}

}  // namespace whittle
