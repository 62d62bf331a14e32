// SPDX-License-Identifier: Apache-2.0
#include "frontend/cfa/variables.h"

#include <fmt/format.h>

namespace whittle::cfa {

Variables::Entry& Variables::declare(const VariableDeclaration& declaration) {
  const auto [it, fresh] = entries_.try_emplace(declaration.name.text);
  if (!fresh) {
    diagnostics_
        .report("cfa-001", declaration.name.span,
                fmt::format("`{}` is declared twice", declaration.name.text),
                "give one of them another name")
        .related.push_back({it->second.span, "first declared here"});
    return it->second;
  }
  const Type type = declaration.boolean ? Type::boolean() : Type::integer();
  const Span span = declaration.name.span;
  it->second = {network_.add_variable(declaration.name.text, type, owner_, span), span, true};
  symbols_.declare(SymbolKind::Variable, declaration.name.text, span);
  return it->second;
}

Variables::Entry& Variables::mention(std::string_view name, Span span) {
  const auto [it, fresh] = entries_.try_emplace(std::string(name));
  if (fresh) {
    it->second = {network_.add_variable(std::string(name), Type::integer(), owner_, span), span};
    symbols_.declare(SymbolKind::Variable, name, span);
  } else if (it->second.span != span) {
    symbols_.use(it->second.span, span);
  }
  return it->second;
}

void Variables::warn() const {
  for (const auto& [name, entry] : entries_)
    if (entry.read && !entry.set && !entry.declared)
      diagnostics_.report(
          "cfa-020", entry.span,
          fmt::format("`{}` is read, but nothing sets it: it may be any number", name),
          fmt::format("declare it with `int {};` if that is meant", name));
}

std::optional<frontend::Operand> ProgramScope::name(std::string_view name, Span span) {
  if (const auto found = arguments_.find(std::string(name)); found != arguments_.end())
    return frontend::Operand{network_.pool().symbol(network_.variable(found->second.id).current), 0,
                             0, found->second.span};
  Variables::Entry& entry = variables_.mention(name, span);
  entry.read = true;
  return frontend::Operand{network_.pool().symbol(network_.variable(entry.id).current), 0, 0, {}};
}

std::optional<Type> ProgramScope::enum_type(std::string_view name, Span span) {
  diagnostics_.report("type-005", span, fmt::format("there is no type `{}` to range over", name),
                      "quantifiers range over `low..high`");
  return std::nullopt;
}

bool ProgramScope::declares(std::string_view name) {
  return arguments_.contains(std::string(name));
}

Argument ProgramScope::target(const Name& name) {
  if (const auto found = arguments_.find(name.text); found != arguments_.end())
    return found->second;
  Variables::Entry& entry = variables_.mention(name.text, name.span);
  entry.set = true;
  return {entry.id, entry.span};
}

}  // namespace whittle::cfa
