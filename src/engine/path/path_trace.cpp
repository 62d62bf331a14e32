// SPDX-License-Identifier: Apache-2.0
#include "engine/path/path_trace.h"

#include "smt/solver.h"

namespace whittle {

namespace {

// guard(s@k, i@k)  and  s@k+1 = update(s@k, i@k)  and  relation(s@k, i@k, s@k+1)
void require_step(const TransitionSystem& system, const Transition& t, std::uint64_t k,
                  Unroller& unroller, smt::Solver& solver) {
  std::vector<char> written(system.variables.size(), 0);
  for (const Update& u : t.updates) {
    unroller.define(u.variable, k + 1, unroller.at_time(u.value, k));
    written[u.variable] = 1;
  }
  for (std::uint32_t v : t.open) written[v] = 1;
  for (std::uint32_t v = 0; v < system.variables.size(); ++v)
    if (!written[v]) unroller.define(v, k + 1, unroller.variable(v, k));
  solver.require(unroller.at_time(t.guard, k));
  if (t.relation.valid()) solver.require(unroller.at_time(t.relation, k));
}

// Halves the distance between what is possible and what is known to be impossible.
void make_least(const TransitionSystem& system, std::span<const std::uint32_t> path,
                std::uint32_t variable, Unroller& unroller, smt::Solver& solver, Env& env,
                FlatTrace& best) {
  ExprPool& pool = *system.pool;
  const ValueOf value_of = [&](Expr term) { return solver.value(term); };
  const Expr last = unroller.variable(variable, path.size());
  Integer least(0);
  Integer known = solver.value(last).as_integer();
  while (least < known && !env.stopped()) {
    const Integer middle = euclidean_div(least + known, Integer(2));
    const Expr lower = pool.le(last, pool.integer(middle));
    switch (solver.check_assuming({&lower, 1}).answer) {
      case smt::Answer::Sat:
        known = solver.value(last).as_integer();
        best = read_trace(system, path, unroller, path.size(), value_of);
        break;
      case smt::Answer::Unsat:
        least = middle + Integer(1);
        break;
      case smt::Answer::Unknown:
        return;
    }
  }
}

}  // namespace

FlatTrace read_trace(const TransitionSystem& system, std::span<const std::uint32_t> path,
                     Unroller& unroller, std::uint64_t goal_at, const ValueOf& value_of) {
  FlatTrace trace;
  for (std::uint32_t v = 0; v < system.variables.size(); ++v)
    trace.initial.push_back(value_of(unroller.variable(v, 0)));
  for (std::uint64_t k = 0; k < path.size(); ++k) {
    const Transition& t = system.transitions[path[k]];
    FlatStep step;
    step.transition = path[k];
    for (SymbolId input : t.inputs) step.inputs.push_back(value_of(unroller.symbol(input, k)));
    for (std::uint32_t v : t.open) step.open.emplace_back(v, value_of(unroller.variable(v, k + 1)));
    if (!trace.steps.empty() && trace.steps.back().transition == step.transition &&
        trace.steps.back().inputs == step.inputs && trace.steps.back().open == step.open)
      ++trace.steps.back().times;
    else
      trace.steps.push_back(std::move(step));
  }
  for (SymbolId input : system.goal.inputs)
    trace.goal_inputs.push_back(value_of(unroller.symbol(input, goal_at)));
  return trace;
}

Expected<FlatTrace, PathProblem> trace_along(const TransitionSystem& system,
                                             std::span<const std::uint32_t> path, Env& env,
                                             std::optional<std::uint32_t> least) {
  Unroller unroller(system);
  auto solver = env.solvers.make(*system.pool, "path");
  solver->require(unroller.at_time(system.init, 0));
  for (std::uint64_t k = 0; k < path.size(); ++k)
    require_step(system, system.transitions[path[k]], k, unroller, *solver);
  solver->require(unroller.at_time(system.goal.condition, path.size()));
  switch (solver->check().answer) {
    case smt::Answer::Sat:
      try {
        FlatTrace trace = read_trace(system, path, unroller, path.size(),
                                     [&](Expr term) { return solver->value(term); });
        if (least) make_least(system, path, *least, unroller, *solver, env, trace);
        return trace;
      } catch (const smt::NoValue&) {
        return Unexpected{PathProblem::Undecided};
      }
    case smt::Answer::Unsat:
      return Unexpected{PathProblem::Impossible};
    case smt::Answer::Unknown:
      return Unexpected{PathProblem::Undecided};
  }
  return Unexpected{PathProblem::Undecided};
}

}  // namespace whittle
