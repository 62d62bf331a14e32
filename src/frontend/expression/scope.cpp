// SPDX-License-Identifier: Apache-2.0
// What names mean where a language says nothing else.
#include <fmt/format.h>

#include "frontend/expression/expression_typer.h"

namespace whittle::frontend {

std::optional<Operand> Scope::primed(std::string_view name, Span span) {
  diagnostics_.report("type-007", span, fmt::format("`{}'` is a next value; here is none", name),
                      "next values can be spoken of in effects only");
  return std::nullopt;
}

std::optional<Operand> Scope::at_node(std::string_view name, Span span) {
  diagnostics_.report("type-008", span, fmt::format("`@{}` cannot be asked for here", name),
                      "properties can ask where the system is");
  return std::nullopt;
}

std::optional<Operand> Scope::index(const Operand&, const Operand&, Span span) {
  diagnostics_.report("type-010", span, "only arrays have elements", "");
  return std::nullopt;
}

std::optional<Operand> Scope::member(const Operand&, std::string_view name, Span span) {
  diagnostics_.report("type-010", span, fmt::format("there is nothing that has a part `{}`", name),
                      "names contain no dots");
  return std::nullopt;
}

std::optional<Operand> Scope::label(const Operand&, std::string_view name, Span span) {
  diagnostics_.report("type-010", span, fmt::format("there is nothing that can be at `{}`", name),
                      "write an operator before `@`");
  return std::nullopt;
}

std::optional<Operand> Scope::taken(std::string_view name, Span span) {
  diagnostics_.report("ltl-010", span, fmt::format("nothing takes `{}`", name),
                      "`taken` is about steps");
  return std::nullopt;
}

std::optional<Operand> Scope::taken(const Operand&, Span span) {
  diagnostics_.report("ltl-010", span, "this is nothing that takes steps", "");
  return std::nullopt;
}

std::optional<Operand> Scope::taken(const Operand&, std::string_view label, Span span) {
  diagnostics_.report("ltl-010", span, fmt::format("nothing takes a step at `{}`", label), "");
  return std::nullopt;
}

std::optional<Operand> Scope::halt(Span span) {
  diagnostics_.report("ltl-002", span, "`halt` cannot be asked for here",
                      "it is a part of formulas of temporal logic");
  return std::nullopt;
}

}  // namespace whittle::frontend
