// SPDX-License-Identifier: Apache-2.0
// One step of a process as events of its machine. A step is an instruction or a whole atomic block;
// both are executed symbolically, path by path: a path has conditions, new values, and inputs for
// what `*` leaves open. Where an expression may go wrong, further events lead to an error location.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "frontend/proc/checks.h"
#include "frontend/proc/conditions.h"
#include "frontend/proc/scopes.h"

namespace whittle::proc {

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
  StepCompiler(const File& file, const frontend::SyntaxTree& tree, Network& network,
               Diagnostics& diagnostics, SymbolIndex& symbols, ProcessScope& scope,
               MachineId machine, ErrorPlaces& errors, Conditions& conditions)
      : file_(file),
        tree_(tree),
        network_(network),
        pool_(network.pool()),
        diagnostics_(diagnostics),
        symbols_(symbols),
        scope_(scope),
        typer_(pool_, tree, diagnostics, symbols),
        machine_(machine),
        errors_(errors),
        conditions_(conditions) {}

  // Adds the events of the statement from its location to the next one. If and While: the test
  // only, to one of two places.
  void step(const Statement& statement, LocationId from, LocationId next);
  void test(const Statement& statement, LocationId from, LocationId yes, LocationId no);

 private:
  struct Input {
    SymbolId symbol;
    Type type;
  };
  struct Path {
    std::vector<Guard> guards;
    std::map<VariableId, Expr> values;  // what was assigned
    std::vector<Input> inputs;
  };
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
  Expr read(const Place& place, const Path& path);
  void write(const Place& place, Expr value, Path& path);
  std::vector<Check> index_checks(const Place& place);
  Expr now(Expr e, const Path& path);
  void emit(LocationId from, LocationId to, Path path, const std::string& suffix);

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
  const Statement* step_ = nullptr;  // the one that the events are named after
  std::size_t emitted_ = 0;          // events of this step
};

}  // namespace whittle::proc
