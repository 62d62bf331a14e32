// SPDX-License-Identifier: Apache-2.0
// Bounded model checking; what it does stands in bmc.cpp.
#pragma once

#include "engine/bmc_options.h"
#include "engine/engine.h"

namespace whittle {

extern const EngineInfo kBmcInfo;

}  // namespace whittle
