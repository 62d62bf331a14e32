// SPDX-License-Identifier: Apache-2.0
// The list of engines.
#pragma once

#include <span>
#include <string_view>

#include "engine/engine.h"

namespace whittle {

[[nodiscard]] std::span<const EngineInfo* const> engines();
// By id; null when there is none.
[[nodiscard]] const EngineInfo* find_engine(std::string_view id);

}  // namespace whittle
