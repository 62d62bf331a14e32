// SPDX-License-Identifier: Apache-2.0
#include "driver/continuations.h"

#include <algorithm>
#include <unordered_set>

#include "base/error.h"
#include "expr/traverse.h"

namespace whittle {

namespace {

constexpr std::uint64_t kMostSteps = 200;
constexpr std::size_t kMostCandidates = 4;  // terms to try per input

bool compares(Op op) { return op == Op::Eq || op == Op::Le || op == Op::Lt; }

class Generalization {
 public:
  Generalization(const TransitionSystem& system, const FlatState& first,
                 const ComesFarEnough& condition)
      : system_(system), pool_(*system.pool), first_(first), condition_(condition) {}

  std::vector<Continuation> operator()(Continuation concrete) {
    std::vector<Continuation> result = {concrete};
    bool changed = false;
    for (std::size_t i = 0; i < concrete.size(); ++i) {
      const Transition& t = system_.transitions[concrete[i].transition];
      for (std::size_t j = 0; j < t.inputs.size(); ++j) {
        for (Expr candidate : candidates(t, t.inputs[j])) {
          const Expr before = concrete[i].inputs[j];
          concrete[i].inputs[j] = candidate;
          if (possible(concrete)) {
            changed = true;
            break;
          }
          concrete[i].inputs[j] = before;
        }
      }
    }
    if (changed) result.push_back(std::move(concrete));
    return result;
  }

 private:
  [[nodiscard]] bool possible(const Continuation& steps) const {
    FlatRun run(system_);
    return run.holds(condition_(steps), first_);
  }

  // Terms over the state that the guard compares the input with; equations first.
  [[nodiscard]] std::vector<Expr> candidates(const Transition& t, SymbolId input) const {
    std::unordered_set<SymbolId> chosen(t.inputs.begin(), t.inputs.end());
    for (std::uint32_t v : t.open) chosen.insert(system_.variables[v].next);
    std::vector<Expr> equal;
    std::vector<Expr> bounds;
    auto offer = [&](Expr term, bool equation) {
      if (pool_.type(term) != pool_.info(input).type) return;
      const std::vector<SymbolId> used = symbols(pool_, term);
      if (std::any_of(used.begin(), used.end(), [&](SymbolId s) { return chosen.contains(s); }))
        return;
      (equation ? equal : bounds).push_back(term);
    };
    const Expr sought = pool_.symbol(input);
    for_each_subterm(pool_, t.guard, [&](Expr e) {
      if (pool_.is_const(e) || pool_.is_variable(e) || !compares(pool_.op(e))) return;
      const Expr left = pool_.child(e, 0);
      const Expr right = pool_.child(e, 1);
      if (left == sought) offer(right, pool_.op(e) == Op::Eq);
      if (right == sought) offer(left, pool_.op(e) == Op::Eq);
    });
    equal.insert(equal.end(), bounds.begin(), bounds.end());
    if (equal.size() > kMostCandidates) equal.resize(kMostCandidates);
    return equal;
  }

  const TransitionSystem& system_;
  ExprPool& pool_;
  const FlatState& first_;
  const ComesFarEnough& condition_;
};

}  // namespace

std::optional<Continuation> steps_of(const TransitionSystem& system, const FlatTrace& run) {
  ExprPool& pool = *system.pool;
  std::uint64_t length = 0;
  Continuation steps;
  for (const FlatStep& step : run.steps) {
    length += step.times;
    if (step.times > kMostSteps || length > kMostSteps) return std::nullopt;
    const Transition& t = system.transitions[step.transition];
    ContinuationStep taken{step.transition, {}, {}};
    for (std::size_t i = 0; i < t.inputs.size(); ++i)
      taken.inputs.push_back(pool.constant(step.inputs[i], pool.info(t.inputs[i]).type));
    for (const auto& [v, value] : step.open)
      taken.open.emplace_back(v, pool.constant(value, system.variables[v].type));
    steps.insert(steps.end(), step.times, taken);
  }
  return steps;
}

std::vector<Continuation> generalised(const TransitionSystem& system, const FlatState& state,
                                      Continuation steps, const ComesFarEnough& condition) {
  return Generalization(system, state, condition)(std::move(steps));
}

std::optional<std::vector<Continuation>> continuations_like(const Moving& moving,
                                                            const FlatTrace& run) {
  const TransitionSystem& system = moving.system();
  std::optional<Continuation> steps = steps_of(system, run);
  if (!steps) return std::nullopt;
  FlatState state = run.initial;
  FlatRun walk(system);
  for (const FlatStep& step : run.steps) {
    if (auto problem = walk.advance_all(state, step))
      throw InternalError("a flat trace that is no run: " + *problem);
  }
  const std::vector<ContinuationStep> moves = moving.moves_with(state, run.goal_inputs);
  WHITTLE_REQUIRE(!moves.empty(), "a run that ends with a move");
  steps->push_back(moves.front());
  return generalised(system, run.initial, std::move(*steps),
                     [&](const Continuation& c) { return weakest_precondition(system, c); });
}

}  // namespace whittle
