// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "expr/traverse.h"
#include "ir/run/stepping.h"

namespace whittle::stepping {

StateEvaluator::StateEvaluator(const Network& n, UniverseId u)
    : network(n), universe(u), layout(n, u), evaluator_(n.pool()) {
  lookup_ = [this](SymbolId symbol, std::span<const Value> arguments) {
    return value_of(symbol, arguments);
  };
}

Expected<Value, Undefined> StateEvaluator::value(Expr e) {
  const ExprPool& pool = network.pool();
  if (pool.is_const(e)) return pool.value(e);
  return observed(evaluator_, e, lookup_, observations_);
}

std::optional<Value> StateEvaluator::value_of(SymbolId symbol,
                                              std::span<const Value> arguments) const {
  const Role role = network.role(symbol);
  switch (role.kind) {
    case RoleKind::Current:
      return current(context_.position, VariableId(role.id));
    case RoleKind::Next:
      return next(context_.position, VariableId(role.id));
    case RoleKind::Input: {
      if (context_.self == nullptr || context_.self->occurrence.event.index() != role.id) return {};
      const auto& parameters = network.event(EventId(role.id)).parameters;
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (parameters[i].symbol == symbol) return context_.self->occurrence.arguments[i];
      }
      return {};
    }
    case RoleKind::At:
      if (context_.position == kNoPosition) return {};
      return Value(context_.state->locations[context_.position] == LocationId(role.id));
    case RoleKind::AtNext:
      if (context_.position == kNoPosition) return {};
      return Value(next_location(context_.position) == LocationId(role.id));
    case RoleKind::RemoteCurrent: {
      const std::size_t p = remote(network.variable(VariableId(role.id)).machine, arguments);
      if (p == kNoPosition) return {};
      return current(p, VariableId(role.id));
    }
    case RoleKind::RemoteNext: {
      const std::size_t p = remote(network.variable(VariableId(role.id)).machine, arguments);
      if (p == kNoPosition) return {};
      return next(p, VariableId(role.id));
    }
    case RoleKind::RemoteAt: {
      const std::size_t p = remote(network.location(LocationId(role.id)).machine, arguments);
      return Value(p != kNoPosition && context_.state->locations[p] == LocationId(role.id));
    }
    case RoleKind::RemoteAtNext: {
      const std::size_t p = remote(network.location(LocationId(role.id)).machine, arguments);
      return Value(p != kNoPosition && next_location(p) == LocationId(role.id));
    }
    case RoleKind::Known:
      return Value(remote(MachineId(role.id), arguments) != kNoPosition);
    case RoleKind::InstanceCurrent:
      if (!layout.contains(role.instance)) return {};
      return current(layout.position(role.instance), VariableId(role.id));
    case RoleKind::InstanceAt:
      if (!layout.contains(role.instance)) return {};
      return Value(context_.state->locations[layout.position(role.instance)] ==
                   LocationId(role.id));
    case RoleKind::InstanceTaken:
    case RoleKind::Halt:  // not of a state alone
    case RoleKind::None:
    case RoleKind::Bound:
      return {};
  }
  return {};
}

std::optional<Value> StateEvaluator::current(std::size_t position, VariableId variable) const {
  if (position == kNoPosition && network.variable(variable).machine.valid()) return {};
  return context_.state->values[layout.slot_at(position, variable)];
}

std::optional<Value> StateEvaluator::next(std::size_t position, VariableId variable) const {
  if (position == kNoPosition && network.variable(variable).machine.valid()) return {};
  const std::size_t slot = layout.slot_at(position, variable);
  if (context_.trial != nullptr) {
    if (const Value* value = context_.trial->next.find(slot)) return *value;
    if (context_.trial->open.find(slot) != nullptr) return {};  // not known yet
  }
  return context_.state->values[slot];
}

LocationId StateEvaluator::next_location(std::size_t position) const {
  if (context_.trial != nullptr) {
    if (const std::uint32_t* i = context_.trial->at_position.find(position)) {
      return context_.trial->participants[*i].target;
    }
  }
  return context_.state->locations[position];
}

std::size_t StateEvaluator::remote(MachineId machine, std::span<const Value> arguments) const {
  const InstanceId found =
      network.find_instance(universe, machine, arguments.empty() ? Value() : arguments.front());
  return found.valid() ? layout.position(found) : kNoPosition;
}

EventSummary event_summary(const Network& network, EventId id) {
  EventSummary f;
  f.ready = true;
  const Event& event = network.event(id);
  f.arcs = event.arcs;
  auto less = [](const Arc& a, const Arc& b) {
    return std::pair(a.from, a.to) < std::pair(b.from, b.to);
  };
  auto same = [](const Arc& a, const Arc& b) { return a.from == b.from && a.to == b.to; };
  std::sort(f.arcs.begin(), f.arcs.end(), less);
  f.arcs.erase(std::unique(f.arcs.begin(), f.arcs.end(), same), f.arcs.end());
  f.equations = equations_of(network, id);
  for (const Effect& effect : event.effects) {
    if (effect.kind != EffectKind::Relation) continue;
    for (SymbolId symbol : symbols(network.pool(), effect.expr)) {
      const Role role = network.role(symbol);
      if (role.kind == RoleKind::Next || role.kind == RoleKind::RemoteNext) {
        f.next_mentions.emplace_back(role.id);
      }
      if (role.kind == RoleKind::AtNext || role.kind == RoleKind::RemoteAtNext) {
        f.next_location = true;
      }
    }
  }
  return f;
}

}  // namespace whittle::stepping
