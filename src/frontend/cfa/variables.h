// SPDX-License-Identifier: Apache-2.0
// What names stand for in a CFA file: parameters inside their procedure, variables everywhere. A
// variable that nobody declared is an `int` from its first mention on.
#pragma once

#include <map>
#include <string>
#include <unordered_map>

#include "frontend/cfa/ast.h"
#include "frontend/expression/expression_typer.h"
#include "frontend/symbol_index.h"
#include "ir/network.h"

namespace whittle::cfa {

class Variables {
 public:
  struct Entry {
    VariableId id;
    Span span;  // of its name where it is declared or first mentioned
    bool declared = false;
    bool read = false;
    bool set = false;
  };

  Variables(Network& network, Diagnostics& diagnostics, SymbolIndex& symbols)
      : network_(network), diagnostics_(diagnostics), symbols_(symbols) {}

  // The machine of all variables; without, they are shared.
  void belong_to(MachineId owner) { owner_ = owner; }
  Entry& declare(const VariableDeclaration& declaration);
  // The variable of that name; a new one where it was not mentioned before.
  Entry& mention(std::string_view name, Span span);
  // Those that are read, but neither declared nor set.
  void warn() const;

 private:
  std::unordered_map<std::string, Entry> entries_;
  Network& network_;
  Diagnostics& diagnostics_;
  SymbolIndex& symbols_;
  MachineId owner_;
};

// A parameter of a copy of a procedure.
struct Argument {
  VariableId id;
  Span span;
};
using Arguments = std::unordered_map<std::string, Argument>;

// Inside a procedure, or outside of all.
class ProgramScope final : public frontend::Scope {
 public:
  ProgramScope(Variables& variables, const Network& network, const Arguments& arguments,
               Diagnostics& diagnostics)
      : frontend::Scope(diagnostics),
        variables_(variables),
        network_(network),
        arguments_(arguments) {}

  std::optional<frontend::Operand> name(std::string_view name, Span span) override;
  std::optional<Type> enum_type(std::string_view name, Span span) override;
  bool declares(std::string_view name) override;
  // The variable that an assignment changes, and where it is declared.
  Argument target(const Name& name);

 private:
  Variables& variables_;
  const Network& network_;
  const Arguments& arguments_;
};

}  // namespace whittle::cfa
