// SPDX-License-Identifier: Apache-2.0
#include "frontend/expression/plain_notation.h"

#include <algorithm>

#include "ir/notation.h"

namespace whittle::frontend {

std::vector<Shown> PlainNotation::state(const Network& network, MachineId machine,
                                        const std::function<Value(VariableId)>& value_of,
                                        const std::vector<VariableId>& only) const {
  std::vector<Shown> result;
  const auto& all =
      machine.valid() ? network.machine(machine).variables : network.shared_variables();
  for (const VariableId id : all) {
    if (!only.empty() && std::find(only.begin(), only.end(), id) == only.end()) continue;
    const Variable& variable = network.variable(id);
    result.push_back({variable.name, text_of(network.pool(), value_of(id), variable.type)});
  }
  return result;
}

std::vector<Shown> PlainNotation::arguments(const Network& network, EventId event,
                                            const std::vector<Value>& values) const {
  std::vector<Shown> result;
  const auto& parameters = network.event(event).parameters;
  for (std::size_t i = 0; i < parameters.size() && i < values.size(); ++i) {
    result.push_back({parameters[i].name, text_of(network.pool(), values[i], parameters[i].type)});
  }
  return result;
}

}  // namespace whittle::frontend
