// SPDX-License-Identifier: Apache-2.0
// The flowchart language FCL (Gomard, Jones; Dwyer, Hatcliff, Slicing Software for Model
// Construction, PEPM 1999): programs of labelled blocks over numbers and lists.
#pragma once

#include "frontend/frontend.h"

namespace whittle::fcl {

[[nodiscard]] Language language();

}  // namespace whittle::fcl
