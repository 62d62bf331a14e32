// SPDX-License-Identifier: Apache-2.0
// One event in the making. Its effects on counts of tokens are collected as sums, since a flow may
// give a token and take one in the same step; what clears a scope comes after them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ir/network.h"

namespace whittle::bpmn {

class Step {
 public:
  Step(Network& network, std::string name, MachineId machine, Arc arc, Span origin);

  [[nodiscard]] ExprPool& pool() const { return network_.pool(); }
  [[nodiscard]] EventId event() const { return event_; }

  void guard(Expr condition);
  void add(VariableId variable, Expr difference);
  void set(VariableId variable, Expr value);
  // One of these is chosen: a parameter where there are several. The result says for each whether
  // it is the one.
  [[nodiscard]] std::vector<Expr> choose(const std::string& parameter,
                                         const std::vector<std::string>& names);
  // Each of these may be chosen or not.
  [[nodiscard]] Expr flag(const std::string& parameter);
  // After the last of all these: makes the effects.
  void finish();

  // The number of tokens, before the step.
  [[nodiscard]] Expr value(VariableId variable) const;

 private:
  Network& network_;
  EventId event_;
  Span origin_;
  std::map<VariableId, std::vector<Expr>> sums_;
  std::map<VariableId, Expr> sets_;
};

// Distinct names for what users may have named alike: "Check", "Check (2)".
[[nodiscard]] std::vector<std::string> distinct(std::vector<std::string> names);

}  // namespace whittle::bpmn
