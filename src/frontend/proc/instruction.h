// SPDX-License-Identifier: Apache-2.0
// One step of a process as events of its machine. A step is an instruction or a whole atomic block;
// both are executed symbolically, path by path: a path has conditions, new values, and inputs for
// what `*` leaves open. Where an expression may go wrong, further events lead to an error location.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "frontend/proc/context.h"
#include "frontend/program/checks.h"
#include "frontend/program/step_events.h"

namespace whittle::proc {

using program::Check;
using program::Path;

// Where steps of a process lead besides its program points.
class ErrorPlaces {
 public:
  virtual ~ErrorPlaces() = default;
  virtual LocationId bounds() = 0;
  virtual LocationId division() = 0;
  virtual LocationId failed(const Statement& assertion) = 0;
};

class StepCompiler {
 public:
  StepCompiler(const Context& context, ProcessScope& scope, MachineId machine, ErrorPlaces& errors,
               Conditions& conditions)
      : file_(context.file),
        tree_(context.tree),
        network_(context.network),
        pool_(network_.pool()),
        diagnostics_(context.diagnostics),
        symbols_(context.symbols),
        scope_(scope),
        typer_(pool_, tree_, diagnostics_, symbols_),
        machine_(machine),
        errors_(errors),
        conditions_(conditions) {}

  // Adds the events of the statement from its location to the next one. If and While: the test
  // only, to one of two places.
  void step(const Statement& statement, LocationId from, LocationId next);
  void test(const Statement& statement, LocationId from, LocationId yes, LocationId no);

 private:
  using Continue = std::function<void(Path)>;
  // A variable or an element of an array.
  struct Place {
    VariableId variable;
    Expr index;  // invalid: the variable itself
    Type type;
  };

  void run(const std::vector<StatementId>& list, std::size_t at, Path path, bool first,
           LocationId from, const Continue& done);
  void execute(const Statement& statement, Path path, LocationId from, const Continue& done);
  void branch(const Statement& statement, Path path, LocationId from, const Continue& yes,
              const Continue& no);
  void check(const std::vector<Check>& checks, const Path& path, LocationId from, Span origin);
  void allowed_inside(const Statement& statement, bool first);

  Expr value(SyntaxId id, Type type, std::string_view what, const Path& path);
  Expr condition(SyntaxId id, std::string_view what, const Path& path);
  std::optional<Place> place(SyntaxId id, const Path& path);
  std::vector<Check> index_checks(const Place& place);
  Expr read(const Place& place, const Path& path);
  void write(const Place& place, Expr value, Path& path);
  void begin(const Statement& statement);
  void emit(LocationId from, LocationId to, const Path& path, std::string_view suffix);

  const File& file_;
  const frontend::SyntaxTree& tree_;
  Network& network_;
  ExprPool& pool_;
  Diagnostics& diagnostics_;
  SymbolIndex& symbols_;
  ProcessScope& scope_;
  frontend::ExpressionTyper typer_;
  MachineId machine_;
  ErrorPlaces& errors_;
  Conditions& conditions_;
  const Statement* step_ = nullptr;            // the one that the events are named after
  std::optional<program::StepEvents> events_;  // of this step
};

}  // namespace whittle::proc
