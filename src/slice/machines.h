// SPDX-License-Identifier: Apache-2.0
// The coarsest granularity: keep or drop whole machines.
#pragma once

#include "slice/control_flow.h"
#include "slice/init_conditions.h"
#include "slice/result.h"

namespace whittle::slice {

// Everything of every machine that the question, or a machine that stays, refers to, synchronises
// with, is synchronised by, or shares a variable with.
[[nodiscard]] Kept needed_machines(const ControlFlow& flow, const InitConditions& init,
                                   PropertyId property);

}  // namespace whittle::slice
