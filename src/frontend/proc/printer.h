// SPDX-License-Identifier: Apache-2.0
// A network that came from a PROC file, or what slicing left of it, as a PROC file.
#pragma once

#include "frontend/frontend.h"

namespace whittle::proc {

[[nodiscard]] std::vector<PrintedFile> print(const Network& network, const Sources& sources);

}  // namespace whittle::proc
