// SPDX-License-Identifier: Apache-2.0
#include "witness/induction_check.h"

#include <fmt/format.h>

#include "expr/traverse.h"
#include "witness/obligation.h"

namespace whittle {

namespace {

// The states of a run as symbols, one set after the other.
class Run {
 public:
  Run(const TransitionSystem& system, const smt::SolverFactory& solvers)
      : system_(system), pool_(*system.pool), solver_(solvers.make(pool_, "induction")) {
    add_state();
  }

  [[nodiscard]] smt::Solver& solver() { return *solver_; }
  // A condition on the last state.
  [[nodiscard]] Expr here(Expr condition) {
    Substitution now(pool_);
    set_state(now, states_.size() - 1);
    return now(condition);
  }

  // One more state, one step after the last.
  void step() {
    const std::size_t before = states_.size() - 1;
    add_state();
    std::vector<Expr> alternatives;
    for (const Transition& transition : system_.transitions) {
      alternatives.push_back(taken(transition, before));
    }
    solver_->require(pool_.disj(alternatives));
  }

 private:
  void add_state() {
    std::vector<SymbolId>& state = states_.emplace_back();
    for (const StateVariable& variable : system_.variables) {
      state.push_back(
          pool_.declare(fmt::format("{}#{}", variable.name, states_.size() - 1), variable.type));
    }
  }

  void set_state(Substitution& substitution, std::size_t time) {
    for (std::size_t v = 0; v < system_.variables.size(); ++v) {
      substitution.set(system_.variables[v].current, pool_.symbol(states_[time][v]));
    }
  }

  // The transition leads from state `before` to the next one. Inputs are symbols of their own.
  Expr taken(const Transition& transition, std::size_t before) {
    Substitution now(pool_);
    set_state(now, before);
    for (SymbolId input : transition.inputs) {
      const SymbolInfo& info = pool_.info(input);
      now.set(input, pool_.symbol(pool_.declare(info.name, info.type)));
    }
    const std::vector<SymbolId>& after = states_[before + 1];
    std::vector<Expr> next(after.size());
    for (std::size_t v = 0; v < next.size(); ++v) next[v] = pool_.symbol(states_[before][v]);
    for (const Update& update : transition.updates) next[update.variable] = now(update.value);
    for (std::uint32_t v : transition.open) {
      next[v] = pool_.symbol(after[v]);
      now.set(system_.variables[v].next, next[v]);
    }
    std::vector<Expr> parts = {now(transition.guard)};
    if (transition.relation.valid()) parts.push_back(now(transition.relation));
    for (std::size_t v = 0; v < next.size(); ++v) {
      const Expr symbol = pool_.symbol(after[v]);
      const Type type = system_.variables[v].type;
      if (symbol == next[v]) continue;
      if (type == Type::integer() || type == Type::real()) {
        // Not as an equation: cvc5 would put the sum in for the symbol, step after step, and sums
        // that double with each step are more than it can take.
        parts.push_back(pool_.le(symbol, next[v]));
        parts.push_back(pool_.ge(symbol, next[v]));
      } else {
        parts.push_back(pool_.eq(symbol, next[v]));
      }
    }
    return pool_.conj(parts);
  }

  const TransitionSystem& system_;
  ExprPool& pool_;
  std::unique_ptr<smt::Solver> solver_;
  std::vector<std::vector<SymbolId>> states_;
};

}  // namespace

Expected<WitnessCheck, RejectedWitness> check_induction(const TransitionSystem& system,
                                                        Expr invariant, std::uint64_t k,
                                                        const smt::SolverFactory& solvers) {
  ExprPool& pool = *system.pool;
  Run from_start(system, solvers);
  from_start.solver().require(from_start.here(system.init));
  for (std::uint64_t i = 0; i < k; ++i) {
    if (i > 0) from_start.step();
    const Expr beyond = pool.negate(from_start.here(invariant));
    if (auto problem =
            refuted(from_start.solver(), beyond, fmt::format("initiation after {} steps", i))) {
      return *problem;
    }
  }
  Run from_anywhere(system, solvers);
  const Expr here = from_anywhere.here(invariant);
  if (auto problem =
          refuted(from_anywhere.solver(),
                  pool.conj(here, from_anywhere.here(system.goal.condition)), "sufficiency")) {
    return *problem;
  }
  for (std::uint64_t i = 0; i < k; ++i) {
    from_anywhere.solver().require(from_anywhere.here(invariant));
    from_anywhere.step();
  }
  if (auto problem = refuted(from_anywhere.solver(), pool.negate(from_anywhere.here(invariant)),
                             "consecution")) {
    return *problem;
  }
  return WitnessCheck::by_whom(from_anywhere.solver().name());
}

}  // namespace whittle
