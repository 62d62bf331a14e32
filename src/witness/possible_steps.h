// SPDX-License-Identifier: Apache-2.0
// Is some step possible in one state of a network? Asked of a solver, about the network as parsed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/lowering/lower.h"
#include "smt/solver.h"
#include "smt/solvers.h"

namespace whittle {

class PossibleSteps {
 public:
  // requires: the property is one of temporal logic
  PossibleSteps(Network& network, PropertyId property, const smt::SolverFactory& solvers);

  // Of the transitions in which the instance takes part with one of the events; of all, where it is
  // invalid. Sat: one of them is possible.
  [[nodiscard]] smt::CheckResult possible(const State& state, InstanceId instance = {},
                                          const std::vector<EventId>& events = {});
  [[nodiscard]] bool asked_solver() const { return asked_; }
  [[nodiscard]] std::string solver() const;

 private:
  Network& network_;
  PropertyId property_;
  const smt::SolverFactory& solvers_;
  ExprPool& pool_;
  std::optional<Lowered> lowered_;  // made when it is needed
  bool asked_ = false;
};

}  // namespace whittle
