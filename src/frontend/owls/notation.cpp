// SPDX-License-Identifier: Apache-2.0
#include "frontend/owls/notation.h"

#include "frontend/expression/lexer.h"
#include "frontend/expression/plain_notation.h"

namespace whittle::owls {

namespace {

// Places are written `@"line 12"`.
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
      case RoleKind::InstanceAt: {
        const std::string& name = network.location(LocationId(role.id)).name;
        return "@" + (frontend::is_plain_name(name) ? name : frontend::in_quotes(name));
      }
      default:
        return network.pool().info(symbol).name;
    }
  };
}

class OwlsNotation final : public frontend::PlainNotation {
 public:
  [[nodiscard]] std::string condition(const Network& network, Expr condition) const override {
    return frontend::print_expression(network.pool(), condition, symbol_writer(network), {},
                                      frontend::PrintMode::ForPeople);
  }
  [[nodiscard]] LanguageTraits traits() const override {
    LanguageTraits traits;
    traits.programs = true;
    traits.instances = "branches";
    return traits;
  }

 private:
  [[nodiscard]] std::string text_of(const ExprPool& pool, const Value& value,
                                    Type type) const override {
    return frontend::print_value(pool, value, type, false);
  }
};

}  // namespace

std::shared_ptr<const Notation> make_notation() { return std::make_shared<OwlsNotation>(); }

}  // namespace whittle::owls
