// SPDX-License-Identifier: Apache-2.0
// Invariants of systems with many locations are mostly conjunctions of `location == l -> ...`.
// Asking about all of it for each transition would be quadratic, so obligations are cut down to
// what matters: a transition from l to m has to keep only what the invariant says at m and what
// it changes elsewhere, and may assume what the invariant says at l. Equal queries are asked once,
// and many are asked in one call as a disjunction.
#include "witness/invariant_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "expr/traverse.h"
#include "ir/lowering/lower.h"
#include "witness/elimination_check.h"
#include "witness/induction_check.h"
#include "witness/interval_check.h"
#include "witness/obligation.h"

namespace whittle {

namespace {

constexpr std::size_t kBatch = 128;  // queries in one solver call
// For what can be asked in smaller parts.
constexpr std::chrono::milliseconds kTimeTogether{1000};

class Obligations {
 public:
  Obligations(const TransitionSystem& system, Expr invariant, const smt::SolverFactory& solvers)
      : system_(system),
        pool_(*system.pool),
        invariant_(invariant),
        solver_(solvers.make(*system.pool, "invariant")) {}

  Expected<WitnessCheck, RejectedWitness> check();

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  struct Query {
    Expr condition;
    std::string obligation;
    std::string event;        // of a transition
    std::vector<Expr> parts;  // the condition as a disjunction
  };

  void split();
  [[nodiscard]] std::optional<std::uint32_t> place(Expr condition) const;
  [[nodiscard]] std::optional<std::uint32_t> source(Expr condition) const;
  // The condition where the pivot has this value.
  [[nodiscard]] Expr at(Expr condition, std::uint32_t location);
  [[nodiscard]] Expr said_at(std::optional<std::uint32_t> location);
  Problem add(Expr condition, std::string obligation, std::string event = {},
              std::vector<Expr> parts = {});
  Problem flush();
  Problem initiation();
  Problem sufficiency();
  Problem consecution(const Transition& transition);

  const TransitionSystem& system_;
  ExprPool& pool_;
  Expr invariant_;
  std::unique_ptr<smt::Solver> solver_;
  std::uint32_t pivot_ = kNone;            // the location variable that the invariant is split by
  std::vector<std::vector<Expr>> places_;  // by value of the pivot: what holds there
  std::vector<Expr> everywhere_;           // the other conjuncts
  bool named_everywhere_ = false;          // they mention the pivot
  Expr placed_;                            // all that is said about places, as one condition
  std::vector<Query> pending_;
  std::unordered_set<Expr> asked_;
  bool by_intervals_ = true;  // so far no obligation needed the solver
};

// `pivot == constant`: which one.
std::optional<std::uint32_t> Obligations::place(Expr condition) const {
  if (pivot_ == kNone || pool_.op(condition) != Op::Eq) return std::nullopt;
  const Expr pivot = pool_.symbol(system_.variables[pivot_].current);
  const Expr left = pool_.child(condition, 0);
  const Expr right = pool_.child(condition, 1);
  if (left == pivot && pool_.is_const(right)) return pool_.value(right).as_enum().index;
  if (right == pivot && pool_.is_const(left)) return pool_.value(left).as_enum().index;
  return std::nullopt;
}

// The place that a conjunction names, if it does.
std::optional<std::uint32_t> Obligations::source(Expr condition) const {
  for (Expr part : conjuncts(pool_, condition)) {
    if (auto found = place(part)) return found;
  }
  return std::nullopt;
}

void Obligations::split() {
  for (std::uint32_t v = 0; v < system_.variables.size(); ++v) {
    const StateVariable& variable = system_.variables[v];
    if (!variable.is_location || pool_.kind(variable.type) != TypeKind::Enum) continue;
    const std::size_t size = pool_.info(variable.type).values.size();
    if (pivot_ == kNone || size > places_.size()) {
      pivot_ = v;
      places_.resize(size);
    }
  }
  std::vector<Expr> all_placed;
  for (Expr conjunct : conjuncts(pool_, invariant_)) {
    std::optional<std::uint32_t> where;
    if (pool_.op(conjunct) == Op::Implies) where = place(pool_.child(conjunct, 0));
    if (where) {
      places_[*where].push_back(pool_.child(conjunct, 1));
      all_placed.push_back(conjunct);
      continue;
    }
    if (pool_.op(conjunct) == Op::Not) where = place(pool_.child(conjunct, 0));
    if (where) {
      places_[*where].push_back(pool_.boolean(false));
      all_placed.push_back(conjunct);
    } else {
      everywhere_.push_back(conjunct);
    }
  }
  placed_ = pool_.conj(all_placed);
  if (pivot_ == kNone) return;
  const std::vector<SymbolId> named = symbols(pool_, everywhere_);
  named_everywhere_ =
      std::find(named.begin(), named.end(), system_.variables[pivot_].current) != named.end();
}

Expr Obligations::at(Expr condition, std::uint32_t location) {
  const StateVariable& pivot = system_.variables[pivot_];
  Substitution known(pool_);
  const Expr value = pool_.constant(Value(EnumValue{location}), pivot.type);
  known.set(pivot.current, value);
  const Expr result = known(condition);
  return named_everywhere_ ? pool_.conj(pool_.eq(pool_.symbol(pivot.current), value), result)
                           : result;
}

Expr Obligations::said_at(std::optional<std::uint32_t> location) {
  return location ? pool_.conj(places_[*location]) : placed_;
}

Problem Obligations::add(Expr condition, std::string obligation, std::string event,
                         std::vector<Expr> parts) {
  if (pool_.is_false(condition) || !asked_.insert(condition).second) return std::nullopt;
  if (refuted_by_intervals(pool_, condition)) return std::nullopt;
  by_intervals_ = false;
  pending_.push_back({condition, std::move(obligation), std::move(event), std::move(parts)});
  return pending_.size() < kBatch ? std::nullopt : flush();
}

// All at once; one by one if that is not Unsat, to say which one it is, or because a single one may
// be decided where all together are too much. Then each in parts.
Problem Obligations::flush() {
  std::vector<Query> queries;
  queries.swap(pending_);
  if (queries.size() > 1) {
    std::vector<Expr> all;
    all.reserve(queries.size());
    for (const Query& query : queries) all.push_back(query.condition);
    solver_->set_time_per_check(kTimeTogether);
    const Problem together = refuted(*solver_, pool_.disj(all), "");
    solver_->set_time_per_check(std::nullopt);
    if (!together) return std::nullopt;
  }
  for (const Query& query : queries) {
    if (query.parts.size() > 1) solver_->set_time_per_check(kTimeTogether);
    Problem problem = refuted(*solver_, query.condition, query.obligation, query.event);
    solver_->set_time_per_check(std::nullopt);
    if (problem && problem->has_value() && query.parts.size() > 1) {
      problem.reset();
      for (std::size_t i = 0; i < query.parts.size() && !problem; ++i) {
        problem = refuted(*solver_, query.parts[i], query.obligation, query.event);
      }
    }
    if (problem) return problem;
  }
  return std::nullopt;
}

Problem Obligations::initiation() {
  const std::optional<std::uint32_t> start = source(system_.init);
  std::vector<Expr> claimed = everywhere_;
  if (start) {
    claimed.insert(claimed.end(), places_[*start].begin(), places_[*start].end());
  } else {
    claimed.push_back(placed_);
  }
  return add(pool_.conj(system_.init, pool_.negate(pool_.conj(claimed))), "initiation");
}

Problem Obligations::sufficiency() {
  if (pivot_ == kNone)
    return add(pool_.conj(pool_.conj(everywhere_), system_.goal.condition), "sufficiency");
  for (std::uint32_t l = 0; l < places_.size(); ++l) {
    const Expr query = pool_.conj(said_at(l), at(system_.goal.condition, l));
    if (auto problem = add(query, "sufficiency")) return problem;
  }
  return flush();
}

Problem Obligations::consecution(const Transition& transition) {
  const std::optional<std::uint32_t> from = source(transition.guard);
  std::optional<std::uint32_t> to = from;
  Substitution next(pool_);
  if (from)
    next.set(system_.variables[pivot_].current,
             pool_.constant(Value(EnumValue{*from}), system_.variables[pivot_].type));
  for (const Update& update : transition.updates) {
    if (update.variable == pivot_) {
      to = pool_.is_const(update.value) ? std::optional(pool_.value(update.value).as_enum().index)
                                        : std::nullopt;
    }
    next.set(system_.variables[update.variable].current, update.value);
  }
  for (std::uint32_t v : transition.open) {
    if (v == pivot_) to = std::nullopt;
    next.set(system_.variables[v].current, pool_.symbol(system_.variables[v].next));
  }
  std::vector<Expr> kept;
  for (Expr conjunct : everywhere_) {
    const Expr image = next(conjunct);
    if (image != conjunct) kept.push_back(image);
  }
  const Expr there = said_at(to);
  const Expr image = next(there);
  if (image != there || from != to || !from) kept.push_back(image);
  const Expr all_kept = pool_.conj(kept);
  if (pool_.is_true(all_kept)) return std::nullopt;
  std::vector<Expr> step = {said_at(from), transition.guard};
  if (transition.relation.valid()) step.push_back(transition.relation);
  const Expr before = pool_.conj(step);
  auto broken = [&](Expr claim) {
    const Expr query = pool_.conj(before, pool_.negate(claim));
    return from ? at(query, *from) : query;
  };
  std::vector<Expr> parts;
  for (Expr claim : conjuncts(pool_, all_kept)) parts.push_back(broken(claim));
  return add(broken(all_kept), "consecution of " + transition.name, transition.name,
             std::move(parts));
}

Expected<WitnessCheck, RejectedWitness> Obligations::check() {
  split();
  if (auto problem = initiation()) return *problem;
  if (auto problem = flush()) return *problem;
  solver_->require(pool_.conj(everywhere_));
  if (auto problem = sufficiency()) return *problem;
  for (const Transition& transition : system_.transitions) {
    if (auto problem = consecution(transition)) return *problem;
  }
  if (auto problem = flush()) return *problem;
  return WitnessCheck::by_whom(by_intervals_ ? "interval arithmetic" : solver_->name());
}

}  // namespace

Expected<WitnessCheck, RejectedWitness> check_invariant(Network& network, PropertyId property,
                                                        const InvariantClaim& claim,
                                                        const smt::SolverFactory& solvers) {
  LowerOptions options;
  std::vector<Elimination> eliminated;
  options.eliminate = written_elimination(network.pool(), solvers.settings().limits, eliminated);
  const Lowered lowered = lower(network, property, options);
  if (auto problem = check_eliminations(network.pool(), eliminated, solvers)) return *problem;
  const Expr flat = lowered.back->flat_condition(claim.invariant);
  return check_flat_invariant(lowered.system, flat, claim.induction, solvers);
}

Expected<WitnessCheck, RejectedWitness> check_flat_invariant(const TransitionSystem& system,
                                                             Expr invariant,
                                                             std::uint64_t induction,
                                                             const smt::SolverFactory& solvers) {
  if (induction > 1) return check_induction(system, invariant, induction, solvers);
  return Obligations(system, invariant, solvers).check();
}

}  // namespace whittle
