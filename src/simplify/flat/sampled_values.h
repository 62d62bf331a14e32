// SPDX-License-Identifier: Apache-2.0
// Numbers that may have any of very many values, of which only some are tried: those that the
// system names, their neighbours, and small ones. For searches that list the choices of a step:
// what they find is a run of the system, what they do not find means nothing.
#pragma once

#include "ir/flat_transformation.h"

namespace whittle::simplify {

// Says less than the system: only its traces may be used. A step stays a step. Empty: there is
// nothing to choose from very many values.
[[nodiscard]] std::optional<FlatTransformed> with_sampled_values(const TransitionSystem& system);

}  // namespace whittle::simplify
