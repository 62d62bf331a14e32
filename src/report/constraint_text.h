// SPDX-License-Identifier: Apache-2.0
// What holds at each location, for people, for programs and as a drawing.
#pragma once

#include <string>
#include <vector>

#include "ir/network.h"
#include "ir/verdict.h"
#include "report/report.h"

namespace whittle {

// One location of one instance.
struct ShownConstraint {
  InstanceId instance;  // invalid: there are no locations to tell apart
  LocationId location;
  Expr condition;  // what holds there; false: nothing ever is there
  Expr whole;      // the same as a condition on states: at the location, the condition holds
};

struct ConstraintReport {
  std::string file;
  std::shared_ptr<Network> network;
  UniverseId universe;
  std::vector<ShownConstraint> locations;
  WitnessCheck witness;
  std::string reason;  // nothing is known, and why
};

// Each location as a condition that can be pasted into the model: `@Open -> balance >= 0`.
[[nodiscard]] std::string constraint_text(const ConstraintReport& report, const ReportStyle& style);
// All of them as one document.
[[nodiscard]] std::string constraint_json(const std::vector<ConstraintReport>& reports,
                                          const ReportStyle& style, const Diagnostics& diagnostics,
                                          const Sources& sources);
// The machines for Graphviz, with the constraints in their locations.
[[nodiscard]] std::string constraint_dot(const ConstraintReport& report);

}  // namespace whittle
