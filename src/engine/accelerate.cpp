// SPDX-License-Identifier: Apache-2.0
// Bounded model checking with summary steps (simplify/summary_steps.h): a counter that has to be
// moved a million times is one step of the solver. The engine looks for runs only. Of the runs
// along the path it finds it takes one with the fewest steps, which is not always a shortest run of
// all.
#include <fmt/format.h>

#include "engine/bmc.h"
#include "engine/engine.h"
#include "engine/path_trace.h"
#include "simplify/summary_steps.h"

namespace whittle {

namespace {

EngineResult unknown(std::string reason, const EngineResult& found) {
  EngineResult result;
  result.reason = std::move(reason);
  result.solver_calls = found.solver_calls;
  return result;
}

EngineResult run(const TransitionSystem& system, Env& env) {
  const AcceleratedSystem fast = accelerated(system);
  if (fast.summaries == 0) return unknown("no transition can be summarised", {});
  EngineResult found = kBmcInfo.run(fast.system, env);
  if (found.outcome != Outcome::Reached) return unknown("no run found with summaries", found);
  std::vector<std::uint32_t> path;
  for (const FlatStep& step : found.trace->steps)
    path.insert(path.end(), step.times, step.transition);
  auto shortest = trace_along(fast.system, path, env, found.solver_calls, fast.steps);
  EngineResult result;
  result.trace = expanded(fast, shortest ? *shortest : *found.trace);
  result.solver_calls = found.solver_calls;
  // The steps in between were not asked for one by one.
  if (auto problem = flat_trace_problem(system, *result.trace))
    return unknown(fmt::format("the run with summaries has no run without: {}", *problem), found);
  result.outcome = Outcome::Reached;
  return result;
}

}  // namespace

extern const EngineInfo kAccelerateInfo;
const EngineInfo kAccelerateInfo = {
    "accelerate",
    "Bounded model checking with summary steps for transitions that are taken many times.",
    "reachability with very long runs; unknown where there is none",
    nullptr,
    run,
};

}  // namespace whittle
