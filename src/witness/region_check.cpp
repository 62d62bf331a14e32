// SPDX-License-Identifier: Apache-2.0
#include "witness/region_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "expr/traverse.h"
#include "ir/run/flat_run.h"
#include "ir/transition_terms.h"
#include "witness/obligation.h"

namespace whittle {

namespace {

Unexpected<RejectedWitness> not_a_region(std::string why, std::string event = {}) {
  return Unexpected{RejectedWitness{std::move(why), std::move(event)}};
}

// The state along a round as terms over the one before it.
class Round {
 public:
  explicit Round(const TransitionSystem& system) : system_(system), pool_(*system.pool) {
    for (const StateVariable& v : system.variables) values_.push_back(pool_.symbol(v.current));
  }

  // A term over current symbols, here.
  [[nodiscard]] Expr here(Expr term) const { return now()(term); }

  // Takes the step; what it asks for, over the state before the round.
  [[nodiscard]] Expr take(const Transition& transition, const FlatRegion::Step& chosen) {
    Substitution at = now();
    for (std::size_t i = 0; i < transition.inputs.size(); ++i)
      at.set(transition.inputs[i], here(chosen.inputs[i]));
    for (std::size_t i = 0; i < transition.open.size(); ++i)
      at.set(system_.variables[transition.open[i]].next, here(chosen.open[i]));
    const Expr asked = at(step_condition(pool_, transition));
    std::vector<Expr> next = values_after(system_, transition);
    for (Expr& value : next) value = at(value);
    values_ = std::move(next);
    return asked;
  }

 private:
  [[nodiscard]] Substitution now() const {
    Substitution result(pool_);
    for (std::size_t v = 0; v < values_.size(); ++v)
      result.set(system_.variables[v].current, values_[v]);
    return result;
  }

  const TransitionSystem& system_;
  ExprPool& pool_;
  std::vector<Expr> values_;
};

// Why the run does not come to the region, or one round not back to it.
std::optional<std::string> run_problem(const TransitionSystem& system, const FlatTrace& trace) {
  FlatRun run(system);
  FlatState state = trace.initial;
  if (!run.holds(system.init, state)) return "the run does not begin in a first state";
  for (std::size_t i = 0; i <= trace.steps.size(); ++i) {
    const bool at_end = i == *trace.loop || i == trace.steps.size();
    if (at_end && !run.holds(trace.region->condition, state))
      return fmt::format("the region does not hold after {} steps of the run", i);
    if (i == trace.steps.size()) break;
    if (auto problem = run.advance_all(state, trace.steps[i])) return problem;
  }
  return std::nullopt;
}

std::optional<std::string> shape_problem(const TransitionSystem& system, const FlatTrace& trace) {
  if (!trace.loop || !trace.region || *trace.loop >= trace.steps.size()) return "there is no loop";
  const std::size_t length = trace.steps.size() - *trace.loop;
  if (trace.region->steps.size() != length) return "the region is of another loop";
  for (std::size_t i = 0; i < length; ++i) {
    const FlatStep& step = trace.steps[*trace.loop + i];
    if (step.transition >= system.transitions.size() || step.times != 1)
      return "the loop has a step of no single transition";
    const Transition& t = system.transitions[step.transition];
    const FlatRegion::Step& chosen = trace.region->steps[i];
    if (chosen.inputs.size() != t.inputs.size() || chosen.open.size() != t.open.size())
      return "a step of the region has other inputs";
  }
  return std::nullopt;
}

}  // namespace

Expected<WitnessCheck, RejectedWitness> check_region(const TransitionSystem& system,
                                                     const FlatTrace& trace,
                                                     const smt::SolverFactory& solvers) {
  if (auto problem = shape_problem(system, trace)) return not_a_region(*problem);
  if (auto problem = run_problem(system, trace)) return not_a_region(*problem);
  ExprPool& pool = *system.pool;
  const FlatRegion& region = *trace.region;
  const auto solver = solvers.make(pool, "region");
  solver->require(region.condition);
  Round round(system);
  const auto& sets = *system.acceptance;
  std::vector<char> met(sets.size(), 0);
  for (std::size_t i = 0; i < region.steps.size(); ++i) {
    const std::uint32_t t = trace.steps[*trace.loop + i].transition;
    const Transition& transition = system.transitions[t];
    for (std::size_t set = 0; set < sets.size(); ++set) {
      const auto& in = sets[set].transitions;
      if (met[set] == 0 && std::find(in.begin(), in.end(), t) != in.end()) met[set] = 1;
      if (met[set] != 0 || !sets[set].condition.valid()) continue;
      const Expr otherwise = pool.negate(round.here(sets[set].condition));
      if (!refuted(*solver, otherwise, "")) met[set] = 1;
    }
    const Expr asked = round.take(transition, region.steps[i]);
    if (auto problem = refuted(*solver, pool.negate(asked), "that the loop can be taken again",
                               transition.name))
      return *problem;
  }
  const Expr left = pool.negate(round.here(region.condition));
  if (auto problem = refuted(*solver, left, "that the loop ends where it began")) return *problem;
  for (std::size_t set = 0; set < sets.size(); ++set) {
    if (met[set] == 0) return not_a_region("the loop does not meet every set", sets[set].name);
  }
  WitnessCheck check = WitnessCheck::by_whom("replay");
  check.by.push_back(solver->name());
  return check;
}

}  // namespace whittle
