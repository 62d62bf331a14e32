// SPDX-License-Identifier: Apache-2.0
#include "frontend/proc/symbol_writer.h"

#include "frontend/expression/lexer.h"

namespace whittle::proc {

frontend::SymbolWriter symbol_writer(const Network& network) {
  return [&network](SymbolId symbol) -> std::string {
    const Role role = network.role(symbol);
    auto place = [&] {
      const std::string& name = network.location(LocationId(role.id)).name;
      return "@" + (frontend::is_plain_name(name) ? name : frontend::in_quotes(name));
    };
    switch (role.kind) {
      case RoleKind::Current:
        return network.variable(VariableId(role.id)).name;
      case RoleKind::Next:
        return network.variable(VariableId(role.id)).name + "'";
      case RoleKind::InstanceCurrent:
        return network.instance(role.instance).name + "." +
               network.variable(VariableId(role.id)).name;
      case RoleKind::InstanceAt:
        return network.instance(role.instance).name + place();
      case RoleKind::InstanceTaken:
        return "taken(" + network.instance(role.instance).name + ")";
      case RoleKind::At:
        return place();
      default:
        return network.pool().info(symbol).name;
    }
  };
}

}  // namespace whittle::proc
