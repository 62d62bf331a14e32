// SPDX-License-Identifier: Apache-2.0
// Bounded model checking with summary steps (simplify/flat/summary_steps.h): a counter that has to
// be moved a million times is one step of the solver. Summaries of single transitions and of short
// cycles are there from the start; when a depth has no goal, a run of that depth is looked at, and
// the cycles it walks get summaries, too (Frohn and Giesl 2024).
//
// Of the runs along the path it finds it takes one with the fewest steps, which is not always a
// shortest run of all. Where exact summaries make all runs short, having looked at all of them is a
// proof.
#include <fmt/format.h>

#include <algorithm>

#include "engine/bmc.h"
#include "engine/engine.h"
#include "engine/path/path_trace.h"
#include "simplify/flat/summary_steps.h"

namespace whittle::engine::accelerate {

namespace {

constexpr std::uint64_t kFirstDepth = 8;

class Accelerate {
 public:
  Accelerate(const TransitionSystem& system, Env& env)
      : system_(system),
        env_(env),
        accelerator_(system),
        deepest_(*env.options.get<BmcOptions>().max_depth) {}

  EngineResult run() {
    const bool numbers = std::any_of(
        system_.variables.begin(), system_.variables.end(),
        [](const StateVariable& v) { return v.type == Type::integer() || v.type == Type::real(); });
    if (!numbers)
      return unknown({Reason::Kind::Unsupported, "nothing to accelerate: there are no numbers"});
    accelerator_.add_short_cycles();
    Reason reason{Reason::Kind::Unsupported, "no transition and no cycle can be summarised"};
    for (std::uint64_t depth = std::min(kFirstDepth, deepest_);;
         depth = std::min(deepest_, depth * 2)) {
      simplify::AcceleratedSystem fast = accelerator_.system();
      fast.system.bound.max = depth;
      if (accelerator_.has_summaries()) {
        EngineResult found = kBmcInfo.run(fast.system, env_);
        if (found.reached() != nullptr) return reached(fast, found.reached()->trace);
        const auto* short_runs = found.unreachable_by<AllRunsShort>();
        if (short_runs != nullptr && short_runs->of == AllRunsShort::Of::Steps)
          return unreached(*short_runs);
        reason = found.unknown() != nullptr
                     ? found.unknown()->reason
                     : Reason{Reason::Kind::Bound,
                              fmt::format("no run found with summaries, up to {} of them", depth)};
      }
      if (auto stop = env_.stopped()) return unknown(*stop);
      if (depth >= deepest_) return unknown(reason);
      const bool added = walk(fast, depth);
      if (!added && !accelerator_.has_summaries()) return unknown(reason);
    }
  }

 private:
  // Any run of this many steps.
  bool walk(simplify::AcceleratedSystem& fast, std::uint64_t depth) {
    fast.system.goal = {system_.pool->boolean(true), {}};
    fast.system.bound = {depth, depth};
    const EngineResult found = kBmcInfo.run(fast.system, env_);
    return found.reached() != nullptr && accelerator_.add_cycles_of(fast, found.reached()->trace);
  }

  EngineResult reached(const simplify::AcceleratedSystem& fast, const FlatTrace& trace) {
    std::vector<std::uint32_t> path;
    for (const FlatStep& step : trace.steps) path.insert(path.end(), step.times, step.transition);
    auto shortest = trace_along(fast.system, path, env_, fast.step_count);
    auto whole = fast.back->trace(shortest ? *shortest : trace);
    if (!whole) return unknown(whole.error());
    // The steps in between were not asked for one by one.
    if (auto problem = flat_trace_problem(system_, *whole)) {
      return unknown({Reason::Kind::Incomplete,
                      fmt::format("the run with summaries has no run without: {}", *problem)});
    }
    return EngineResult{Reached{std::move(*whole)}};
  }

  // All runs, each with its repetitions summarised, are shorter than what was looked at.
  [[nodiscard]] EngineResult unreached(const AllRunsShort& found) const {
    return EngineResult{
        Unreachable{AllRunsShort{found.longest, AllRunsShort::Of::AcceleratedSteps}}};
  }

  [[nodiscard]] EngineResult unknown(Reason reason) const {
    return EngineResult{Unknown{std::move(reason)}};
  }

  const TransitionSystem& system_;
  Env& env_;
  simplify::Accelerator accelerator_;
  std::uint64_t deepest_;
};

EngineResult run(const TransitionSystem& system, Env& env) { return Accelerate(system, env).run(); }

// For a question with large numbers and loops that count it is the first to be asked.
std::optional<PresolveSlot> presolve(const QuestionProfile& question) {
  if (!question.counts_far) return std::nullopt;
  return PresolveSlot{2, 0.4};
}

std::vector<RaceSlot> race(const QuestionProfile& question) {
  return {RaceSlot{question.counts_far ? 0 : 70}};
}

}  // namespace

}  // namespace whittle::engine::accelerate

namespace whittle {

extern const EngineInfo kAccelerateInfo;
const EngineInfo kAccelerateInfo = {
    "accelerate",
    "Bounded model checking with summary steps for what is repeated many times.",
    "reachability with very long runs; that there is none, where summaries make all runs short",
    nullptr,
    engine::accelerate::run,
    std::nullopt,
    {.bounded = true,
     .clears_bounds = true,
     .unbounded = true,
     .traces = true,
     .counting_only = true},
    {engine::accelerate::presolve, engine::accelerate::race},
};

}  // namespace whittle
