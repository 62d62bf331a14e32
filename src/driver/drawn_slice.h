// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/stage.h"
#include "report/machine_drawing.h"

namespace whittle {

// What a question needs of the machines as parsed. Where the network that was sliced has other
// machines than `parsed`, everything counts as needed: nobody can say what is not.
[[nodiscard]] DrawnSlice drawn_slice(const Preparation& shown, const Network& parsed);

}  // namespace whittle
