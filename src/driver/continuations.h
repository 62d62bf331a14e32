// SPDX-License-Identifier: Apache-2.0
// A run that moves an instance, made general: terms over the state instead of the values that its
// steps happen to choose, where they still make the run possible from the same state.
#pragma once

#include <optional>
#include <vector>

#include "ir/lowering/moving.h"

namespace whittle {

// `run` is one of the system `moves_from`. The first result chooses the values of the run, so that
// its precondition holds in the run's first state. Empty: the run has too many steps.
[[nodiscard]] std::optional<std::vector<Continuation>> continuations_like(const Moving& moving,
                                                                          const FlatTrace& run);

}  // namespace whittle
