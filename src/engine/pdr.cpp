// SPDX-License-Identifier: Apache-2.0
// Property-directed reachability, by Z3's Spacer (Komuravelli, Gurfinkel, Chaki: "SMT-Based Model
// Checking for Recursive Programs", CAV 2014). The system becomes Horn clauses (la Fleur 2018,
// section 3.3):
//
//   init(s)                                   ->  R(s)
//   R(s)  and  guard(s, i)  and  s' = t(s, i) ->  R(s')     for every transition
//   R(s)  and  goal(s, j)                     ->  bad
//
// If bad cannot be derived, Spacer's R is an inductive invariant that excludes the goal. If it can,
// the rules of the derivation are the transitions of a run, whose values a solver then finds
// (path_trace.h).
//
// Two encodings, because which one is quick differs by three orders of magnitude from system to
// system (a chain of 10 nodes with an upper bound on a sum: 0.03 s against 22 s; one of 200 nodes
// with a lower bound: 7 s against 0.09 s): one relation over all variables, or, where one variable
// holds the location and every transition says from where to where it leads, a relation per
// location. `pdr-encoding=both` gives the second a head start and then asks the first.
//
// Answers Unknown when Spacer does, when its invariant cannot be written in our terms, and for a
// bounded question if the run it finds is too long or too short.
#include "engine/pdr.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "engine/invariants/state_constraints.h"
#include "engine/path/path_trace.h"
#include "engine/portfolio/processor_limit.h"
#include "engine/transformed.h"
#include "expr/traverse.h"
#include "ir/transition_terms.h"
#include "simplify/flat/array_cells.h"
#include "simplify/flat/array_samples.h"
#include "simplify/flat/strengthened.h"
#include "smt/fixedpoint.h"

namespace whittle::engine::pdr {

namespace {

constexpr std::uint64_t kMaxChosen = 64;  // cells of an array that are told apart by comparison
constexpr std::chrono::milliseconds kSampleTime{2000};

// A relation per value of one variable, or a single one (`pivot` is none).
class Clauses {
 public:
  Clauses(const TransitionSystem& system, const smt::Limits& limits)
      : system_(system),
        pool_(*system.pool),
        horn_(smt::make_fixedpoint(pool_, limits, without_facts())) {}

  // Everything in one relation.
  void encode_whole() {
    single_ = horn_->relation("reach", formals(kNoPivot));
    rule_transition_.push_back(kInit);
    horn_->rule({"init", {single_, current(kNoPivot)}, {}, system_.init});
    for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
      const Transition& transition = system_.transitions[t];
      add_step(t, {single_, current(kNoPivot)}, {single_, after(transition, kNoPivot)},
               step_condition(pool_, transition));
    }
  }

  // False if the system has not the form for a relation per location.
  bool encode_by_location() {
    std::optional<std::uint32_t> pivot = only_location();
    if (!pivot) return false;
    const StateVariable& location = system_.variables[*pivot];
    std::vector<Move> moves;
    for (const Transition& t : system_.transitions) {
      std::optional<Move> move = move_of(t, *pivot);
      if (!move) return false;
      moves.push_back(*move);
    }
    pivot_ = *pivot;
    std::size_t count = pool_.info(location.type).values.size();
    for (std::size_t l = 0; l < count; ++l)
      places_.push_back(horn_->relation(fmt::format("at_{}", l), formals(pivot_)));
    for (std::uint32_t l = 0; l < count; ++l) {
      Expr start = at(system_.init, l);
      if (pool_.is_false(start)) continue;
      rule_transition_.push_back(kInit);
      horn_->rule({"init", {places_[l], current(pivot_)}, {}, start});
    }
    for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
      const Transition& transition = system_.transitions[t];
      add_step(t, {places_[moves[t].from], current(pivot_)},
               {places_[moves[t].to], after(transition, pivot_)},
               at(step_condition(pool_, transition), moves[t].from));
    }
    // Spacer asks one query: a relation for "the goal is here" joins the locations.
    bad_ = horn_->relation("bad", {});
    for (std::uint32_t l = 0; l < count; ++l) {
      Expr goal = at(system_.goal.condition, l);
      if (pool_.is_false(goal)) continue;
      rule_transition_.push_back(kGoal);
      horn_->rule({"goal", {bad_, {}}, {{places_[l], current(pivot_)}}, goal});
    }
    return true;
  }

  smt::FixedpointResult query() {
    if (pivot_ == kNoPivot)
      return horn_->query({{single_, current(kNoPivot)}}, system_.goal.condition);
    return horn_->query({{bad_, {}}}, pool_.boolean(true));
  }

  // The invariant over the system's variables; invalid if a part of it is missing.
  Expr invariant(const smt::FixedpointResult& result) {
    if (pivot_ == kNoPivot) return result.invariants[single_.index()];
    const StateVariable& location = system_.variables[pivot_];
    std::vector<Expr> parts;
    for (std::uint32_t l = 0; l < places_.size(); ++l) {
      Expr here = result.invariants[places_[l].index()];
      if (!here.valid()) return {};
      Expr at_l = pool_.eq(pool_.symbol(location.current),
                           pool_.constant(Value(EnumValue{l}), location.type));
      parts.push_back(pool_.implies(at_l, here));
    }
    return pool_.conj(parts);
  }

  // The transitions along a derivation; empty optional when it is not explained.
  [[nodiscard]] std::optional<std::vector<std::uint32_t>> path(
      const smt::FixedpointResult& result) const {
    if (result.derivation.empty()) return std::nullopt;
    std::vector<std::uint32_t> path;
    for (const smt::DerivationStep& step : result.derivation)
      if (step.rule && rule_transition_[*step.rule] < kGoal)
        path.push_back(rule_transition_[*step.rule]);
    return path;
  }

 private:
  static constexpr std::uint32_t kNoPivot = UINT32_MAX;
  static constexpr std::uint32_t kInit = UINT32_MAX;
  static constexpr std::uint32_t kGoal = UINT32_MAX - 1;
  // The values of a run are found by path_trace.h.
  static smt::FixedpointOptions without_facts() {
    smt::FixedpointOptions options;
    options.ground_derivation = false;
    return options;
  }
  struct Move {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
  };

  [[nodiscard]] std::vector<SymbolId> formals(std::uint32_t without) const {
    std::vector<SymbolId> result;
    for (std::uint32_t v = 0; v < system_.variables.size(); ++v)
      if (v != without) result.push_back(system_.variables[v].current);
    return result;
  }

  [[nodiscard]] std::vector<Expr> current(std::uint32_t without) const {
    std::vector<Expr> result;
    for (SymbolId s : formals(without)) result.push_back(pool_.symbol(s));
    return result;
  }

  [[nodiscard]] std::vector<Expr> after(const Transition& t, std::uint32_t without) const {
    std::vector<Expr> next = values_after(system_, t);
    if (without != kNoPivot) next.erase(next.begin() + without);
    return next;
  }

  // Spacer wants variables in the head: s' as fresh symbols, equal to the terms.
  void add_step(std::uint32_t t, smt::RelationAtom body, smt::RelationAtom head, Expr condition) {
    std::vector<Expr> parts{condition};
    for (Expr& argument : head.arguments) {
      if (pool_.is_variable(argument) || pool_.is_const(argument)) continue;
      Expr fresh = pool_.symbol(pool_.declare("after", pool_.type(argument)));
      parts.push_back(pool_.eq(fresh, argument));
      argument = fresh;
    }
    rule_transition_.push_back(t);
    horn_->rule(
        {system_.transitions[t].name, std::move(head), {std::move(body)}, pool_.conj(parts)});
  }

  [[nodiscard]] std::optional<std::uint32_t> only_location() const {
    std::optional<std::uint32_t> found;
    for (std::uint32_t v = 0; v < system_.variables.size(); ++v) {
      if (!system_.variables[v].is_location) continue;
      if (found) return std::nullopt;
      found = v;
    }
    return found;
  }

  // `loc == c` among the conjuncts of the guard, and a constant as the new location.
  [[nodiscard]] std::optional<Move> move_of(const Transition& t, std::uint32_t pivot) const {
    Expr location = pool_.symbol(system_.variables[pivot].current);
    std::optional<Move> move;
    for (Expr part : conjuncts(pool_, t.guard)) {
      if (pool_.op(part) != Op::Eq) continue;
      Expr left = pool_.child(part, 0);
      Expr right = pool_.child(part, 1);
      if (right == location) std::swap(left, right);
      if (left == location && pool_.is_const(right))
        move = Move{pool_.value(right).as_enum().index, pool_.value(right).as_enum().index};
    }
    if (!move || std::find(t.open.begin(), t.open.end(), pivot) != t.open.end()) return {};
    for (const Update& u : t.updates) {
      if (u.variable != pivot) continue;
      if (u.value == location) continue;
      if (!pool_.is_const(u.value)) return {};
      move->to = pool_.value(u.value).as_enum().index;
    }
    return move;
  }

  // The term where the location is known.
  Expr at(Expr term, std::uint32_t place) {
    auto [entry, fresh] = at_.try_emplace(place, pool_);
    if (fresh) {
      const StateVariable& location = system_.variables[pivot_];
      entry->second.set(location.current, pool_.constant(Value(EnumValue{place}), location.type));
    }
    return entry->second(term);
  }

  const TransitionSystem& system_;
  ExprPool& pool_;
  std::unique_ptr<smt::Fixedpoint> horn_;
  std::uint32_t pivot_ = kNoPivot;  // state variable with the location
  smt::RelationId single_;
  smt::RelationId bad_;
  std::vector<smt::RelationId> places_;                 // by location
  std::vector<std::uint32_t> rule_transition_;          // by rule: transition, kInit or kGoal
  std::unordered_map<std::uint32_t, Substitution> at_;  // by location
};

class Pdr {
 public:
  Pdr(const TransitionSystem& system, Env& env)
      : system_(system), env_(env), options_(env.options.get<PdrOptions>()) {}

  EngineResult run() {
    EngineResult result;
    const smt::Limits limits = env_.solvers.settings().limits;
    switch (*options_.encoding) {
      case PdrEncoding::Whole:
        result = ask(false, limits);
        break;
      case PdrEncoding::Location:
        result = ask(true, limits);
        break;
      case PdrEncoding::Both: {
        smt::Limits first = limits;
        first.deadline = limits.deadline.earlier(Deadline::after(head_start()));
        result = ask(true, first);
        if (result.unknown() != nullptr && !env_.stopped()) result = ask(false, limits);
        break;
      }
    }
    return result;
  }

 private:
  [[nodiscard]] std::chrono::milliseconds head_start() const {
    auto left = env_.deadline.remaining();
    std::chrono::milliseconds usual(static_cast<long>(*options_.head_start * 1000));
    return left ? std::min(usual, *left / 3) : usual;
  }

  EngineResult ask(bool by_location, const smt::Limits& limits) {
    if (auto stop = env_.stopped()) return unknown(*stop);
    Clauses clauses(system_, limits);
    if (!by_location)
      clauses.encode_whole();
    else if (!clauses.encode_by_location())
      return gave_up("no single location to make a relation of");
    smt::FixedpointResult answer = clauses.query();
    switch (answer.answer) {
      case smt::Derivability::NotDerivable:
        return proved(clauses.invariant(answer));
      case smt::Derivability::Derivable:
        return reached(clauses.path(answer));
      case smt::Derivability::Unknown:
        return unknown(answer.reason);
    }
    return {};
  }

  EngineResult proved(Expr invariant) {
    if (!invariant.valid()) return gave_up("the invariant of Spacer cannot be written down");
    return EngineResult{Unreachable{Inductive{invariant}}};
  }

  EngineResult reached(const std::optional<std::vector<std::uint32_t>>& path) {
    if (!path) return gave_up("Spacer found the goal reachable, but does not say how");
    if (path->size() < system_.bound.min || path->size() > system_.bound.max.value_or(UINT64_MAX))
      return gave_up(fmt::format("the run that Spacer found has {} steps", path->size()));
    auto trace = trace_along(system_, *path, env_);
    if (!trace) return gave_up("the run that Spacer found could not be completed with values");
    return EngineResult{Reached{std::move(*trace)}};
  }

  static EngineResult unknown(Reason reason) { return EngineResult{Unknown{std::move(reason)}}; }
  static EngineResult gave_up(std::string why) {
    return unknown({Reason::Kind::Incomplete, std::move(why)});
  }

  const TransitionSystem& system_;
  Env& env_;
  const PdrOptions& options_;
};

void declare(OptionSet& options) { options.add<PdrOptions>(); }

// With some cells of arrays of unknown length first, for a while; only a proof of that counts.
EngineResult run_sampled(const TransitionSystem& system, Env& env) {
  const FlatPipeline samples(system, {simplify::sample_arrays});
  if (!samples.changed()) return Pdr(system, env).run();
  const auto left = env.deadline.remaining();
  const auto third = left ? *left / 3 : kSampleTime;
  EngineResult sampled;
  {
    ProcessorLimit limit(std::min(third, kSampleTime), env.cancel);
    Env limited = limit.applied(env);
    sampled = lifted(Pdr(samples.system(), limited).run(), samples);
  }
  if (sampled.unreachable() != nullptr) return sampled;
  return Pdr(system, env).run();
}

// What users know about the system, once it is proved, need not be found again.
FlatTransformation with_hints(Env& env) {
  return [&env](const TransitionSystem& system) -> std::optional<FlatTransformed> {
    if (system.hints.empty()) return std::nullopt;
    StateConstraints given(system, env);
    given.take_hints();
    const Expr lemma = given.invariant();
    if (system.pool->is_true(lemma)) return std::nullopt;
    return simplify::strengthened(system, lemma);
  };
}

// Spacer finds invariants over numbers and truth values more easily than over arrays.
EngineResult run(const TransitionSystem& system, Env& env) {
  simplify::CellOptions options;
  options.max_chosen = kMaxChosen;
  return run_transformed(system, env, {with_hints(env), simplify::array_cells(options)},
                         run_sampled);
}

// It has no presolve slot, and most of what takes long is for it. Of a relation that fell into many
// parts it makes more as it stands.
std::vector<RaceSlot> race(const QuestionProfile& question) {
  if (question.bounded) return {};
  const std::chrono::milliseconds turn(250);
  std::vector<RaceSlot> slots;
  if (question.as_parsed) slots.push_back({10, turn, true, true});
  slots.push_back({11, turn, !(question.as_parsed && question.large())});
  return slots;
}

}  // namespace

}  // namespace whittle::engine::pdr

namespace whittle {

const EngineInfo kPdrInfo = {
    "pdr",
    "Property-directed reachability (Z3's Spacer): looks for an inductive invariant or a run.",
    "reachability and invariants for any number of steps; unknown where Spacer gives up",
    engine::pdr::declare,
    engine::pdr::run,
    smt::SolverId::Z3,
    {.unbounded = true, .traces = true, .proofs = true},
    {nullptr, engine::pdr::race},
};

}  // namespace whittle
