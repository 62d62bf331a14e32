// SPDX-License-Identifier: Apache-2.0
#include "slice/uses.h"

#include "expr/traverse.h"

namespace whittle::slice {

const Uses& UseTable::of(Expr e) {
  auto [place, fresh] = known_.try_emplace(e);
  Uses& uses = place->second;
  if (!fresh || !e.valid()) return uses;
  auto read_remote = [&](VariableId v) {
    MachineId machine = network_.variable(v).machine;
    if (!machine.valid()) {
      uses.shared.push_back(v);
      return;
    }
    uses.remote.push_back(v);
    uses.machines.push_back(machine);
  };
  for (SymbolId symbol : symbols(network_.pool(), e)) {
    Role role = network_.role(symbol);
    switch (role.kind) {
      case RoleKind::Current:
      case RoleKind::Next: {
        VariableId v(role.id);
        if (!network_.variable(v).machine.valid())
          uses.shared.push_back(v);
        else
          (role.kind == RoleKind::Current ? uses.own : uses.own_next).push_back(v);
        break;
      }
      case RoleKind::Input:
        uses.inputs.push_back(symbol);
        break;
      case RoleKind::At:
      case RoleKind::AtNext:
        uses.own_locations.emplace_back(role.id);
        break;
      case RoleKind::RemoteCurrent:
      case RoleKind::RemoteNext:
      case RoleKind::InstanceCurrent:
        read_remote(VariableId(role.id));
        break;
      case RoleKind::RemoteAt:
      case RoleKind::RemoteAtNext:
      case RoleKind::InstanceAt:
        uses.remote_locations.emplace_back(role.id);
        uses.machines.push_back(network_.location(LocationId(role.id)).machine);
        break;
      case RoleKind::Known:
        uses.machines.emplace_back(role.id);
        break;
      case RoleKind::InstanceTaken:
        uses.machines.push_back(network_.event(EventId(role.id)).machine);
        break;
      case RoleKind::Halt:
      case RoleKind::Bound:
      case RoleKind::None:
        break;
    }
  }
  return uses;
}

}  // namespace whittle::slice
