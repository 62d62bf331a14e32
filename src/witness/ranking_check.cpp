// SPDX-License-Identifier: Apache-2.0
#include "witness/ranking_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "expr/linear.h"
#include "ir/transition_terms.h"
#include "witness/invariant_check.h"
#include "witness/obligation.h"

namespace whittle {

namespace {

// Between two places. There may be no such step; that is found out where it matters.
struct PlaceStep {
  std::uint32_t from = 0, to = 0, transition = 0;
  Expr taken;  // invariant, place, step and the place after it
  bool out = false;
  std::vector<char> meets = {};  // by set: not asked yet, no, maybe
};

// Nodes that can be reached from a node along steps that are not out.
std::vector<char> reached_from(std::uint32_t start, std::size_t count,
                               const std::vector<std::vector<std::uint32_t>>& next) {
  std::vector<char> seen(count, 0);
  std::vector<std::uint32_t> open = {start};
  while (!open.empty()) {
    const std::uint32_t node = open.back();
    open.pop_back();
    for (const std::uint32_t to : next[node]) {
      if (seen[to] != 0) continue;
      seen[to] = 1;
      open.push_back(to);
    }
  }
  return seen;
}

class RankingObligations {
 public:
  RankingObligations(const TransitionSystem& system, const Ranking& claim,
                     const smt::SolverFactory& solvers)
      : system_(system),
        claim_(claim),
        pool_(*system.pool),
        solvers_(solvers),
        solver_(solvers.make(pool_, "ranking")) {}

  Expected<WitnessCheck, RejectedWitness> check() {
    TransitionSystem without_goal = system_;
    without_goal.goal = {pool_.boolean(false), {}};
    without_goal.bound = {};
    auto invariant = check_flat_invariant(without_goal, claim_.invariant, 1, solvers_);
    if (!invariant || !invariant->checked) return invariant;
    const Expr elsewhere = pool_.conj(claim_.invariant, pool_.negate(pool_.disj(claim_.places)));
    if (auto problem = refuted(*solver_, elsewhere, "the places of the ranking")) return *problem;
    make_steps();
    for (const std::vector<Expr>& level : claim_.levels) {
      if (level.size() != claim_.places.size())
        return Unexpected{RejectedWitness{"a level without a function for each place", ""}};
      if (auto problem = take_out(level)) return *problem;
    }
    for (const auto& component : components()) {
      if (!accepting(component)) continue;
      if (gap_) return WitnessCheck::unchecked(*gap_);
      return Unexpected{
          RejectedWitness{"a component of the ranking that meets every set is left",
                          system_.transitions[steps_[component.front()].transition].name}};
    }
    return WitnessCheck::by_whom(solver_->name());
  }

 private:
  static constexpr char kUnasked = 0, kNo = 1, kMaybe = 2;

  // What a place says of enumerations.
  [[nodiscard]] Substitution known_at(Expr place) const {
    Substitution result(pool_);
    for (const Expr part : conjuncts(pool_, place)) {
      if (pool_.op(part) != Op::Eq) continue;
      for (const std::size_t side : {0, 1}) {
        const Expr symbol = pool_.child(part, side), value = pool_.child(part, 1 - side);
        if (!pool_.is_variable(symbol) || !pool_.is_const(value)) continue;
        result.set(pool_.symbol_of(symbol), value);
        break;
      }
    }
    return result;
  }

  void make_steps() {
    std::vector<Substitution> after;
    for (const Transition& t : system_.transitions) after.push_back(state_after(system_, t));
    for (std::uint32_t i = 0; i < claim_.places.size(); ++i) {
      Substitution here = known_at(claim_.places[i]);
      const Expr there = pool_.conj(claim_.places[i], here(claim_.invariant));
      for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
        const Expr step = here(step_condition(pool_, system_.transitions[t]));
        if (pool_.is_false(step)) continue;
        for (std::uint32_t j = 0; j < claim_.places.size(); ++j) {
          const Expr target = here(after[t](claim_.places[j]));
          if (pool_.is_false(target)) continue;
          steps_.push_back({i, j, t, pool_.conj(std::vector{there, step, target})});
        }
      }
    }
  }

  [[nodiscard]] smt::Answer ask(Expr condition) {
    if (pool_.is_const(condition))
      return pool_.is_true(condition) ? smt::Answer::Sat : smt::Answer::Unsat;
    smt::Scope scope(*solver_);
    solver_->require(condition);
    const smt::CheckResult result = solver_->check();
    if (result.answer == smt::Answer::Unknown)
      gap_ = WitnessCheck::Gap{solver_->name(), "a step of the ranking", result.reason};
    return result.answer;
  }

  // The steps of strongly connected components, as positions.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> components() const {
    const std::size_t count = claim_.places.size();
    std::vector<std::vector<std::uint32_t>> forward(count), backward(count);
    for (const PlaceStep& step : steps_) {
      if (step.out) continue;
      forward[step.from].push_back(step.to);
      backward[step.to].push_back(step.from);
    }
    std::vector<std::uint32_t> component(count, UINT32_MAX);
    for (std::uint32_t n = 0; n < count; ++n) {
      if (component[n] != UINT32_MAX) continue;
      const auto behind = reached_from(n, count, forward),
                 before = reached_from(n, count, backward);
      component[n] = n;
      for (std::uint32_t m = 0; m < count; ++m)
        if (behind[m] != 0 && before[m] != 0) component[m] = n;
    }
    std::vector<std::vector<std::uint32_t>> result(count);
    for (std::uint32_t s = 0; s < steps_.size(); ++s) {
      const PlaceStep& step = steps_[s];
      if (!step.out && component[step.from] == component[step.to])
        result[component[step.from]].push_back(s);
    }
    std::erase_if(result, [](const auto& one) { return one.empty(); });
    return result;
  }

  [[nodiscard]] bool accepting(const std::vector<std::uint32_t>& component) {
    for (std::size_t set = 0; set < system_.acceptance->size(); ++set) {
      if (std::none_of(component.begin(), component.end(),
                       [&](std::uint32_t s) { return may_meet(steps_[s], set); }))
        return false;
    }
    return true;
  }

  [[nodiscard]] bool may_meet(PlaceStep& step, std::size_t set) {
    const AcceptanceSet& of = (*system_.acceptance)[set];
    if (std::find(of.transitions.begin(), of.transitions.end(), step.transition) !=
        of.transitions.end())
      return true;
    if (!of.condition.valid()) return false;
    step.meets.resize(system_.acceptance->size(), kUnasked);
    if (step.meets[set] == kUnasked) {
      const bool no = ask(pool_.conj(step.taken, of.condition)) == smt::Answer::Unsat;
      step.meets[set] = no ? kNo : kMaybe;
    }
    return step.meets[set] == kMaybe;
  }

  // What the functions of a level take out.
  Problem take_out(const std::vector<Expr>& level) {
    // A step that is impossible connects what belongs apart.
    for (const auto& component : components()) {
      if (!accepting(component)) continue;
      for (const std::uint32_t s : component) {
        if (possible_.size() <= s) possible_.resize(steps_.size(), 0);
        if (possible_[s] == 0 && ask(steps_[s].taken) == smt::Answer::Unsat) steps_[s].out = true;
        possible_[s] = 1;
      }
    }
    std::vector<std::uint32_t> lowered;
    for (const auto& component : components()) {
      if (!accepting(component)) continue;
      for (const std::uint32_t s : component) {
        if (auto problem = compare(s, level, lowered)) return problem;
      }
    }
    for (const std::uint32_t s : lowered) steps_[s].out = true;
    return std::nullopt;
  }

  // The step does not raise the function; does it lower it?
  Problem compare(std::uint32_t s, const std::vector<Expr>& level,
                  std::vector<std::uint32_t>& lowered) {
    const PlaceStep& step = steps_[s];
    const std::string& name = system_.transitions[step.transition].name;
    const Expr before = level[step.from];
    if (!before.valid() || !level[step.to].valid() || !is_number(pool_, before) ||
        !is_number(pool_, level[step.to]))
      return Unexpected{RejectedWitness{"a place of a component without a function", name}};
    Substitution next = state_after(system_, system_.transitions[step.transition]);
    Expr first = before, then = next(level[step.to]);
    if (pool_.type(first) != pool_.type(then)) {
      first = pool_.to_real(first);
      then = pool_.to_real(then);
    }
    const bool real = pool_.type(first) == Type::real();
    const auto number = [&](int n) {
      return real ? pool_.real(Rational(Integer(n))) : pool_.integer(Integer(n));
    };
    const Expr falls =
        pool_.conj(pool_.ge(first, number(0)), pool_.ge(pool_.sub(first, then), number(1)));
    if (ask(pool_.conj(step.taken, pool_.negate(falls))) == smt::Answer::Unsat) {
      lowered.push_back(s);
      return std::nullopt;
    }
    const Expr rises = pool_.conj(step.taken, pool_.lt(first, then));
    return refuted(*solver_, rises, "that no step raises the ranking function, " + name, name);
  }

  const TransitionSystem& system_;
  const Ranking& claim_;
  ExprPool& pool_;
  const smt::SolverFactory& solvers_;
  std::unique_ptr<smt::Solver> solver_;
  std::vector<PlaceStep> steps_;
  std::vector<char> possible_;  // by step: it was asked about
  std::optional<WitnessCheck::Gap> gap_;
};

// A step that meets the set, or does not.
struct Case {
  Expr condition;
  bool met;
};

std::vector<Case> cases_of(const TransitionSystem& system, std::uint32_t transition,
                           const AcceptanceSet& set) {
  ExprPool& pool = *system.pool;
  const Expr step = step_condition(pool, system.transitions[transition]);
  if (std::find(set.transitions.begin(), set.transitions.end(), transition) !=
      set.transitions.end())
    return {{step, true}};
  if (!set.condition.valid() || pool.is_false(set.condition)) return {{step, false}};
  return {{pool.conj(step, set.condition), true},
          {pool.conj(step, pool.negate(set.condition)), false}};
}

}  // namespace

Expected<WitnessCheck, RejectedWitness> check_ranking(const TransitionSystem& system,
                                                      const Ranking& claim,
                                                      const smt::SolverFactory& solvers) {
  return RankingObligations(system, claim, solvers).check();
}

Expected<WitnessCheck, RejectedWitness> check_kliveness(const TransitionSystem& system,
                                                        const KLiveness& claim,
                                                        const smt::SolverFactory& solvers) {
  ExprPool& pool = *system.pool;
  const auto& sets = *system.acceptance;
  if (claim.stages.empty() || sets.empty())
    return Unexpected{RejectedWitness{"stages of nothing", ""}};
  const auto solver = solvers.make(pool, "kliveness");
  const Expr start = pool.conj(system.init, pool.negate(claim.stages.front()));
  if (auto problem = refuted(*solver, start, "initiation")) return *problem;
  for (std::size_t i = 0; i < claim.stages.size(); ++i) {
    for (std::uint32_t t = 0; t < system.transitions.size(); ++t) {
      Substitution after = state_after(system, system.transitions[t]);
      for (const Case& one : cases_of(system, t, sets[i % sets.size()])) {
        const std::size_t next = one.met ? i + 1 : i;
        const Expr kept =
            next < claim.stages.size() ? after(claim.stages[next]) : pool.boolean(false);
        const Expr broken =
            pool.conj(std::vector{claim.stages[i], one.condition, pool.negate(kept)});
        const std::string& name = system.transitions[t].name;
        if (auto problem = refuted(*solver, broken, "consecution of " + name, name))
          return *problem;
      }
    }
  }
  return WitnessCheck::by_whom(solver->name());
}

}  // namespace whittle
