// SPDX-License-Identifier: Apache-2.0
// An engine on what a pipeline of flat transformations makes of the system, and its result in terms
// of the system again.
#pragma once

#include <chrono>
#include <functional>

#include "engine/engine.h"
#include "ir/flat_transformation.h"

namespace whittle {

// A result of the pipeline's system as one of the system that the pipeline was given. What does not
// carry over is Unknown: a run of an over-approximation, an invariant that cannot be said, depths
// where steps do not correspond.
[[nodiscard]] EngineResult lifted(EngineResult result, const FlatPipeline& pipeline);

// Large blocks, as the options say (simplify/flat/blocks.h).
[[nodiscard]] FlatTransformation in_blocks(const Env& env);

// As if machine integers never wrapped around (simplify/flat/no_wrap.h), for a third of the time
// and no longer than `most`. Unknown also where nothing wraps: then this is not the way to ask.
[[nodiscard]] EngineResult run_without_wrapping(
    const TransitionSystem& system, Env& env, std::chrono::milliseconds most,
    const std::function<EngineResult(const TransitionSystem&, Env&)>& run);

// run(system, env): EngineResult
template <class Run>
[[nodiscard]] EngineResult run_transformed(const TransitionSystem& system, Env& env,
                                           const std::vector<FlatTransformation>& stages,
                                           const Run& run) {
  const FlatPipeline pipeline(system, stages);
  return lifted(run(pipeline.system(), env), pipeline);
}

}  // namespace whittle
