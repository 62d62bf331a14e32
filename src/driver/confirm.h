// SPDX-License-Identifier: Apache-2.0
// A second opinion on an answer that has no witness of its own: that a goal is not reached within a
// bound, or that no run is longer than some number of steps. The same question is asked again of a
// solver that did not answer it: on the network as parsed where that is affordable, else on the
// slice.
#pragma once

#include "driver/prepare.h"
#include "engine/engine.h"
#include "ir/verdict.h"

namespace whittle {

// `env` has the checking solver and the time there is for it. Throws InternalError where the
// solvers disagree.
[[nodiscard]] WitnessCheck second_opinion(const EngineResult& found, const Prepared& prepared,
                                          Env& env);

}  // namespace whittle
