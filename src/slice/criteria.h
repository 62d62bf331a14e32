// SPDX-License-Identifier: Apache-2.0
// From a question to the instances it asks about (Eilers 2018, section 4.3).
#pragma once

#include <vector>

#include "slice/dependence.h"

namespace whittle::slice {

// What kind of answer has to survive.
struct QuestionClass {
  bool every_step_counts = false;  // a least number of steps is asked for: no event may disappear
  bool unbounded = false;   // the answer may be an invariant, which has to be translated back
  bool runs = false;        // about infinite runs: every step stays a step
  bool whole = false;       // decided without slicing
  const char* reason = "";  // why, for people
};

[[nodiscard]] QuestionClass classify(const Property& property);

// Reports the criterion of a property.
void criteria(const ControlFlow& flow, PropertyId property, Dependences& dependences,
              bool by_location, const Dependences::Report& report);

}  // namespace whittle::slice
