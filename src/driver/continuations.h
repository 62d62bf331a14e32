// SPDX-License-Identifier: Apache-2.0
// Steps of a run, made general: terms over the state instead of the values that they happen to
// choose, where they still come as far from the same state.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "ir/lowering/moving.h"

namespace whittle {

// With the values that the run chooses. Empty: it has too many steps.
[[nodiscard]] std::optional<Continuation> steps_of(const TransitionSystem& system,
                                                   const FlatTrace& run);

// Where a continuation comes as far as it has to, as a condition on the state before it.
using ComesFarEnough = std::function<Expr(const Continuation& steps)>;

// The first result are the steps themselves. requires: they come far enough from the state
[[nodiscard]] std::vector<Continuation> generalised(const TransitionSystem& system,
                                                    const FlatState& state, Continuation steps,
                                                    const ComesFarEnough& condition);

// `run` is one of the system `moves_from`; the results end with a move. Empty: the run has too many
// steps.
[[nodiscard]] std::optional<std::vector<Continuation>> continuations_like(const Moving& moving,
                                                                          const FlatTrace& run);

}  // namespace whittle
