// SPDX-License-Identifier: Apache-2.0
#include "engine/engines.h"

#include <array>

#include "base/checkpoint.h"
#include "engine/transformed.h"
#include "simplify/flat/strong_fairness.h"

namespace whittle {

// Each stands in the file of its name.
extern const EngineInfo kAccelerateInfo;
extern const EngineInfo kAutoInfo;
extern const EngineInfo kBackwardInfo;
extern const EngineInfo kBmcInfo;
extern const EngineInfo kExplicitInfo;
extern const EngineInfo kKInductionInfo;
extern const EngineInfo kKLivenessInfo;
extern const EngineInfo kLassoInfo;
extern const EngineInfo kLazyInfo;
extern const EngineInfo kPdrInfo;
extern const EngineInfo kRankingInfo;
extern const EngineInfo kRegionInfo;
extern const EngineInfo kRscInfo;
extern const EngineInfo kSccInfo;
extern const EngineInfo kSwarmInfo;

std::span<const EngineInfo* const> engines() {
  static const auto list = std::to_array<const EngineInfo*>({
      &kAutoInfo,
      &kBmcInfo,
      &kBackwardInfo,
      &kAccelerateInfo,
      &kExplicitInfo,
      &kSwarmInfo,
      &kKInductionInfo,
      &kPdrInfo,
      &kLazyInfo,
      &kRscInfo,
      &kSccInfo,
      &kLassoInfo,
      &kRankingInfo,
      &kRegionInfo,
      &kKLivenessInfo,
  });
  return list;
}

const EngineInfo* find_engine(std::string_view id) {
  for (const EngineInfo* engine : engines()) {
    if (engine->id == id) return engine;
  }
  return nullptr;
}

Reason at_depth(const Reason& reason, std::uint64_t depth) {
  const std::string place = "at depth " + std::to_string(depth);
  return {reason.kind, is_limit(reason.kind) ? place : reason.text() + " " + place};
}

std::string reason_text(const EngineResult& result) {
  return result.unknown() != nullptr ? result.unknown()->reason.text() : "";
}

namespace {

// What the engine cannot read is said otherwise, or not asked.
EngineResult asked(const EngineInfo& engine, const TransitionSystem& system, Env& env) {
  const bool live = system.acceptance.has_value();
  if (live ? !engine.can.live : engine.can.live_only) {
    std::string what = "the question is not about runs that go on for ever";
    if (live) {
      what = "the question is about runs that go on for ever; engines for these are ";
      for (const EngineInfo* other : engines()) {
        if (other->can.live)
          what += (other == engines().front() ? "" : ", ") + std::string(other->id);
      }
    }
    return EngineResult{Unknown{{Reason::Kind::Unsupported, std::move(what)}, {}}};
  }
  if (system.strong.empty() || engine.can.strong_fairness) return engine.run(system, env);
  return run_transformed(system, env, {simplify::strong_fairness_as_sets}, engine.run);
}

}  // namespace

EngineResult run_engine(const EngineInfo& engine, const TransitionSystem& system, Env& env) {
  const smt::CallCounts before = env.solvers.counts();
  EngineResult result;
  try {
    result = asked(engine, system, env);
  } catch (const LimitReached& limit) {  // in the middle of something that looks at no deadline
    result.outcome = Unknown{limit.reason()};
  }
  result.calls = env.solvers.counts().since(before);
  if (!result.engine.empty()) return result;
  result.engine = engine.id;
  if (engine.solver) {
    result.solver = engine.solver;
  } else if (result.calls.checks > 0) {
    result.solver = env.solvers.settings().id;
  }
  return result;
}

}  // namespace whittle
