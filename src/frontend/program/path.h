// SPDX-License-Identifier: Apache-2.0
// One path through a step of a program, executed symbolically: the conditions under which it is
// taken, the values that it has assigned so far, and inputs for what it leaves open.
//
//   Path path(network);
//   path.assume(condition, span);             // over the values before the step
//   path.assign(x, path.now(value));          // `value` is evaluated after what was assigned
//   events.emit(from, to, path, "");          // step_events.h
//
// A path is a value: where a program branches inside a step, each branch goes on with a copy.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ir/network.h"

namespace whittle::program {

class Path {
 public:
  explicit Path(Network& network) : network_(&network) {}

  // A term over variables as it is after what was assigned.
  [[nodiscard]] Expr now(Expr e) const;
  [[nodiscard]] Expr read(VariableId variable) const;
  // An element of an array.
  [[nodiscard]] Expr read(VariableId array, Expr index) const;
  // Terms over the values before the step, as now() and read() give them.
  void assume(Expr condition, Span origin) { guards_.push_back({condition, origin}); }
  void assign(VariableId variable, Expr value) { values_[variable] = value; }
  void assign(VariableId array, Expr index, Expr value);
  // Some value of the type.
  [[nodiscard]] Expr input(Type type, std::string name = {});
  // The same for a symbol that terms of the step have already.
  void add_input(SymbolId symbol, Type type, std::string name = {}) {
    inputs_.push_back({symbol, type, std::move(name)});
  }

  // The same path, where the step fails: it changes nothing.
  [[nodiscard]] Path failing(Expr condition, Span origin) const;
  // Some condition is false.
  [[nodiscard]] bool impossible() const;

  struct Input {
    SymbolId symbol;
    Type type;
    std::string name;  // of the parameter; empty: "value"
  };
  [[nodiscard]] const std::vector<Guard>& guards() const { return guards_; }
  [[nodiscard]] const std::map<VariableId, Expr>& values() const { return values_; }
  [[nodiscard]] const std::vector<Input>& inputs() const { return inputs_; }

 private:
  Network* network_;
  std::vector<Guard> guards_;
  std::map<VariableId, Expr> values_;
  std::vector<Input> inputs_;
};

}  // namespace whittle::program
