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

// The states before each step of the loop, in the round that the trace has.
std::vector<FlatState> states_of_round(const TransitionSystem& system, const FlatTrace& trace) {
  FlatRun run(system);
  FlatState state = trace.initial;
  std::vector<FlatState> result;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    if (i >= *trace.loop) result.push_back(state);
    if (run.advance_all(state, trace.steps[i])) break;  // it was followed before
  }
  return result;
}

class RegionObligations {
 public:
  RegionObligations(const TransitionSystem& system, const FlatTrace& trace,
                    const smt::SolverFactory& solvers)
      : system_(system),
        pool_(*system.pool),
        trace_(trace),
        solver_(solvers.make(pool_, "region")),
        round_(system),
        met_(system.acceptance->size(), 0),
        taken_(system.strong.size(), 0),
        impossible_(system.strong.size(), 1) {}

  Expected<WitnessCheck, RejectedWitness> check(const std::vector<std::vector<Expr>>& letters) {
    const FlatRegion& region = *trace_.region;
    solver_->require(region.condition);
    const std::vector<FlatState> states = states_of_round(system_, trace_);
    FlatRun run(system_);
    for (std::size_t i = 0; i < region.steps.size(); ++i) {
      const std::uint32_t t = trace_.steps[*trace_.loop + i].transition;
      const Transition& transition = system_.transitions[t];
      note_sets(t);
      if (i < letters.size()) {
        for (const Expr letter : letters[i]) {
          const Expr here = round_.here(letter);
          const Expr differs = run.holds(letter, states[i]) ? pool_.negate(here) : here;
          if (auto problem = refuted(*solver_, differs, "that every round has the same letters"))
            return *problem;
        }
      }
      const Expr asked = round_.take(transition, region.steps[i]);
      if (auto problem = refuted(*solver_, pool_.negate(asked), "that the loop can be taken again",
                                 transition.name))
        return *problem;
    }
    const Expr left = pool_.negate(round_.here(region.condition));
    if (auto problem = refuted(*solver_, left, "that the loop ends where it began"))
      return *problem;
    for (std::size_t set = 0; set < met_.size(); ++set) {
      if (met_[set] == 0)
        return not_a_region("the loop does not meet every set", (*system_.acceptance)[set].name);
    }
    for (std::size_t unit = 0; unit < taken_.size(); ++unit) {
      if (taken_[unit] == 0 && impossible_[unit] == 0)
        return not_a_region("the loop is not fair", system_.strong[unit].name);
    }
    WitnessCheck check = WitnessCheck::by_whom("replay");
    check.by.push_back(solver_->name());
    return check;
  }

 private:
  static bool lists(const std::vector<std::uint32_t>& all, std::uint32_t t) {
    return std::find(all.begin(), all.end(), t) != all.end();
  }

  // What the state here and the step from it do for sets and fairness.
  void note_sets(std::uint32_t t) {
    for (std::size_t set = 0; set < met_.size(); ++set) {
      const AcceptanceSet& of = (*system_.acceptance)[set];
      if (lists(of.transitions, t)) met_[set] = 1;
      if (met_[set] != 0 || !of.condition.valid()) continue;
      if (!refuted(*solver_, pool_.negate(round_.here(of.condition)), "")) met_[set] = 1;
    }
    for (std::size_t unit = 0; unit < taken_.size(); ++unit) {
      const StrongFairness& of = system_.strong[unit];
      if (lists(of.transitions, t)) taken_[unit] = 1;
      if (taken_[unit] != 0 || impossible_[unit] == 0) continue;
      if (refuted(*solver_, round_.here(of.enabled), "")) impossible_[unit] = 0;
    }
  }

  const TransitionSystem& system_;
  ExprPool& pool_;
  const FlatTrace& trace_;
  std::unique_ptr<smt::Solver> solver_;
  Round round_;
  std::vector<char> met_;                 // by acceptance set
  std::vector<char> taken_, impossible_;  // by strongly fair unit
};

}  // namespace

Expected<WitnessCheck, RejectedWitness> check_region(
    const TransitionSystem& system, const FlatTrace& trace, const smt::SolverFactory& solvers,
    const std::vector<std::vector<Expr>>& letters) {
  if (auto problem = shape_problem(system, trace)) return not_a_region(*problem);
  if (auto problem = run_problem(system, trace)) return not_a_region(*problem);
  return RegionObligations(system, trace, solvers).check(letters);
}

}  // namespace whittle
