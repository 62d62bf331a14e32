// SPDX-License-Identifier: Apache-2.0
#include "frontend/sts/notation.h"

#include <algorithm>

#include "frontend/lexer.h"

namespace whittle::sts {

namespace {

class StsNotation : public Notation {
 public:
  [[nodiscard]] std::vector<Shown> state(const Network& network, MachineId machine,
                                         const std::function<Value(VariableId)>& value_of,
                                         const std::vector<VariableId>& only) const override {
    std::vector<Shown> result;
    const auto& all =
        machine.valid() ? network.machine(machine).variables : network.shared_variables();
    for (const VariableId id : all) {
      if (!only.empty() && std::find(only.begin(), only.end(), id) == only.end()) continue;
      const Variable& variable = network.variable(id);
      result.push_back({variable.name,
                        frontend::print_value(network.pool(), value_of(id), variable.type, false)});
    }
    return result;
  }

  [[nodiscard]] std::vector<Shown> arguments(const Network& network, EventId event,
                                             const std::vector<Value>& values) const override {
    std::vector<Shown> result;
    const auto& parameters = network.event(event).parameters;
    for (std::size_t i = 0; i < parameters.size() && i < values.size(); ++i) {
      result.push_back({parameters[i].name, frontend::print_value(network.pool(), values[i],
                                                                  parameters[i].type, false)});
    }
    return result;
  }

  [[nodiscard]] std::string condition(const Network& network, Expr condition) const override {
    return frontend::print_expression(network.pool(), condition, symbol_writer(network), {},
                                      frontend::PrintMode::ForPeople);
  }
};

}  // namespace

std::shared_ptr<const Notation> make_notation() { return std::make_shared<StsNotation>(); }

std::string written(std::string_view name) {
  return frontend::is_plain_name(name) ? std::string(name) : frontend::in_quotes(name);
}

frontend::SymbolWriter symbol_writer(const Network& network) {
  return [&network](SymbolId symbol) -> std::string {
    const Role role = network.role(symbol);
    switch (role.kind) {
      case RoleKind::Current:
      case RoleKind::InstanceCurrent:
      case RoleKind::RemoteCurrent:
        return network.variable(VariableId(role.id)).name;
      case RoleKind::Next:
      case RoleKind::RemoteNext:
        return network.variable(VariableId(role.id)).name + "'";
      case RoleKind::At:
      case RoleKind::RemoteAt:
      case RoleKind::InstanceAt:
        return "@" + written(network.location(LocationId(role.id)).name);
      case RoleKind::AtNext:
      case RoleKind::RemoteAtNext:
        return "@" + written(network.location(LocationId(role.id)).name) + "'";
      case RoleKind::Input:
      case RoleKind::Bound:
      case RoleKind::Known:
      case RoleKind::None:
        return network.pool().info(symbol).name;
    }
    return network.pool().info(symbol).name;
  };
}

}  // namespace whittle::sts
