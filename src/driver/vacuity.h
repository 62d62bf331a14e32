// SPDX-License-Identifier: Apache-2.0
// Demands that are met for no good reason: nothing can start, what is on the left of an implication
// never happens, or the condition is true in every state there could be.
#pragma once

#include <string>
#include <vector>

#include "driver/decide.h"

namespace whittle {

// What is odd about an answer, in words; empty: nothing, or it could not be seen quickly. Asks a
// few further questions about the model, each for a second at most and within the deadline.
[[nodiscard]] std::vector<std::string> vacuity(const PropertyResult& result,
                                               DecideContext& context);

}  // namespace whittle
