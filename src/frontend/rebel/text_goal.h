// SPDX-License-Identifier: Apache-2.0
// What a trace has to show, evaluated on the text: the configuration of a check, the invariant that
// is violated.
#pragma once

#include <string>

#include "frontend/rebel/text_trace.h"
#include "ir/property.h"

namespace whittle::rebel {

// Thrown where the text does not allow what a trace says.
struct Difference {
  std::string what;
};

// The time that the configuration of a check writes out; undefined: it does not.
[[nodiscard]] Datum written_now(Program& program, const Property& property);

// Throws Difference or Gap. requires: the steps were followed
void check_goal(Program& program, const TextTrace& trace, const Network& network,
                PropertyId property);

}  // namespace whittle::rebel
