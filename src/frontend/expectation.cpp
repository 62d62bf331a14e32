// SPDX-License-Identifier: Apache-2.0
#include "frontend/expectation.h"

#include <fmt/format.h>

#include "ir/property_kinds.h"

namespace whittle::frontend {

void expect_of(Property& property, const std::optional<Expectation>& expectation,
               Diagnostics& diagnostics) {
  if (!expectation) return;
  const std::string problem = misfit(property.kind, *expectation);
  if (problem.empty()) {
    property.expected = expectation;
    return;
  }
  diagnostics.report("parse-008", expectation->origin,
                     fmt::format("'{}' cannot be {}", property.name, to_string(*expectation)),
                     problem);
}

}  // namespace whittle::frontend
