// SPDX-License-Identifier: Apache-2.0
#include "frontend/program/program_points.h"

#include <fmt/format.h>

namespace whittle::program {

LocationId ProgramPoints::add(const std::string& name, Span origin) {
  const unsigned count = ++names_[name];
  return network_.add_location(count == 1 ? name : fmt::format("{}.{}", name, count), machine_,
                               origin);
}

LocationId ProgramPoints::add_final(const std::string& name, Span origin) {
  const LocationId id = add(name, origin);
  network_.location(id).final = true;
  return id;
}

LocationId ProgramPoints::add_error(const std::string& name) {
  const LocationId id = add_final(name, {});
  network_.location(id).error = true;
  errors_.push_back(id);
  return id;
}

}  // namespace whittle::program
