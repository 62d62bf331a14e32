// SPDX-License-Identifier: Apache-2.0
// The program `z3` on the Horn clauses that `whittle export --format chc` writes: what whittle is
// compared with.
#pragma once

#include "bench/deciding.h"

namespace whittle::bench {

// About this property of the network. Without a program called `z3` it never answers.
[[nodiscard]] Alternative spacer(std::function<std::shared_ptr<Network>()> network,
                                 PropertyId property);

}  // namespace whittle::bench
