// SPDX-License-Identifier: Apache-2.0
// The step after an engine: its witness is lifted to the network as parsed and checked there by a
// solver that did not find it.
#pragma once

#include "base/source.h"
#include "driver/judgement.h"
#include "engine/engine.h"
#include "smt/solvers.h"

namespace whittle {

// requires: the engine decided the prepared question, whose universe is complete. An answer that
// comes with neither trace nor invariant nor number of states is accepted as it is: unchecked.
// A trace is also evaluated on the text, where the language can and the sources are given.
[[nodiscard]] Judgement judge(const EngineResult& found, const Prepared& prepared,
                              const smt::SolverFactory& checker, const Sources* sources = nullptr);

}  // namespace whittle
