// SPDX-License-Identifier: Apache-2.0
// A warning for guards that can never hold together, as far as that shows without a solver; `lint`
// finds the others as transitions that can never happen.
#pragma once

#include <span>
#include <string_view>

#include "base/diagnostics.h"
#include "ir/network.h"

namespace whittle::frontend {

// `whose` in the words of the user: "the guard of `t`".
void warn_of_contradiction(const ExprPool& pool, std::span<const Guard> guards, std::string_view id,
                           std::string_view whose, Diagnostics& diagnostics);

}  // namespace whittle::frontend
