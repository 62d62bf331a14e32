// SPDX-License-Identifier: Apache-2.0
// A network that came from a CFA file, or what slicing left of it, as a CFA file.
#pragma once

#include "frontend/frontend.h"

namespace whittle::cfa {

[[nodiscard]] std::vector<PrintedFile> print(const Network& network, const Sources& sources);

}  // namespace whittle::cfa
