// SPDX-License-Identifier: Apache-2.0
// What holds at each location of a model, whatever is asked about it: reachable-state constraints
// (la Fleur 2018, chapter 4).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/decide.h"
#include "ir/network.h"
#include "ir/verdict.h"

namespace whittle {

struct ConstraintOptions : OptionGroup {
  ConstraintOptions() : OptionGroup("Finding constraints") {}
  Option<smt::SolverId> solver{*this,
                               "solver",
                               smt::SolverId::Z3,
                               {{"z3", smt::SolverId::Z3}, {"cvc5", smt::SolverId::Cvc5}},
                               "which solver is used; the other one checks"};
  Option<double> timeout{*this, "timeout", 60, {0, 1e9}, "seconds per model; 0: no limit"};
  Option<double> check_timeout{*this,
                               "check-timeout",
                               10,
                               {0, 1e9},
                               "seconds for the second solver to check them; 0: no limit"};
  Option<unsigned> memory{
      *this, "memory", 0, {0, 1U << 30U}, "memory limit in megabytes; 0: no limit"};
};

struct LocationConstraint {
  InstanceId instance;  // invalid: there are no locations to tell apart
  LocationId location;
  Expr condition;  // over the network; holds whenever the instance is there; false: it never is
};

struct ReachableConstraints {
  std::shared_ptr<Network> network;  // what the conditions speak about: a copy that asks more
  UniverseId universe;
  std::vector<LocationConstraint> locations;  // by instance, in the order of the text
  WitnessCheck witness;                       // by the other solver
  std::string reason;                         // non-empty: nothing is known, and why
};

// For each universe in which a machine has its first instances.
[[nodiscard]] std::vector<ReachableConstraints> reachable_constraints(
    const std::shared_ptr<Network>& network, DecideContext& context);

// `@Open -> balance >= 0`, one per location, as the model's language writes it.
[[nodiscard]] std::vector<Expr> as_conditions(const ReachableConstraints& constraints);

}  // namespace whittle
