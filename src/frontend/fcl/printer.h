// SPDX-License-Identifier: Apache-2.0
// A network that came from an FCL file, or what slicing left of it, as an FCL file.
#pragma once

#include "frontend/frontend.h"

namespace whittle::fcl {

[[nodiscard]] std::vector<PrintedFile> print(const Network& network, const Sources& sources);

}  // namespace whittle::fcl
