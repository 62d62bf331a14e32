// SPDX-License-Identifier: Apache-2.0
// What names stand for in a PROC file: constants and shared variables everywhere, locals and the
// identity inside a process, processes with their locals and labels in properties and `init`.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontend/expression/expression_typer.h"
#include "frontend/proc/ast.h"
#include "ir/network.h"

namespace whittle::proc {

struct Label {
  LocationId location;
  Span span;  // of its name
};

// One process: a declaration with a value for its identity.
struct Process {
  std::uint32_t declaration = 0;
  Integer identity;
  MachineId machine;
  InstanceId instance;
  std::unordered_map<std::string, VariableId> locals;
  std::unordered_map<std::string, Label> labels;
  std::vector<LocationId> errors;
  // Of each error location where the step that failed stood, if somebody asks about runs.
  std::vector<std::pair<LocationId, LocationId>> failed_at;
};

struct Family {
  std::uint32_t first = 0;  // position of its first process
  Integer low;
  std::uint64_t count = 0;
  bool indexed = false;  // written with a range
  Span span;             // of its name
};

struct Names {
  struct Shared {
    VariableId id;
    Span span;
    bool used = false;
  };
  struct Constant {
    Expr value;  // invalid: wrong, and reported
    Span span;
  };
  std::unordered_map<std::string, Shared> shared;
  std::unordered_map<std::string, Constant> constants;
  std::unordered_map<std::string, std::uint32_t> families;  // by name of the declaration
  std::vector<Family> family_list;
  std::vector<Process> processes;
};

// Constants only.
class ConstantScope : public frontend::Scope {
 public:
  ConstantScope(Names& names, Diagnostics& diagnostics)
      : frontend::Scope(diagnostics), names_(names) {}

  std::optional<frontend::Operand> name(std::string_view name, Span span) override;
  std::optional<Type> enum_type(std::string_view name, Span span) override;
  bool declares(std::string_view name) override;

 protected:
  std::optional<frontend::Operand> unknown(std::string_view name, Span span,
                                           const std::vector<std::string>& more);
  Names& names_;
};

// Inside a process.
class ProcessScope : public ConstantScope {
 public:
  ProcessScope(Names& names, Diagnostics& diagnostics, const Network& network, const Name* identity,
               const Process& process)
      : ConstantScope(names, diagnostics),
        network_(network),
        identity_(identity),
        process_(process) {}

  std::optional<frontend::Operand> name(std::string_view name, Span span) override;
  bool declares(std::string_view name) override;
  // The variable of that name, local or shared; invalid when there is none.
  VariableId variable(std::string_view name);

 private:
  const Network& network_;
  const Name* identity_;  // null: no family
  const Process& process_;
};

// In properties and `init`: the whole state.
class StateScope : public ConstantScope {
 public:
  StateScope(Names& names, Diagnostics& diagnostics, Network& network, bool labels)
      : ConstantScope(names, diagnostics), network_(network), labels_(labels) {}

  std::optional<frontend::Operand> name(std::string_view name, Span span) override;
  std::optional<frontend::Operand> index(const frontend::Operand& base,
                                         const frontend::Operand& index, Span span) override;
  std::optional<frontend::Operand> member(const frontend::Operand& base, std::string_view name,
                                          Span span) override;
  std::optional<frontend::Operand> label(const frontend::Operand& base, std::string_view name,
                                         Span span) override;
  // Processes whose place was asked for.
  [[nodiscard]] const std::vector<std::uint32_t>& asked() const { return asked_; }

 protected:
  // The process that the operand names; reports a family without index.
  const Process* process(const frontend::Operand& base, Span span);
  // A label, or the name of another program point as reports show it: `end`, `line 12`. Invalid:
  // neither, which is reported.
  LocationId place(const Process& process, std::string_view name, Span span);

  Network& network_;

 private:
  bool labels_;
  std::map<MachineId, std::unordered_map<std::string, LocationId>> places_;  // filled on demand
  std::vector<std::uint32_t> asked_;
};

// A state of a run, with the step that leaves it. A step that fails ends the run: the state behind
// it is the one before it once more, where nothing is possible.
class FormulaScope : public StateScope {
 public:
  FormulaScope(Names& names, Diagnostics& diagnostics, Network& network)
      : StateScope(names, diagnostics, network, true) {}

  std::optional<frontend::Operand> label(const frontend::Operand& base, std::string_view name,
                                         Span span) override;
  std::optional<frontend::Operand> taken(std::string_view name, Span span) override;
  std::optional<frontend::Operand> taken(const frontend::Operand& base, Span span) override;
  std::optional<frontend::Operand> taken(const frontend::Operand& base, std::string_view label,
                                         Span span) override;
  std::optional<frontend::Operand> halt(Span span) override;

 private:
  [[nodiscard]] bool fails(const Event& event) const;
  // Invalid: the process has no step there. `from` invalid: any step of it.
  [[nodiscard]] Expr steps(const Process& process, LocationId from);
};

}  // namespace whittle::proc
