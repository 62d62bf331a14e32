// SPDX-License-Identifier: Apache-2.0
#include "ir/lowering/moving.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"
#include "expr/traverse.h"

namespace whittle {

namespace {

LowerOptions about(InstanceId instance, LowerOptions options) {
  options.instance = instance;
  return options;
}

}  // namespace

// Backwards: the last step's guard, as seen from the state before the step before it, and so on.
Expr weakest_precondition(const TransitionSystem& system, const Continuation& steps, Expr after) {
  ExprPool& pool = *system.pool;
  Expr result = after.valid() ? after : pool.boolean(true);
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    const Transition& t = system.transitions.at(step->transition);
    WHITTLE_REQUIRE(step->inputs.size() == t.inputs.size(), "a term for every input");
    WHITTLE_REQUIRE(step->open.size() == t.open.size(), "a term for every open variable");
    Substitution chosen(pool);
    for (std::size_t i = 0; i < t.inputs.size(); ++i) chosen.set(t.inputs[i], step->inputs[i]);
    Substitution ends(pool);
    for (const Update& update : t.updates)
      ends.set(system.variables[update.variable].current, chosen(update.value));
    Substitution next(pool);
    for (const auto& [v, value] : step->open) {
      WHITTLE_REQUIRE(std::find(t.open.begin(), t.open.end(), v) != t.open.end(),
                      "a next value of an open variable");
      next.set(system.variables[v].next, value);
      ends.set(system.variables[v].current, value);
    }
    std::vector<Expr> parts = {chosen(t.guard)};
    if (t.relation.valid()) parts.push_back(next(chosen(t.relation)));
    parts.push_back(ends(result));
    result = pool.conj(parts);
  }
  return result;
}

TransitionSystem beginning_in(const TransitionSystem& system, const FlatState& state) {
  TransitionSystem result = system;
  ExprPool& pool = *result.pool;
  std::vector<Expr> parts;
  for (std::size_t v = 0; v < result.variables.size(); ++v) {
    const StateVariable& variable = result.variables[v];
    parts.push_back(
        pool.eq(pool.symbol(variable.current), pool.constant(state.at(v), variable.type)));
  }
  result.init = pool.conj(parts);
  // What makes instances alike, and what is believed, is about other first states.
  result.alike.clear();
  result.hints.clear();
  return result;
}

Moving::Moving(Network& network, PropertyId property, InstanceId instance,
               const LowerOptions& options)
    : lowered_(lower(network, property, about(instance, options))) {
  for (std::uint32_t t = 0; t < system().transitions.size(); ++t) {
    const std::vector<InstanceId> who = back().participants(t);
    moves_.push_back(std::find(who.begin(), who.end(), instance) != who.end());
  }
  build_move();
}

void Moving::build_move() {
  ExprPool& pool = *system().pool;
  std::unordered_set<SymbolId> inputs;
  std::unordered_map<std::uint32_t, SymbolId> next_input;  // by open variable
  std::vector<Expr> alternatives;
  auto add_input = [&](SymbolId symbol) {
    if (inputs.insert(symbol).second) move_.inputs.push_back(symbol);
  };
  for (std::uint32_t i = 0; i < system().transitions.size(); ++i) {
    if (!moves_[i]) continue;
    const Transition& t = system().transitions[i];
    Case found{i, {}, {}};
    Substitution rename(pool);
    for (std::uint32_t v : t.open) {
      const StateVariable& variable = system().variables[v];
      const auto [it, fresh] = next_input.try_emplace(v);
      if (fresh) it->second = pool.declare(variable.name + "''", variable.type);
      rename.set(variable.next, pool.symbol(it->second));
      found.next.emplace_back(v, it->second);
      add_input(it->second);
    }
    for (SymbolId input : t.inputs) add_input(input);
    found.condition = t.relation.valid() ? pool.conj(t.guard, rename(t.relation)) : t.guard;
    alternatives.push_back(found.condition);
    cases_.push_back(std::move(found));
  }
  move_.condition = pool.disj(alternatives);
}

std::vector<ContinuationStep> Moving::moves_with(const FlatState& state,
                                                 const std::vector<Value>& inputs) const {
  ExprPool& pool = *system().pool;
  FlatRun run(system());
  auto chosen = [&](SymbolId symbol) {
    const auto it = std::find(move_.inputs.begin(), move_.inputs.end(), symbol);
    return pool.constant(inputs.at(static_cast<std::size_t>(it - move_.inputs.begin())),
                         pool.info(symbol).type);
  };
  std::vector<ContinuationStep> result;
  for (const Case& one : cases_) {
    if (!run.holds(one.condition, state, move_.inputs, inputs)) continue;
    ContinuationStep step{one.transition, {}, {}};
    for (SymbolId input : system().transitions[one.transition].inputs)
      step.inputs.push_back(chosen(input));
    for (const auto& [v, symbol] : one.next) step.open.emplace_back(v, chosen(symbol));
    result.push_back(std::move(step));
  }
  return result;
}

TransitionSystem Moving::waiting(const std::vector<Continuation>& continuations) const {
  TransitionSystem result = system();
  ExprPool& pool = *result.pool;
  std::vector<Expr> parts = {result.goal.condition};
  for (const Continuation& continuation : continuations) {
    WHITTLE_REQUIRE(!continuation.empty() && moves_[continuation.back().transition],
                    "a continuation that moves the instance");
    parts.push_back(pool.negate(weakest_precondition(result, continuation)));
  }
  result.goal.condition = pool.conj(parts);
  // What makes instances alike for the question as a whole does not for this one.
  result.alike.clear();
  return result;
}

TransitionSystem Moving::moves_from(const FlatState& state) const {
  TransitionSystem result = beginning_in(system(), state);
  result.goal = move_;
  return result;
}

}  // namespace whittle
