// SPDX-License-Identifier: Apache-2.0
// What a PROC file demands: conditions on first states, properties as written, and those that every
// program has (assertions, bounds of arrays, divisions).
#pragma once

#include "frontend/proc/context.h"

namespace whittle::proc {

class PropertyBuilder {
 public:
  PropertyBuilder(Context& context, const ErrorLocations& errors)
      : context_(context),
        errors_(errors),
        pool_(context.network.pool()),
        typer_(pool_, context.tree, context.diagnostics, context.symbols) {}

  void inits();
  // `deadlock`: also whether all processes can get stuck.
  void properties(bool deadlock);

 private:
  [[nodiscard]] Property demand(std::string name, PropertyKind kind) const;
  // False: it makes no sense, which was reported.
  [[nodiscard]] bool about_states(const PropertyDeclaration& declaration, Property& property);
  [[nodiscard]] bool about_runs(const PropertyDeclaration& declaration, Property& property);
  [[nodiscard]] Expr unless_stopped(Expr e, std::vector<std::uint32_t> processes);
  [[nodiscard]] Expr nowhere(const std::vector<LocationId>& locations);
  void assertions(std::optional<std::uint64_t> depth);
  void safe_operations(std::optional<std::uint64_t> depth);
  void add(Property property, std::optional<std::uint64_t> depth);

  Context& context_;
  const ErrorLocations& errors_;
  ExprPool& pool_;
  frontend::ExpressionTyper typer_;
};

}  // namespace whittle::proc
