// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "engine/proofs/lazy_options.h"

namespace whittle {

extern const EngineInfo kLazyInfo;

}  // namespace whittle
