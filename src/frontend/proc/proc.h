// SPDX-License-Identifier: Apache-2.0
// The language PROC: concurrent processes over shared variables.
#pragma once

#include "frontend/frontend.h"

namespace whittle::proc {

[[nodiscard]] Language language();

}  // namespace whittle::proc
