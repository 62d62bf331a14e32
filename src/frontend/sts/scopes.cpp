// SPDX-License-Identifier: Apache-2.0
#include "frontend/sts/scopes.h"

#include <fmt/format.h>

#include "base/nearest.h"

namespace whittle::sts {

using frontend::Operand;

std::optional<Operand> StsScope::name(std::string_view name, Span span) {
  Symbol* symbol = symbols_.find(name);
  if (symbol == nullptr) {
    report_unknown(diagnostics_, symbols_, name, span);
    return std::nullopt;
  }
  symbol->used = true;
  if (symbol->broken) return std::nullopt;
  if (symbol->kind == Symbol::Kind::Variable) {
    auto result = variable(VariableId(symbol->index), name, span);
    if (result) result->declaration = symbol->span;
    return result;
  }
  // A constant whose own definition is wrong has none; that was reported there.
  if (!symbol->expr.valid()) return std::nullopt;
  return Operand{symbol->expr, 0, 0, symbol->span};
}

std::optional<Type> StsScope::enum_type(std::string_view name, Span span) {
  const auto it = symbols_.types.find(name);
  if (it == symbols_.types.end()) {
    report_unknown_type(diagnostics_, symbols_, name, span);
    return std::nullopt;
  }
  if (!symbols_.type_spans.contains(name)) {
    diagnostics_.report("type-005", span, fmt::format("`{}` has no list of values", name),
                        "quantifiers range over `low..high` or an enumeration");
    return std::nullopt;
  }
  symbols_.index->use(symbols_.type_spans.find(name)->second, span);
  return it->second;
}

std::optional<Operand> ConstantScope::variable(VariableId, std::string_view name, Span span) {
  diagnostics_.report("type-013", span, fmt::format("`{}` is a variable, not a constant", name),
                      "constants are made of numbers, texts, enumeration values and constants");
  return std::nullopt;
}

std::optional<Operand> StepScope::variable(VariableId id, std::string_view, Span) {
  return Operand{network_.pool().symbol(network_.variable(id).current), 0, 0};
}

std::optional<Operand> StepScope::primed(std::string_view name, Span span) {
  if (!effects) return Scope::primed(name, span);
  Symbol* symbol = symbols_.find(name);
  if (symbol == nullptr) {
    report_unknown(diagnostics_, symbols_, name, span);
    return std::nullopt;
  }
  symbol->used = true;
  if (symbol->kind != Symbol::Kind::Variable) {
    diagnostics_.report(
        "sts-007", span,
        fmt::format("`{}` is {} and has no next value", name, describe(symbol->kind)),
        "only what is declared with `var` changes");
    return std::nullopt;
  }
  if (symbol->broken) return std::nullopt;
  return Operand{network_.pool().symbol(network_.variable(VariableId(symbol->index)).next), 0, 0,
                 symbol->span};
}

std::optional<Operand> PropertyScope::variable(VariableId id, std::string_view, Span) {
  return Operand{network_.pool().symbol(network_.of_instance(instance_, id)), 0, 0};
}

std::optional<Operand> PropertyScope::at_node(std::string_view name, Span span) {
  if (!nodes) return Scope::at_node(name, span);
  const auto it = symbols_.nodes.find(name);
  if (it == symbols_.nodes.end()) {
    report_unknown_node(diagnostics_, symbols_, name, span);
    return std::nullopt;
  }
  return Operand{network_.pool().symbol(network_.at_instance(instance_, it->second)), 0, 0,
                 network_.location(it->second).origin};
}

std::optional<Operand> FormulaScope::taken(std::string_view name, Span span) {
  NearestName nearest(name);
  for (std::uint32_t i = 0; i < network_.events().size(); ++i) {
    const Event& event = network_.event(EventId(i));
    if (event.name == name) {
      return Operand{network_.pool().symbol(network_.taken_by(instance_, EventId(i))), 0, 0,
                     event.origin};
    }
    nearest.offer(event.name);
  }
  if (symbols_.unread != nullptr && symbols_.unread->contains(std::string(name))) {
    return std::nullopt;
  }
  diagnostics_.report("ltl-010", span, fmt::format("there is no transition `{}`", name),
                      nearest.result() ? fmt::format("did you mean `{}`?", *nearest.result())
                                       : "`taken(t)` is about the transition t");
  return std::nullopt;
}

std::optional<Operand> FormulaScope::taken(const Operand&, Span span) {
  diagnostics_.report("ltl-010", span, "this is no transition",
                      "`taken(t)` is about the transition t");
  return std::nullopt;
}

std::optional<Operand> FormulaScope::halt(Span) {
  return Operand{network_.pool().symbol(network_.halt()), 0, 0};
}

}  // namespace whittle::sts
