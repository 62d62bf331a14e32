// SPDX-License-Identifier: Apache-2.0
#include "driver/stands_alone.h"

#include "witness/invariant_check.h"

namespace whittle {

std::optional<StandsAlone> stands_alone(Network& network, PropertyId property,
                                        const Verdict& verdict, const smt::SolverFactory& solvers) {
  if (verdict.kind() != VerdictKind::Holds || verdict.bound()) return std::nullopt;
  const auto alone =
      check_invariant(network, property, {network.property(property).condition(), 1}, solvers);
  if (alone) return alone->checked ? std::optional(StandsAlone{true}) : std::nullopt;
  std::string event = alone.error().event;
  for (const Machine& machine : network.machines()) {
    if (network.machines().size() == 1 && event.starts_with(machine.name + ".")) {
      event.erase(0, machine.name.size() + 1);
    }
  }
  return StandsAlone{false, std::move(event)};
}

}  // namespace whittle
