// SPDX-License-Identifier: Apache-2.0
#include "driver/confirm.h"

#include <fmt/format.h>

#include "base/error.h"
#include "engine/engines.h"

namespace whittle {

namespace {

// A network as parsed with more transitions than this is not unrolled again.
constexpr std::uint64_t kLargestModel = 10'000;

// Unrolling decides every bounded question. Who summarises loops looks at far more steps than can
// be unrolled, and who proves something of all runs needs no bound: these confirm themselves, with
// the other solver.
const EngineInfo& confirming(const EngineResult& found, const TransitionSystem& system) {
  const EngineInfo& finder = *find_engine(found.engine);
  const auto* short_runs = found.unreachable_by<AllRunsShort>();
  const bool counted = short_runs != nullptr && short_runs->of == AllRunsShort::Of::Steps;
  const bool for_all_runs = !system.bound.max && !counted;
  if ((for_all_runs || found.engine == "accelerate") && !finder.solver) return finder;
  return *find_engine("bmc");
}

// One part in so many of the time that is left.
Env with_part_of_the_time(const Env& env, int parts) {
  Env part = env;
  if (const auto left = env.deadline.remaining()) part.deadline = Deadline::after(*left / parts);
  smt::Limits limits = env.solvers.settings().limits;
  limits.deadline = part.deadline;
  part.solvers = env.solvers.with(limits);
  return part;
}

class SecondOpinion {
 public:
  SecondOpinion(const EngineResult& found, const Prepared& prepared, Env& env)
      : found_(found), prepared_(prepared), env_(env) {}

  WitnessCheck run() {
    if (on_model()) return WitnessCheck::by_whom(by_);
    if (agree(prepared_.system(), env_)) return {true, {by_}, prepared_.checked_on()};
    return WitnessCheck::unchecked(
        {std::string(smt::info(env_.solvers.settings().id).name), "", reason_});
  }

 private:
  bool on_model() {
    if (!prepared_.changed()) return false;
    const SliceStatistics::Count& transitions = prepared_.slice().transitions;
    if (transitions.all > kLargestModel) return false;
    // That no run is longer: parts that were sliced away may run for ever.
    if (!prepared_.question().bound.max && transitions.kept < transitions.all) return false;
    Env half = with_part_of_the_time(env_, 2);
    try {
      const Lowered lowered = lowered_as_parsed(prepared_.network(), prepared_.property(),
                                                half.solvers.settings().limits);
      return agree(lowered.system, half);
    } catch (const ResourceError& limit) {
      env_.log.debug("second opinion: {}", limit.what());
      return false;
    }
  }

  // Where there are few states, they are seen sooner than formulas are solved.
  bool agree(const TransitionSystem& system, Env& env) {
    if (found_.engine != "explicit") {
      Env part = with_part_of_the_time(env, 4);
      if (agrees(*find_engine("explicit"), system, part)) return true;
    }
    return agrees(confirming(found_, system), system, env);
  }

  bool agrees(const EngineInfo& engine, const TransitionSystem& system, Env& env) {
    const EngineResult second = run_engine(engine, system, env);
    if (second.reached() != nullptr)
      throw InternalError(fmt::format("the solvers disagree on '{}'", prepared_.question().name));
    reason_ = second.unknown() != nullptr ? second.unknown()->reason : Reason{};
    by_ = second.solver ? std::string(smt::info(*second.solver).name) : second.engine;
    return second.unreachable() != nullptr;
  }

  const EngineResult& found_;
  const Prepared& prepared_;
  Env& env_;
  std::string by_;  // a solver, or an engine that needed none
  Reason reason_;   // why not
};

}  // namespace

WitnessCheck second_opinion(const EngineResult& found, const Prepared& prepared, Env& env) {
  return SecondOpinion(found, prepared, env).run();
}

}  // namespace whittle
