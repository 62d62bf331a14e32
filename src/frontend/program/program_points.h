// SPDX-License-Identifier: Apache-2.0
// The locations of a machine that is a program: one before each statement, the end, and those where
// a run ends with an error. Their names are unique within the machine.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "ir/network.h"

namespace whittle::program {

class ProgramPoints {
 public:
  ProgramPoints(Network& network, MachineId machine) : network_(network), machine_(machine) {}

  // `name`, `name.2`, ...: labels come first, so that other names avoid them.
  LocationId add(const std::string& name, Span origin);
  // Where a run may end.
  LocationId add_final(const std::string& name, Span origin);
  LocationId add_error(const std::string& name);
  [[nodiscard]] const std::vector<LocationId>& errors() const { return errors_; }

 private:
  Network& network_;
  MachineId machine_;
  std::unordered_map<std::string, unsigned> names_;
  std::vector<LocationId> errors_;
};

}  // namespace whittle::program
