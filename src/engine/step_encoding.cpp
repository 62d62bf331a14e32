// SPDX-License-Identifier: Apache-2.0
#include "engine/step_encoding.h"

#include "base/error.h"

namespace whittle {

StepEncoder::StepEncoder(const TransitionSystem& system, Unroller& unroller, StepEncoding encoding)
    : system_(system), pool_(*system.pool), unroller_(unroller), encoding_(encoding) {
  wait_.name = "wait";
  wait_.guard = pool_.boolean(true);
}

const Transition& StepEncoder::transition_of(const Selected& selected) const {
  return selected.transition == kWait ? wait_ : system_.transitions[selected.transition];
}

void StepEncoder::encode(std::uint64_t k, smt::Solver& solver, bool may_wait) {
  WHITTLE_REQUIRE(k == steps_.size(), "steps are encoded in their order");
  std::vector<Selected>& step = steps_.emplace_back();
  std::vector<Expr> selectors;
  for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
    const Transition& transition = system_.transitions[t];
    if (pool_.is_false(unroller_.at_time(transition.guard, k))) continue;
    const Expr selector = unroller_.fresh(transition.name, Type::boolean(), k);
    step.push_back({t, selector});
    selectors.push_back(selector);
  }
  if (may_wait) {
    const Expr selector = unroller_.fresh("wait", Type::boolean(), k);
    if (k > 0 && !steps_[k - 1].empty() && steps_[k - 1].back().transition == kWait) {
      solver.require(pool_.implies(steps_[k - 1].back().selector, selector));
    }
    step.push_back({kWait, selector});
    selectors.push_back(selector);
  }
  solver.require(pool_.disj(selectors));
  if (encoding_ == StepEncoding::Updates) {
    exclude_each_other(k, solver);
    encode_frames(k, solver);
  }
  for (const Selected& selected : step) {
    encode_guard(k, selected, solver);
    encode_updates(k, selected, solver);
    if (encoding_ == StepEncoding::Disjuncts) encode_own_frame(k, selected, solver);
  }
}

// selector -> guard(s@k, i@k) and relation(s@k, i@k, s@k+1)
void StepEncoder::encode_guard(std::uint64_t k, const Selected& selected, smt::Solver& solver) {
  const Transition& transition = transition_of(selected);
  solver.require(pool_.implies(selected.selector, unroller_.at_time(transition.guard, k)));
  if (transition.relation.valid()) {
    solver.require(pool_.implies(selected.selector, unroller_.at_time(transition.relation, k)));
  }
}

// selector -> v@k+1 = value(s@k, i@k)   for each update of the transition
void StepEncoder::encode_updates(std::uint64_t k, const Selected& selected, smt::Solver& solver) {
  for (const Update& update : transition_of(selected).updates) {
    const Expr value = unroller_.at_time(update.value, k);
    const Expr next = unroller_.variable(update.variable, k + 1);
    solver.require(pool_.implies(selected.selector, pool_.eq(next, value)));
  }
}

// selector -> v@k+1 = v@k   for each variable that the transition does not write
void StepEncoder::encode_own_frame(std::uint64_t k, const Selected& selected, smt::Solver& solver) {
  const Transition& transition = transition_of(selected);
  std::vector<bool> written(system_.variables.size());
  for (const Update& update : transition.updates) written[update.variable] = true;
  for (std::uint32_t v : transition.open) written[v] = true;
  for (std::uint32_t v = 0; v < system_.variables.size(); ++v) {
    if (written[v]) continue;
    const Expr same = pool_.eq(unroller_.variable(v, k + 1), unroller_.variable(v, k));
    solver.require(pool_.implies(selected.selector, same));
  }
}

// v@k+1 = v@k  or one of the transitions that write v is selected. A variable that none of them
// writes is the same term at both times.
void StepEncoder::encode_frames(std::uint64_t k, smt::Solver& solver) {
  std::vector<std::vector<Expr>> writers(system_.variables.size());
  for (const Selected& selected : steps_[k]) {
    const Transition& transition = transition_of(selected);
    for (const Update& update : transition.updates) {
      writers[update.variable].push_back(selected.selector);
    }
    for (std::uint32_t v : transition.open) writers[v].push_back(selected.selector);
  }
  for (std::uint32_t v = 0; v < system_.variables.size(); ++v) {
    if (writers[v].empty()) {
      unroller_.define(v, k + 1, unroller_.variable(v, k));
    } else if (writers[v].size() < steps_[k].size()) {
      writers[v].push_back(pool_.eq(unroller_.variable(v, k + 1), unroller_.variable(v, k)));
      solver.require(pool_.disj(writers[v]));
    }
  }
}

// At most one selector of the step, with a ladder: after(i) means that one of the first i is
// selected. Linear, where pairs would be quadratic.
void StepEncoder::exclude_each_other(std::uint64_t k, smt::Solver& solver) {
  constexpr std::size_t kPairs = 5;  // up to here pairs are fewer clauses
  const std::vector<Selected>& step = steps_[k];
  if (step.size() <= kPairs) {
    for (std::size_t i = 0; i < step.size(); ++i) {
      for (std::size_t j = i + 1; j < step.size(); ++j) {
        solver.require(pool_.disj(pool_.negate(step[i].selector), pool_.negate(step[j].selector)));
      }
    }
    return;
  }
  Expr before;  // one of those before i is selected
  for (std::size_t i = 0; i < step.size(); ++i) {
    if (i > 0) solver.require(pool_.implies(before, pool_.negate(step[i].selector)));
    if (i + 1 == step.size()) break;
    const Expr after = unroller_.fresh("after", Type::boolean(), k);
    solver.require(pool_.implies(step[i].selector, after));
    if (i > 0) solver.require(pool_.implies(before, after));
    before = after;
  }
}

std::optional<std::uint32_t> StepEncoder::taken(std::uint64_t k, smt::Solver& solver) const {
  for (const Selected& selected : steps_[k]) {
    if (!solver.value(selected.selector).as_bool()) continue;
    if (selected.transition == kWait) return std::nullopt;
    return selected.transition;
  }
  throw InternalError("a model of a step selects no transition");
}

}  // namespace whittle
