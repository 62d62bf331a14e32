// SPDX-License-Identifier: Apache-2.0
// The language C: preprocessed translation units, integers exactly as a machine has them, and what
// whittle does not read refused where `main` can reach it.
#pragma once

#include "frontend/frontend.h"

namespace whittle::c {

[[nodiscard]] Language language();

}  // namespace whittle::c
