// SPDX-License-Identifier: Apache-2.0
// The patterns with their scopes, and the formula of each: what `whittle help patterns` prints.
#pragma once

#include <string>

namespace whittle::frontend {

[[nodiscard]] std::string pattern_table();

}  // namespace whittle::frontend
