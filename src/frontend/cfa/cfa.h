// SPDX-License-Identifier: Apache-2.0
// The language CFA: small sequential programs with error statements over unbounded integers, as
// control flow automata are written down (Huang et al. 2005).
#pragma once

#include "frontend/frontend.h"

namespace whittle::cfa {

[[nodiscard]] Language language();

}  // namespace whittle::cfa
