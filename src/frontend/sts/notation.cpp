// SPDX-License-Identifier: Apache-2.0
#include "frontend/sts/notation.h"

#include <algorithm>

#include "frontend/expression/lexer.h"
#include "frontend/expression/plain_notation.h"

namespace whittle::sts {

namespace {

class StsNotation final : public frontend::PlainNotation {
 public:
  [[nodiscard]] std::string condition(const Network& network, Expr condition) const override {
    return frontend::print_expression(network.pool(), condition, symbol_writer(network), {},
                                      frontend::PrintMode::ForPeople);
  }
  [[nodiscard]] LanguageTraits traits() const override {
    LanguageTraits traits;
    traits.has_constraints = true;
    return traits;
  }

 private:
  [[nodiscard]] std::string text_of(const ExprPool& pool, const Value& value,
                                    Type type) const override {
    return frontend::print_value(pool, value, type, false);
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
      case RoleKind::InstanceTaken:
        return "taken(" + written(network.event(EventId(role.id)).name) + ")";
      case RoleKind::Halt:
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
