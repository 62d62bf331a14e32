// SPDX-License-Identifier: Apache-2.0
#include "driver/lifted_region.h"

#include <utility>

#include "base/checkpoint.h"
#include "ir/lowering/lower.h"
#include "ir/ltl.h"
#include "ir/run/flat_run.h"
#include "ir/run/stepper.h"
#include "witness/elimination_check.h"
#include "witness/region_check.h"

namespace whittle {

namespace {

constexpr std::uint64_t kMostSteps = 10'000;

// A run of the network as one of its flat system.
class FlatOf {
 public:
  FlatOf(const Network& network, const Lowered& lowered, const Trace& run)
      : lowered_(lowered), run_(run), stepper_(network, run.universe), flat_(lowered.system) {}

  // Empty: a step is none of the system.
  std::optional<FlatTrace> operator()() {
    State state = run_.initial;
    FlatTrace result;
    result.initial = lowered_.back->flat_state(state);
    for (std::size_t i = 0; i < run_.steps.size(); ++i) {
      if (i == *run_.loop) result.loop = result.steps.size();
      for (std::uint64_t n = 0; n < run_.steps[i].times; ++n) {
        const FlatState before = lowered_.back->flat_state(state);
        if (!stepper_.advance(state, run_.steps[i])) return std::nullopt;
        auto step = one(run_.steps[i], before, lowered_.back->flat_state(state));
        if (!step) return std::nullopt;
        result.steps.push_back(std::move(*step));
      }
    }
    return result;
  }

 private:
  std::optional<FlatStep> one(const TraceStep& taken, const FlatState& before,
                              const FlatState& after) {
    const TransitionSystem& system = lowered_.system;
    for (std::uint32_t t = 0; t + 1 < system.transitions.size(); ++t) {
      checkpoint();
      if (lowered_.back->event_of(t) != std::pair{taken.instance, taken.event}) continue;
      FlatStep step;
      step.transition = t;
      step.inputs = taken.arguments;
      for (const std::uint32_t v : system.transitions[t].open) step.open.emplace_back(v, after[v]);
      FlatState reached = before;
      if (!flat_.advance_all(reached, step) && reached == after) return step;
    }
    return std::nullopt;
  }

  const Lowered& lowered_;
  const Trace& run_;
  Stepper stepper_;
  FlatRun flat_;
};

Problem unsaid(std::string why) { return Unexpected{RejectedWitness{std::move(why)}}; }

}  // namespace

Problem lifted_region_problem(Network& network, PropertyId property, const Trace& run,
                              const smt::SolverFactory& checker) {
  if (run.length() > kMostSteps) return unsaid("a loop of so many steps");
  ExprPool& pool = network.pool();
  std::vector<Elimination> eliminated;
  LowerOptions options;
  options.eliminate = written_elimination(pool, checker.settings().limits, eliminated);
  const Lowered lowered = lower(network, property, options);
  if (auto problem = check_eliminations(pool, eliminated, checker)) return problem;
  auto flat = FlatOf(network, lowered, run)();
  if (!flat) return unsaid("a step of the slice is none of the model");
  const TransitionSystem& system = lowered.system;
  flat->region.emplace();
  flat->region->condition = lowered.back->flat_condition(run.region);
  const auto& asked = network.property(property).as<RunGoal>();
  LtlPool& ltl = network.ltl();
  const std::vector<Expr> atoms = ltl.atoms(refuting(ltl, pool, asked.formula, asked.assumption));
  std::vector<std::vector<Expr>> letters;
  for (std::size_t i = *flat->loop; i < flat->steps.size(); ++i) {
    const FlatStep& step = flat->steps[i];
    const Transition& transition = system.transitions[step.transition];
    FlatRegion::Step& chosen = flat->region->steps.emplace_back();
    for (std::size_t p = 0; p < step.inputs.size(); ++p)
      chosen.inputs.push_back(pool.constant(step.inputs[p], pool.info(transition.inputs[p]).type));
    for (const auto& [v, value] : step.open)
      chosen.open.push_back(pool.constant(value, system.variables[v].type));
    std::vector<Expr>& here = letters.emplace_back();
    for (const Expr atom : atoms)
      here.push_back(lowered.back->at_step(lowered.back->flat_condition(atom), step.transition));
  }
  const auto checked = check_region(system, *flat, checker, letters);
  if (!checked) return Unexpected{checked.error()};
  if (!checked->checked) return *checked;
  return std::nullopt;
}

}  // namespace whittle
