// SPDX-License-Identifier: Apache-2.0
// A network that was loaded from Rebel, or what a transformation left of one, as Rebel text again.
#pragma once

#include <vector>

#include "frontend/frontend.h"

namespace whittle::rebel {

// One file per specification, each with its own copies of the events, functions and invariants it
// uses (a library event may have lost different things in different specifications), and the test
// module first if there is one. Statements are copied as they were written, with their annotations
// and the comments above them; a statement comes back as a whole even if a transformation kept a
// part of it only, together with everything it speaks about.
[[nodiscard]] std::vector<PrintedFile> print(const Network& network, const Sources& sources);

}  // namespace whittle::rebel
