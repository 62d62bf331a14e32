// SPDX-License-Identifier: Apache-2.0
// What can go wrong in a program: each kind of failure is a property, and a run that fails ends at
// an error location of its own.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/program/program_points.h"
#include "ir/network.h"

namespace whittle::program {

using FailureId = StrongId<struct FailureTag>;

class Failures {
 public:
  // `name` is that of the property; a second one of the same name gets a number.
  FailureId add(std::string name, PropertyKind kind, Span origin,
                std::optional<Expectation> expected = {});
  // Where runs of a machine that fail so end.
  LocationId location(FailureId failure, MachineId machine, ProgramPoints& points);
  // A property for each failure: it never happens.
  void ask(Network& network, UniverseId universe) const;
  // One property for some of them.
  void ask_together(Network& network, UniverseId universe, const std::vector<FailureId>& which,
                    std::string name, PropertyKind kind, Span origin) const;
  // One property for all of them.
  void ask_at_once(Network& network, UniverseId universe, std::string name, PropertyKind kind,
                   Span origin) const;

 private:
  struct Failure {
    std::string name;
    PropertyKind kind = PropertyKind::Assert;
    Span origin;
    std::optional<Expectation> expected;
    std::map<MachineId, LocationId> locations;
  };
  [[nodiscard]] static Expr nowhere(Network& network, UniverseId universe, const Failure& failure);

  std::vector<Failure> failures_;
  std::map<std::string, unsigned> names_;
};

// The name of a failure that is none: a run ends there because the model has no room for more of it
// (calls nested too deeply). Questions have it in their goal, so that what is unreachable is so
// without a limit; a run that ends there must be reported as unknown.
[[nodiscard]] std::string no_room_name(const std::string& why);
// Why a run that ends at this location shows nothing; none: it does.
[[nodiscard]] std::optional<std::string> no_room(const Network& network, LocationId location);

}  // namespace whittle::program
