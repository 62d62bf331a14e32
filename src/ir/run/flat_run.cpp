// SPDX-License-Identifier: Apache-2.0
#include "ir/run/flat_run.h"

#include <algorithm>

namespace whittle {

namespace {
constexpr std::uint32_t kNone = UINT32_MAX;
constexpr std::uint64_t kWalked = 100'000;  // repetitions
}  // namespace

FlatRun::FlatRun(const TransitionSystem& system) : system_(system), evaluator_(*system.pool) {
  for (std::uint32_t i = 0; i < system.variables.size(); ++i) {
    const StateVariable& v = system.variables[i];
    const std::size_t last = std::max(v.current.index(), v.next.index());
    if (meaning_.size() <= last) meaning_.resize(last + 1, {kNone, false});
    meaning_[v.current.index()] = {i, false};
    meaning_[v.next.index()] = {i, true};
  }
  lookup_ = [this](SymbolId symbol, std::span<const Value>) { return value_of(symbol); };
}

std::optional<Value> FlatRun::value_of(SymbolId symbol) const {
  if (view_.inputs != nullptr) {
    for (std::size_t i = 0; i < view_.inputs->size(); ++i) {
      if ((*view_.inputs)[i] == symbol) return (*view_.values)[i];
    }
  }
  if (symbol.index() >= meaning_.size()) return std::nullopt;
  const auto [variable, next] = meaning_[symbol.index()];
  if (variable == kNone) return std::nullopt;
  if (!next) return (*view_.state)[variable];
  if (view_.open == nullptr) return std::nullopt;
  for (const auto& [v, value] : *view_.open) {
    if (v == variable) return value;
  }
  return std::nullopt;
}

bool FlatRun::holds(Expr condition, const FlatState& state, const std::vector<SymbolId>& inputs,
                    const std::vector<Value>& values) {
  view_ = {&state, &inputs, &values, nullptr};
  auto result = evaluator_(condition, lookup_);
  return result && result->as_bool();
}

std::optional<std::string> FlatRun::advance(FlatState& state, const FlatStep& step) {
  if (step.transition >= system_.transitions.size()) return "no such transition";
  const Transition& t = system_.transitions[step.transition];
  const ExprPool& pool = *system_.pool;
  if (step.inputs.size() != t.inputs.size()) return t.name + ": the wrong number of inputs";
  for (std::size_t i = 0; i < t.inputs.size(); ++i) {
    if (!pool.has_type(step.inputs[i], pool.info(t.inputs[i]).type)) {
      return t.name + ": an input of another type";
    }
  }
  if (step.open.size() != t.open.size()) return t.name + ": the wrong number of next values";
  for (const auto& [v, value] : step.open) {
    if (std::find(t.open.begin(), t.open.end(), v) == t.open.end()) {
      return t.name + ": a next value for " + system_.variables[v].name + ", which is not open";
    }
    if (!pool.has_type(value, system_.variables[v].type)) {
      return t.name + ": a next value of another type for " + system_.variables[v].name;
    }
  }
  view_ = {&state, &t.inputs, &step.inputs, nullptr};
  auto guard = observed(evaluator_, t.guard, lookup_, observations_);
  if (!guard || !guard->as_bool()) return t.name + ": the guard does not hold";
  pending_.clear();
  for (const Update& update : t.updates) {
    auto value = observed(evaluator_, update.value, lookup_, observations_);
    if (!value)
      return t.name + ": the next " + system_.variables[update.variable].name + " is undefined";
    pending_.emplace_back(update.variable, std::move(*value));
  }
  if (t.relation.valid()) {
    view_.open = &step.open;
    auto relation = observed(evaluator_, t.relation, lookup_, observations_);
    if (!relation || !relation->as_bool()) return t.name + ": the relation does not hold";
  }
  for (auto& [v, value] : pending_) state[v] = std::move(value);
  for (const auto& [v, value] : step.open) state[v] = value;
  return std::nullopt;
}

std::optional<std::string> FlatRun::advance_all(FlatState& state, const FlatStep& step) {
  for (std::uint64_t i = 0; i < step.times; ++i) {
    if (i == 1 && step.times > kWalked && advance_repeated(state, step, step.times - 1)) break;
    if (auto problem = advance(state, step)) return problem;
  }
  return std::nullopt;
}

bool FlatRun::advance_repeated(FlatState& state, const FlatStep& step, std::uint64_t n) {
  Observations at_first;
  Observations at_last;
  FlatState second = state;
  observations_ = &at_first;
  bool possible = !advance(second, step);
  FlatState last = state;
  FlatState end = state;
  const Integer count(static_cast<unsigned long>(n));
  for (std::size_t v = 0; v < state.size() && possible; ++v) {
    auto before = on_line(state[v], second[v], count - Integer(1));
    auto after = on_line(state[v], second[v], count);
    possible = before && after;
    if (!possible) break;
    last[v] = std::move(*before);
    end[v] = std::move(*after);
  }
  observations_ = &at_last;
  possible = possible && !advance(last, step);
  observations_ = nullptr;
  if (!possible || last != end || !linear_between(*system_.pool, at_first, at_last)) return false;
  state = std::move(end);
  return true;
}

namespace {

// The loop of a run that answers a live question, from the state before it.
std::optional<std::string> loop_problem(const TransitionSystem& system, FlatRun& run,
                                        const FlatTrace& trace, FlatState state) {
  const FlatState first = state;
  const std::vector<AcceptanceSet>& sets = *system.acceptance;
  std::vector<char> met(sets.size(), 0);
  std::vector<char> taken(system.strong.size(), 0);
  std::vector<char> possible(system.strong.size(), 0);
  const auto lists = [](const std::vector<std::uint32_t>& all, std::uint32_t t) {
    return std::find(all.begin(), all.end(), t) != all.end();
  };
  for (std::size_t s = *trace.loop; s < trace.steps.size(); ++s) {
    FlatStep once = trace.steps[s];
    once.times = 1;
    for (std::uint64_t i = 0; i < trace.steps[s].times; ++i) {
      for (std::size_t j = 0; j < sets.size(); ++j) {
        if (met[j] != 0) continue;
        met[j] = lists(sets[j].transitions, once.transition) || run.holds(sets[j].condition, state)
                     ? 1
                     : 0;
      }
      for (std::size_t j = 0; j < taken.size(); ++j) {
        if (lists(system.strong[j].transitions, once.transition)) taken[j] = 1;
        if (run.holds(system.strong[j].enabled, state)) possible[j] = 1;
      }
      if (auto problem = run.advance(state, once)) return "in the loop: " + *problem;
    }
  }
  if (state != first) return "the loop does not come back";
  for (std::size_t j = 0; j < sets.size(); ++j) {
    if (met[j] == 0) return "the loop does not meet '" + sets[j].name + "'";
  }
  for (std::size_t j = 0; j < taken.size(); ++j) {
    if (possible[j] != 0 && taken[j] == 0) return "the loop is not '" + system.strong[j].name + "'";
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> flat_trace_problem(const TransitionSystem& system,
                                              const FlatTrace& trace) {
  if (trace.initial.size() != system.variables.size()) {
    return "the first state does not fit the system";
  }
  FlatState state;
  state.reserve(trace.initial.size());
  for (std::size_t i = 0; i < trace.initial.size(); ++i) {
    const StateVariable& v = system.variables[i];
    if (!system.pool->has_type(trace.initial[i], v.type))
      return v.name + " has no value of its type";
    state.push_back(system.pool->normalized(trace.initial[i], v.type));
  }
  FlatRun run(system);
  if (!run.holds(system.init, state)) return "the first state is not initial";
  std::uint64_t length = 0;
  if (system.acceptance && (!trace.loop || *trace.loop >= trace.steps.size()))
    return "there is no loop";
  for (std::size_t s = 0; s < trace.steps.size(); ++s) {
    const FlatStep& step = trace.steps[s];
    if (system.acceptance && trace.loop == s) return loop_problem(system, run, trace, state);
    if (auto problem = run.advance_all(state, step)) {
      return "after " + std::to_string(length) + " steps: " + *problem;
    }
    length += step.times;
  }
  if (length < system.bound.min || (system.bound.max && length > *system.bound.max)) {
    return std::to_string(length) + " steps are outside the bound";
  }
  if (trace.goal_inputs.size() != system.goal.inputs.size()) {
    return "the wrong number of inputs for the goal";
  }
  if (!run.holds(system.goal.condition, state, system.goal.inputs, trace.goal_inputs)) {
    return "the last state is no goal";
  }
  return std::nullopt;
}

}  // namespace whittle
