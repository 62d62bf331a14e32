// SPDX-License-Identifier: Apache-2.0
// What is known about a property that is not decided.
#pragma once

#include <cstdint>
#include <string>

#include "ir/property.h"

namespace whittle {

// "no violation within 23 steps"
[[nodiscard]] std::string strongest_known(PropertyKind kind, std::uint64_t clear_to);

}  // namespace whittle
