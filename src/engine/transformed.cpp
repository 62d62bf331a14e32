// SPDX-License-Identifier: Apache-2.0
#include "engine/transformed.h"

#include <algorithm>
#include <utility>

#include "engine/blocks_options.h"
#include "engine/portfolio/processor_limit.h"
#include "simplify/flat/no_wrap.h"

namespace whittle {

namespace {

Unknown incomplete(std::string why) { return {{Reason::Kind::Incomplete, std::move(why)}, {}}; }

class Lifting {
 public:
  Lifting(const FlatPipeline& pipeline, std::variant<Unknown, Reached, Unreachable>& outcome)
      : pipeline_(pipeline), outcome_(outcome) {}

  void operator()(Unknown& unknown) const {
    if (one_to_many()) unknown.clear_to.reset();
  }

  void operator()(Reached& reached) const {
    auto trace = pipeline_.trace(reached.trace);
    if (!trace) {
      outcome_ = Unknown{trace.error()};
      return;
    }
    reached.trace = std::move(*trace);
    if (one_to_many()) reached.shortest = false;
  }

  void operator()(Unreachable& unreachable) const { std::visit(*this, unreachable.why); }

  // Of a bound on steps of the result: for steps of several it says little.
  void operator()(UpToBound&) const {
    if (one_to_many()) outcome_ = incomplete("no run found with so many accelerated steps");
  }
  void operator()(Inductive& proof) const {
    proof.invariant = pipeline_.condition(proof.invariant);
    if (!proof.invariant.valid()) {
      outcome_ = incomplete("the invariant cannot be said of the system");
    } else if (proof.k > 1 && one_to_many()) {
      outcome_ = incomplete("a k-inductive invariant of accelerated steps");
    }
  }
  void operator()(AllStates&) const {
    outcome_ = incomplete("states of the transformed system were counted");
  }
  void operator()(AllRunsShort& runs) const {
    if (one_to_many()) runs.of = AllRunsShort::Of::AcceleratedSteps;
  }
  void operator()(RangesSettled&) const {}
  void operator()(KLiveness& bound) const {
    bool said = !one_to_many();
    for (Expr& stage : bound.stages) said = lift(stage) && said;
    if (!said) outcome_ = incomplete(kUnsaid);
  }
  void operator()(Ranking& ranking) const {
    bool said = lift(ranking.invariant) && !one_to_many();
    for (Expr& place : ranking.places) said = lift(place) && said;
    for (std::vector<Expr>& level : ranking.levels) {
      for (Expr& function : level) {
        if (!function.valid()) continue;
        function = pipeline_.term(function);
        said = function.valid() && said;
      }
    }
    if (!said) outcome_ = incomplete(kUnsaid);
  }

 private:
  static constexpr const char* kUnsaid = "the proof cannot be said of the system";

  [[nodiscard]] bool lift(Expr& condition) const {
    condition = pipeline_.condition(condition);
    return condition.valid();
  }
  [[nodiscard]] bool one_to_many() const { return pipeline_.steps() == FlatSteps::OneToMany; }

  const FlatPipeline& pipeline_;
  std::variant<Unknown, Reached, Unreachable>& outcome_;
};

}  // namespace

EngineResult lifted(EngineResult result, const FlatPipeline& pipeline) {
  if (pipeline.changed()) std::visit(Lifting(pipeline, result.outcome), result.outcome);
  return result;
}

EngineResult run_without_wrapping(
    const TransitionSystem& system, Env& env, std::chrono::milliseconds most,
    const std::function<EngineResult(const TransitionSystem&, Env&)>& run) {
  const FlatPipeline calm(system, {simplify::without_wrapping});
  if (!calm.changed()) return {};
  const auto left = env.deadline.remaining();
  const auto third = left ? *left / 3 : most;
  ProcessorLimit limit(std::min<std::chrono::milliseconds>(third, most), env.cancel);
  Env limited = limit.applied(env);
  return lifted(run(calm.system(), limited), calm);
}

FlatTransformation in_blocks(const Env& env) {
  return [&env](const TransitionSystem& system) {
    return simplify::large_blocks(system, env.solvers.settings().limits,
                                  *env.options.get<BlocksOptions>().blocks);
  };
}

}  // namespace whittle
