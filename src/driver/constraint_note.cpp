// SPDX-License-Identifier: Apache-2.0
#include "driver/constraint_note.h"

#include <fmt/format.h>

#include "witness/invariant_check.h"

namespace whittle {

std::string constraint_note(Network& network, PropertyId property, const Verdict& verdict,
                            const smt::SolverFactory& solvers) {
  if (verdict.kind == VerdictKind::Violated && verdict.trace) {
    if (verdict.trace->steps.empty()) return "broken by a start";
    return fmt::format("broken by {}", network.event(verdict.trace->steps.back().event).name);
  }
  if (verdict.kind != VerdictKind::Holds || verdict.bound) return "";
  const auto alone =
      check_invariant(network, property, {network.property(property).condition, 1}, solvers);
  if (alone) return alone->checked ? "inductive by itself" : "";
  std::string event = alone.error().event;
  if (event.empty()) return "right, but not inductive by itself";
  for (const Machine& machine : network.machines()) {
    if (network.machines().size() == 1 && event.starts_with(machine.name + ".")) {
      event.erase(0, machine.name.size() + 1);
    }
  }
  return fmt::format("right, but not inductive by itself: {} may break it elsewhere", event);
}

}  // namespace whittle
