// SPDX-License-Identifier: Apache-2.0
#include "frontend/fcl/notation.h"

#include "frontend/expression/expression_printer.h"
#include "frontend/expression/plain_notation.h"

namespace whittle::fcl {

namespace {

// Places are written `[loop.2]`.
frontend::SymbolWriter symbol_writer(const Network& network) {
  return [&network](SymbolId symbol) -> std::string {
    const Role role = network.role(symbol);
    switch (role.kind) {
      case RoleKind::Current:
      case RoleKind::InstanceCurrent:
        return network.variable(VariableId(role.id)).name;
      case RoleKind::Next:
        return network.variable(VariableId(role.id)).name + "'";
      case RoleKind::At:
      case RoleKind::InstanceAt:
        return "[" + network.location(LocationId(role.id)).name + "]";
      default:
        return network.pool().info(symbol).name;
    }
  };
}

class FclNotation final : public frontend::PlainNotation {
 public:
  [[nodiscard]] std::string condition(const Network& network, Expr condition) const override {
    return frontend::print_expression(network.pool(), condition, symbol_writer(network), {},
                                      frontend::PrintMode::ForPeople);
  }
  [[nodiscard]] LanguageTraits traits() const override {
    LanguageTraits traits;
    traits.programs = true;
    traits.instances = "processes";
    return traits;
  }

 private:
  [[nodiscard]] std::string text_of(const ExprPool& pool, const Value& value,
                                    Type type) const override {
    return frontend::print_value(pool, value, type, false);
  }
};

}  // namespace

std::shared_ptr<const Notation> make_notation() { return std::make_shared<FclNotation>(); }

}  // namespace whittle::fcl
