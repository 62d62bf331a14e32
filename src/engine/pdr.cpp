// SPDX-License-Identifier: Apache-2.0
// Property-directed reachability, by Z3's Spacer (Komuravelli, Gurfinkel, Chaki: "SMT-Based Model
// Checking for Recursive Programs", CAV 2014). The system becomes Horn clauses (la Fleur 2018,
// section 3.3):
//
//   init(s)                                   ->  R(s)
//   R(s)  and  T(s, i, s')                    ->  R(s')     T: any of the transitions
//   R(s)  and  goal(s, j)                     ->  bad
//
// If bad cannot be derived, Spacer's R is an inductive invariant that excludes the goal. If it can,
// the derivation says how many steps a run has and which transitions each may be; a solver finds
// the run.
//
// Two encodings, because which one is quick differs by three orders of magnitude from system to
// system (a chain of 10 nodes with an upper bound on a sum: 0.03 s against 22 s; one of 200 nodes
// with a lower bound: 7 s against 0.09 s): one relation over all variables, or, where one variable
// holds the location and every transition says from where to where it leads, a relation per
// location. `pdr-encoding=both` asks each in turn, the second first.
//
// Answers Unknown when Spacer does, when its invariant cannot be written in our terms, and for a
// bounded question if the run it finds is too long or too short.
#include "engine/pdr.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

#include "engine/blocks_options.h"
#include "engine/invariants/state_constraints.h"
#include "engine/path/symbolic_path.h"
#include "engine/portfolio/processor_limit.h"
#include "engine/portfolio/race.h"
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
constexpr std::chrono::milliseconds kCalmTime{10'000};  // without wrap-around

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
    rules_.push_back({Rule::Kind::Init, {}});
    horn_->rule({"init", {single_, current(kNoPivot)}, {}, system_.init});
    std::vector<std::uint32_t> all(system_.transitions.size());
    std::iota(all.begin(), all.end(), 0U);
    if (!all.empty()) add_steps(all, single_, single_, {});
  }

  struct Move {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
  };
  // By transition, from where to where it leads; empty if the system has not the form for a
  // relation per location.
  [[nodiscard]] static std::vector<Move> moves(const TransitionSystem& system) {
    std::vector<Move> result;
    const std::optional<std::uint32_t> pivot = only_location(system);
    for (std::uint32_t t = 0; pivot && t < system.transitions.size(); ++t) {
      const std::optional<Move> move = move_of(system, system.transitions[t], *pivot);
      if (!move) return {};
      result.push_back(*move);
    }
    return result;
  }

  // False if the system has not the form for it.
  bool encode_by_location() {
    const std::vector<Move> moves = Clauses::moves(system_);
    if (moves.empty()) return false;
    pivot_ = *only_location(system_);
    const StateVariable& location = system_.variables[pivot_];
    std::size_t count = pool_.info(location.type).values.size();
    for (std::size_t l = 0; l < count; ++l)
      places_.push_back(horn_->relation(fmt::format("at_{}", l), formals(pivot_)));
    for (std::uint32_t l = 0; l < count; ++l) {
      Expr start = at(system_.init, l);
      if (pool_.is_false(start)) continue;
      rules_.push_back({Rule::Kind::Init, {}});
      horn_->rule({"init", {places_[l], current(pivot_)}, {}, start});
    }
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> arcs;
    for (std::uint32_t t = 0; t < system_.transitions.size(); ++t)
      arcs[{moves[t].from, moves[t].to}].push_back(t);
    for (const auto& [arc, group] : arcs)
      add_steps(group, places_[arc.first], places_[arc.second], arc.first);
    // Spacer asks one query: a relation for "the goal is here" joins the locations.
    bad_ = horn_->relation("bad", {});
    for (std::uint32_t l = 0; l < count; ++l) {
      Expr goal = at(system_.goal.condition, l);
      if (pool_.is_false(goal)) continue;
      rules_.push_back({Rule::Kind::Goal, {}});
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

  // By step of a derivation: the transitions of which one was taken; empty optional when it is not
  // explained.
  using Path = std::vector<std::vector<std::uint32_t>>;
  [[nodiscard]] std::optional<Path> path(const smt::FixedpointResult& result) const {
    if (result.derivation.empty()) return std::nullopt;
    Path path;
    for (const smt::DerivationStep& step : result.derivation)
      if (step.rule && rules_[*step.rule].kind == Rule::Kind::Step)
        path.push_back(rules_[*step.rule].transitions);
    return path;
  }

 private:
  static constexpr std::uint32_t kNoPivot = UINT32_MAX;
  struct Rule {
    enum class Kind : std::uint8_t { Init, Step, Goal } kind;
    std::vector<std::uint32_t> transitions;  // of a step: it is one of these
  };
  // The values of a run are found by path_trace.h.
  static smt::FixedpointOptions without_facts() {
    smt::FixedpointOptions options;
    options.ground_derivation = false;
    return options;
  }

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

  // One rule for all of them, which is what Spacer generalises best: it asks one solver about all
  // that can have led to a state. (A rule for each takes two to ten times as long on programs with
  // some 30 to 100 transitions.) Spacer wants variables in the head: s' as fresh symbols, equal to
  // the terms. `place`: where all of them begin.
  void add_steps(const std::vector<std::uint32_t>& group, smt::RelationId from, smt::RelationId to,
                 std::optional<std::uint32_t> place) {
    std::vector<std::vector<Expr>> values;  // by transition: after it
    for (const std::uint32_t t : group) values.push_back(after(system_.transitions[t], pivot_));
    std::vector<std::vector<Expr>> cases(group.size());
    for (std::size_t i = 0; i < group.size(); ++i)
      cases[i].push_back(step_condition(pool_, system_.transitions[group[i]]));
    std::vector<Expr> common;
    std::vector<Expr> head = values[0];
    for (std::size_t v = 0; v < head.size(); ++v) {
      const bool same = std::all_of(values.begin(), values.end(),
                                    [&](const auto& of) { return of[v] == head[v]; });
      if (same && (pool_.is_variable(head[v]) || pool_.is_const(head[v]))) continue;
      head[v] = pool_.symbol(pool_.declare("after", pool_.type(values[0][v])));
      if (same) common.push_back(pool_.eq(head[v], values[0][v]));
      for (std::size_t i = 0; !same && i < group.size(); ++i)
        cases[i].push_back(pool_.eq(head[v], values[i][v]));
    }
    std::vector<Expr> any;
    for (const std::vector<Expr>& parts : cases) any.push_back(pool_.conj(parts));
    common.push_back(pool_.disj(any));
    const Expr step = pool_.conj(common);
    rules_.push_back({Rule::Kind::Step, group});
    horn_->rule({system_.transitions[group[0]].name,
                 {to, std::move(head)},
                 {{from, current(pivot_)}},
                 place ? at(step, *place) : step});
  }

  [[nodiscard]] static std::optional<std::uint32_t> only_location(const TransitionSystem& system) {
    std::optional<std::uint32_t> found;
    for (std::uint32_t v = 0; v < system.variables.size(); ++v) {
      if (!system.variables[v].is_location) continue;
      if (found) return std::nullopt;
      found = v;
    }
    return found;
  }

  // `loc == c` among the conjuncts of the guard, and a constant as the new location.
  [[nodiscard]] static std::optional<Move> move_of(const TransitionSystem& system,
                                                   const Transition& t, std::uint32_t pivot) {
    ExprPool& pool = *system.pool;
    Expr location = pool.symbol(system.variables[pivot].current);
    std::optional<Move> move;
    for (Expr part : conjuncts(pool, t.guard)) {
      if (pool.op(part) != Op::Eq) continue;
      Expr left = pool.child(part, 0);
      Expr right = pool.child(part, 1);
      if (right == location) std::swap(left, right);
      if (left == location && pool.is_const(right))
        move = Move{pool.value(right).as_enum().index, pool.value(right).as_enum().index};
    }
    if (!move || std::find(t.open.begin(), t.open.end(), pivot) != t.open.end()) return {};
    for (const Update& u : t.updates) {
      if (u.variable != pivot) continue;
      if (u.value == location) continue;
      if (!pool.is_const(u.value)) return {};
      move->to = pool.value(u.value).as_enum().index;
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
  std::vector<smt::RelationId> places_;  // by location
  std::vector<Rule> rules_;
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
      case PdrEncoding::Both:
        result = ask_in_turns();
        break;
    }
    return result;
  }

 private:
  // Each for a while and then the other, each time for longer and with another seed: what one run
  // does not find in seconds, another often does, and which encoding is quicker is not known.
  EngineResult ask_in_turns() {
    smt::Limits limits = env_.solvers.settings().limits;
    if (Clauses::moves(system_).empty()) return ask(false, limits);
    auto turn = std::chrono::milliseconds(static_cast<long>(*options_.head_start * 1000));
    std::vector<bool> by_location{true, false};
    EngineResult result;
    for (; !by_location.empty(); turn *= 2, ++limits.seed) {
      std::vector<bool> again;
      for (const bool location : by_location) {
        if (auto stop = env_.stopped()) return unknown(*stop);
        const ProcessorLimit limit(turn, env_.cancel);
        smt::Limits limited = limits;
        limited.cancel = limit.token();
        result = ask(location, limited);
        if (result.unknown() == nullptr) return result;
        if (limit.reached()) again.push_back(location);
      }
      by_location = std::move(again);
    }
    return result;
  }

  EngineResult ask(bool by_location, const smt::Limits& limits) {
    if (auto stop = env_.stopped()) return unknown(*stop);
    env_.log.debug("pdr: {}, seed {}", by_location ? "a relation per location" : "one relation",
                   limits.seed);
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

  EngineResult reached(const std::optional<Clauses::Path>& path) {
    if (!path) return gave_up("Spacer found the goal reachable, but does not say how");
    if (path->size() < system_.bound.min || path->size() > system_.bound.max.value_or(UINT64_MAX))
      return gave_up(fmt::format("the run that Spacer found has {} steps", path->size()));
    auto trace = trace_of(*path);
    if (!trace) return gave_up("the run that Spacer found could not be completed with values");
    return EngineResult{Reached{std::move(*trace)}};
  }

  std::optional<FlatTrace> trace_of(const Clauses::Path& path) {
    SymbolicPath run(system_, env_.solvers, {StepEncoding::Updates, false, false});
    run.require_init();
    for (std::size_t k = 0; k < path.size(); ++k) {
      run.extend();
      std::vector<Expr> taken;
      for (const std::uint32_t t : path[k]) {
        const Expr selector = run.steps().selector(k, t);
        if (selector.valid()) taken.push_back(selector);
      }
      run.pending().push_back(system_.pool->disj(taken));
    }
    run.pending().push_back(run.goal());
    if (run.check_assuming({}).answer != smt::Answer::Sat) return std::nullopt;
    try {
      return run.trace();
    } catch (const smt::NoValue&) {
      return std::nullopt;
    }
  }

  static EngineResult unknown(Reason reason) { return EngineResult{Unknown{std::move(reason)}}; }
  static EngineResult gave_up(std::string why) {
    return unknown({Reason::Kind::Incomplete, std::move(why)});
  }

  const TransitionSystem& system_;
  Env& env_;
  const PdrOptions& options_;
};

void declare(OptionSet& options) {
  options.add<PdrOptions>();
  options.add<BlocksOptions>();
}

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
EngineResult run_prepared(const TransitionSystem& system, Env& env) {
  simplify::CellOptions options;
  options.max_chosen = kMaxChosen;
  return run_transformed(
      system, env, {in_blocks(env), with_hints(env), simplify::array_cells(options)}, run_sampled);
}

// Machine integers first as if they never wrapped around, for a while; only a proof of that counts.
EngineResult run_on(const TransitionSystem& system, Env& env) {
  EngineResult proof = run_without_wrapping(system, env, kCalmTime, run_prepared);
  if (proof.unreachable() != nullptr) return proof;
  return run_prepared(system, env);
}

EngineResult run(const TransitionSystem& system, Env& env) {
  const bool parsed = *env.options.get<PdrOptions>().relation == PdrRelation::Parsed;
  if (!parsed || env.as_parsed == nullptr) return run_on(system, env);
  EngineResult result = run_on(*env.as_parsed, env);
  result.as_parsed = true;
  // Whoever called takes it for an answer about the system otherwise.
  if (const auto problem = witness_problem(*env.as_parsed, env, result))
    return EngineResult{Unknown{{Reason::Kind::Incomplete, *problem}}};
  return result;
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
