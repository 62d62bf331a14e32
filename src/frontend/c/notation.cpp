// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/notation.h"

#include <algorithm>

#include "frontend/expression/expression_printer.h"
#include "frontend/expression/plain_notation.h"
#include "ir/outside.h"

namespace whittle::c {

namespace {

class CNotation final : public frontend::PlainNotation, public CallsOutside {
 public:
  CNotation(const Types& types, std::shared_ptr<const TypesOfSymbols> of_symbols,
            std::shared_ptr<const std::map<std::string, std::string>> outside)
      : types_(types), of_symbols_(std::move(of_symbols)), outside_(std::move(outside)) {}

  [[nodiscard]] std::vector<Function> outside() const override {
    std::vector<Function> result;
    for (const auto& [name, type] : *outside_) result.push_back({name, type});
    return result;
  }
  [[nodiscard]] bool from_outside(const Parameter& parameter) const override {
    return parameter.name.starts_with("value");
  }

  [[nodiscard]] std::vector<Shown> state(const Network& network, MachineId machine,
                                         const std::function<Value(VariableId)>& value_of,
                                         const std::vector<VariableId>& only) const override {
    std::vector<Shown> result;
    const auto& all =
        machine.valid() ? network.machine(machine).variables : network.shared_variables();
    for (const VariableId id : all) {
      if (!only.empty() && std::find(only.begin(), only.end(), id) == only.end()) continue;
      const Variable& variable = network.variable(id);
      const auto type = of_symbols_->find(variable.current.index());
      const bool is_signed = type != of_symbols_->end() && types_.is_signed(type->second);
      result.push_back(
          {variable.name, shown(network.pool(), value_of(id), variable.type, is_signed)});
    }
    return result;
  }

  // An input is shown as the type of the variable that gets it.
  [[nodiscard]] std::vector<Shown> arguments(const Network& network, EventId event,
                                             const std::vector<Value>& values) const override {
    std::vector<Shown> result;
    const Event& e = network.event(event);
    for (std::size_t i = 0; i < e.parameters.size() && i < values.size(); ++i) {
      const Expr symbol = network.pool().symbol(e.parameters[i].symbol);
      bool is_signed = true;
      for (const Effect& effect : e.effects) {
        if (effect.expr != symbol || effect.writes.empty()) continue;
        const auto type = of_symbols_->find(network.variable(effect.writes[0]).current.index());
        if (type != of_symbols_->end()) is_signed = types_.is_signed(type->second);
      }
      result.push_back({e.parameters[i].name,
                        shown(network.pool(), values[i], e.parameters[i].type, is_signed)});
    }
    return result;
  }

  [[nodiscard]] std::string condition(const Network& network, Expr condition) const override {
    const auto writer = [&network](SymbolId symbol) -> std::string {
      const Role role = network.role(symbol);
      switch (role.kind) {
        case RoleKind::Current:
        case RoleKind::InstanceCurrent:
        case RoleKind::Next:
          return network.variable(VariableId(role.id)).name;
        case RoleKind::At:
        case RoleKind::InstanceAt:
          return "@" + network.location(LocationId(role.id)).name;
        default:
          return network.pool().info(symbol).name;
      }
    };
    return frontend::print_expression(network.pool(), condition, writer, {},
                                      frontend::PrintMode::ForPeople);
  }

  [[nodiscard]] LanguageTraits traits() const override {
    LanguageTraits traits;
    traits.programs = true;
    traits.instances = "processes";
    return traits;
  }

 private:
  [[nodiscard]] static std::string shown(const ExprPool& pool, const Value& value, Type type,
                                         bool is_signed) {
    if (value.is_bit_vector()) {
      const BitVectorValue& bits = value.as_bit_vector();
      const Integer half = pow(Integer(2), pool.info(type).width - 1);
      const bool negative = is_signed && bits.bits >= half;
      return (negative ? bits.bits - half - half : bits.bits).to_string();
    }
    const TypeInfo& info = pool.info(type);
    if (info.kind != whittle::TypeKind::Array || !info.length)
      return frontend::print_value(pool, value, type, false);
    constexpr std::uint64_t kShown = 32;
    std::string text = "{";
    for (std::uint64_t i = 0; i < std::min(*info.length, kShown); ++i) {
      if (i > 0) text += ", ";
      const Value& element = value.as_array().at(Value(Integer(static_cast<unsigned long>(i))));
      text += shown(pool, element, info.element, is_signed);
    }
    return text + (*info.length > kShown ? ", ...}" : "}");
  }

  // Never shown: events have arguments and variables, which are above.
  [[nodiscard]] std::string text_of(const ExprPool& pool, const Value& value,
                                    Type type) const override {
    return shown(pool, value, type, true);
  }

  Types types_;
  std::shared_ptr<const TypesOfSymbols> of_symbols_;
  std::shared_ptr<const std::map<std::string, std::string>> outside_;
};

}  // namespace

std::shared_ptr<const Notation> make_notation(
    const Types& types, std::shared_ptr<const TypesOfSymbols> of_symbols,
    std::shared_ptr<const std::map<std::string, std::string>> outside) {
  return std::make_shared<CNotation>(types, std::move(of_symbols), std::move(outside));
}

}  // namespace whittle::c
