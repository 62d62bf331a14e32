// SPDX-License-Identifier: Apache-2.0
// What names mean in the different places of an STS file: in constants, in conditions on states, in
// effects, in properties.
#pragma once

#include "frontend/expression/expression_typer.h"
#include "frontend/sts/symbols.h"
#include "ir/network.h"

namespace whittle::sts {

// Looks names up; the derived scopes say what a variable is.
class StsScope : public frontend::Scope {
 public:
  StsScope(Symbols& symbols, Diagnostics& diagnostics)
      : frontend::Scope(diagnostics), symbols_(symbols) {}

  std::optional<frontend::Operand> name(std::string_view name, Span span) override;
  std::optional<Type> enum_type(std::string_view name, Span span) override;
  bool declares(std::string_view name) override { return symbols_.find(name) != nullptr; }

 protected:
  virtual std::optional<frontend::Operand> variable(VariableId id, std::string_view name,
                                                    Span span) = 0;
  Symbols& symbols_;
};

// Only constants and values.
class ConstantScope : public StsScope {
 public:
  using StsScope::StsScope;

 protected:
  std::optional<frontend::Operand> variable(VariableId id, std::string_view name,
                                            Span span) override;
};

// The state before a step: starts, guards; in effects also the state after it.
class StepScope : public StsScope {
 public:
  StepScope(Symbols& symbols, Diagnostics& diagnostics, const Network& network)
      : StsScope(symbols, diagnostics), network_(network) {}
  bool effects = false;

  std::optional<frontend::Operand> primed(std::string_view name, Span span) override;

 protected:
  std::optional<frontend::Operand> variable(VariableId id, std::string_view name,
                                            Span span) override;

 private:
  const Network& network_;
};

// A state of the one instance there is; where it is can be asked for.
class PropertyScope : public StsScope {
 public:
  PropertyScope(Symbols& symbols, Diagnostics& diagnostics, Network& network, InstanceId instance)
      : StsScope(symbols, diagnostics), network_(network), instance_(instance) {}
  bool nodes = true;  // whether `@Node` is allowed

  std::optional<frontend::Operand> at_node(std::string_view name, Span span) override;

 protected:
  std::optional<frontend::Operand> variable(VariableId id, std::string_view name,
                                            Span span) override;
  Network& network_;
  InstanceId instance_;
};

// A state of a run, with the step that leaves it.
class FormulaScope : public PropertyScope {
 public:
  using PropertyScope::PropertyScope;

  std::optional<frontend::Operand> taken(std::string_view name, Span span) override;
  std::optional<frontend::Operand> taken(const frontend::Operand& base, Span span) override;
  std::optional<frontend::Operand> halt(Span span) override;
};

}  // namespace whittle::sts
