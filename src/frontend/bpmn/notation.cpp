// SPDX-License-Identifier: Apache-2.0
#include "frontend/bpmn/notation.h"

#include "frontend/bpmn/causal_order.h"
#include "frontend/expression/expression_printer.h"
#include "frontend/expression/lexer.h"
#include "frontend/expression/plain_notation.h"
#include "ir/network.h"

namespace whittle::bpmn {

namespace {

std::string quoted(const std::string& name) {
  return frontend::is_plain_name(name) ? name : frontend::in_quotes(name);
}

frontend::SymbolWriter symbol_writer(const Network& network) {
  return [&network](SymbolId symbol) -> std::string {
    const Role role = network.role(symbol);
    switch (role.kind) {
      case RoleKind::Current:
      case RoleKind::InstanceCurrent:
        return quoted(network.variable(VariableId(role.id)).name);
      case RoleKind::Next:
        return quoted(network.variable(VariableId(role.id)).name) + "'";
      case RoleKind::At:
        return "@" + quoted(network.location(LocationId(role.id)).name);
      case RoleKind::InstanceAt:
        return quoted(network.instance(role.instance).name) + "@" +
               quoted(network.location(LocationId(role.id)).name);
      default:
        return network.pool().info(symbol).name;
    }
  };
}

class BpmnNotation final : public frontend::PlainNotation {
 public:
  explicit BpmnNotation(std::optional<Remarks> remarks) : remarks_(std::move(remarks)) {}

  [[nodiscard]] std::vector<std::string> remarks(
      PropertyKind kind,
      const std::function<Value(InstanceId, VariableId)>& value_of) const override {
    return remarks_ ? remarks_->on(kind, value_of) : std::vector<std::string>();
  }
  // Of a whole state only where tokens are.
  [[nodiscard]] std::vector<Shown> state(const Network& network, MachineId machine,
                                         const std::function<Value(VariableId)>& value_of,
                                         const std::vector<VariableId>& only) const override {
    std::vector<Shown> shown = PlainNotation::state(network, machine, value_of, only);
    std::erase_if(shown, [&](const Shown& entry) {
      if (entry.name == "ended" || entry.name.starts_with(CausalOrder::kOwn)) return true;
      return only.empty() && (entry.value == "0" || entry.value == "none");
    });
    return shown;
  }
  [[nodiscard]] std::string condition(const Network& network, Expr condition) const override {
    return frontend::print_expression(network.pool(), condition, symbol_writer(network), {},
                                      frontend::PrintMode::ForPeople);
  }
  [[nodiscard]] LanguageTraits traits() const override {
    LanguageTraits traits;
    traits.instances = "pools";
    return traits;
  }

 private:
  [[nodiscard]] std::string text_of(const ExprPool& pool, const Value& value,
                                    Type type) const override {
    return frontend::print_value(pool, value, type, false);
  }

  std::optional<Remarks> remarks_;
};

}  // namespace

std::shared_ptr<const Notation> make_notation(std::optional<Remarks> remarks) {
  return std::make_shared<BpmnNotation>(std::move(remarks));
}

}  // namespace whittle::bpmn
