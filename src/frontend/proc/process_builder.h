// SPDX-License-Identifier: Apache-2.0
// The bodies of processes as locations and events.
#pragma once

#include "frontend/proc/context.h"

namespace whittle::proc {

class ProcessBuilder {
 public:
  ProcessBuilder(Context& context, Conditions& conditions, ErrorLocations& errors)
      : context_(context), conditions_(conditions), errors_(errors) {}

  // By its index in Names::processes.
  void build(std::uint32_t index);
  // When all are built: where somebody asks about runs, nothing moves behind a step that failed.
  void end_runs_at_failures();

 private:
  [[nodiscard]] bool first_of_family(std::uint32_t index) const;
  void fairness(const Process& process);

  Context& context_;
  Conditions& conditions_;
  ErrorLocations& errors_;
};

}  // namespace whittle::proc
