// SPDX-License-Identifier: Apache-2.0
// Many repetitions of a step at once.
#pragma once

#include "ir/run/stepper.h"

namespace whittle {

// Takes the step n times at once, if it is certain that each of them is possible and where they
// lead (repetition.h); otherwise says false and leaves the state.
bool advance_repeated(Stepper& stepper, State& state, const TraceStep& step, std::uint64_t n);

}  // namespace whittle
