// SPDX-License-Identifier: Apache-2.0
// Problems that only follow from others: where a part of the text could not be read, what is not
// declared may be declared there.
#pragma once

#include "base/diagnostics.h"

namespace whittle::frontend {

// The diagnostics without those that only follow from text that could not be read. A missing name
// stays where another name is probably meant.
[[nodiscard]] Diagnostics without_consequences(Diagnostics all);

}  // namespace whittle::frontend
