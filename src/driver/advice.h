// SPDX-License-Identifier: Apache-2.0
// What to do about an `unknown`: the constraint that is missing for a proof, the limit that was
// hit, a smaller model.
#pragma once

#include <string>
#include <vector>

#include "driver/decide_options.h"
#include "driver/prepare.h"
#include "engine/engine.h"

namespace whittle {

// At most two sentences, the most useful first. `solvers` looks for a counterexample to induction
// and carries the time for that.
[[nodiscard]] std::vector<std::string> advice(const EngineResult& found, const Prepared& prepared,
                                              const DecideOptions& options,
                                              const smt::SolverFactory& solvers);
// Where the question could not even be asked, or the run ended in the middle.
[[nodiscard]] std::vector<std::string> advice_on_limit(Reason::Kind reason, const Network& network,
                                                       const Property& question,
                                                       const DecideOptions& options);

}  // namespace whittle
