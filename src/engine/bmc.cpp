// SPDX-License-Identifier: Apache-2.0
// Bounded model checking (Biere, Cimatti, Clarke, Zhu: "Symbolic Model Checking without BDDs",
// TACAS 1999): is there a run of exactly k steps to the goal, for k = 0, 1, 2, ...
//
//   init(s@0)  and  T(s@0, s@1)  and ... and  T(s@k-1, s@k)  and  goal(s@k)
//
// One solver keeps the path over all depths; the goal of a depth is an assumption, so that what
// the solver learns about the path stays. The first depth that is Sat gives a shortest trace.
// How a step becomes a formula is in step_encoding.h. Before that, depth_bounds.h leaves out depths
// and transitions that are impossible by ranges of values alone.
//
// Fewer runs are enough: those on which every step is needed for the goal (projection.cpp), and of
// runs that differ in the order of independent steps only one (partial_order.cpp), or of runs that
// differ in which of several symmetric instances does what (symmetry.cpp). All keep the least
// depth. Runs of exactly k steps have no idle steps; the single formula below has them at its end
// only.
//
// In concurrent models (two or more processes) backward reachability by projected steps comes
// first, without formulas (backward_search.cpp). What that does not decide soon is decided by
// formulas, from the depth on that it has cleared; for a while both take turns.
//
// `--bmc-encoding=monolithic` is the formula of the checker of Eilers 2018: all steps and the
// disjunction of all goals at once, one call. It is here to measure against.
//
// Answers Unreached for a bounded question (also when the ranges of values settle where the goal is
// impossible), or when no run is long enough to go on; Unknown when it reaches `bmc-max-depth` or a
// limit, or when the solver could not decide a depth and no later one has a trace.
#include "engine/bmc.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "engine/blocks_options.h"
#include "engine/path/symbolic_path.h"
#include "engine/preimage/backward_turns.h"
#include "engine/reduction/reductions.h"
#include "engine/transformed.h"
#include "simplify/flat/array_cells.h"

namespace whittle::engine::bmc {

namespace {

constexpr std::size_t kBlockwise = 100;  // transitions; fewer: an event is a step

StepEncoding step_encoding(BmcEncoding encoding) {
  switch (encoding) {
    case BmcEncoding::Deltas:
      return StepEncoding::Deltas;
    case BmcEncoding::Disjuncts:
      return StepEncoding::Disjuncts;
    case BmcEncoding::Updates:
    case BmcEncoding::Monolithic:
      return StepEncoding::Updates;
  }
  return StepEncoding::Updates;
}

// In concurrent models the order of steps is what is looked for, and numbers matter less. (Counters
// of one machine are better off as numbers: `whittle bench deep-search`.)
bool wants_bits(const TransitionSystem& system, const Env& env, BmcNumbers numbers) {
  if (numbers != BmcNumbers::Auto) return numbers == BmcNumbers::Bits;
  return env.solvers.settings().id == smt::SolverId::Z3 && is_concurrent(system);
}

// The ranges are those of runs that move at every step.
SymbolicPath::Settings path_settings(const TransitionSystem& system, const Env& env,
                                     const BmcOptions& options) {
  return {step_encoding(*options.encoding),
          *options.ranges == BmcRanges::On && *options.encoding != BmcEncoding::Monolithic,
          wants_bits(system, env, *options.numbers)};
}

std::uint64_t deepest(const TransitionSystem& system, const BmcOptions& options) {
  return system.bound.max.value_or(std::max(*options.max_depth, system.bound.min));
}

struct Counts {
  explicit Counts(Statistics& all)
      : depth(all.counter("bmc.depth")),
        skipped(all.counter("bmc.skipped")),
        cubes(all.counter("bmc.cubes")),
        searching(all.timer("bmc.searching")),
        encoding(all.timer("bmc.encoding")),
        solving(all.timer("bmc.solving")) {}
  Counter& depth;
  Counter& skipped;  // depths that the ranges exclude
  Counter& cubes;    // sets of states, in backward reachability
  Timer& searching;  // through them
  Timer& encoding;
  Timer& solving;
};

EngineResult unknown(Reason reason) { return EngineResult{Unknown{std::move(reason)}}; }

EngineResult bound_reached(std::uint64_t last) {
  return unknown({Reason::Kind::Bound, fmt::format("bound reached: {} steps", last)});
}

// The run in the model of the last check.
EngineResult reached(SymbolicPath& path, bool shortest) {
  try {
    return EngineResult{Reached{path.trace(), shortest}};
  } catch (const smt::NoValue& none) {
    return unknown({Reason::Kind::Incomplete,
                    fmt::format("the goal is reachable, but by values that cannot be written "
                                "down: {}",
                                none.what())});
  }
}

// One depth after the other.
class Bmc {
 public:
  Bmc(const TransitionSystem& system, Env& env)
      : counts_(env.statistics),
        system_(system),
        env_(env),
        options_(env.options.get<BmcOptions>()),
        path_(system, env.solvers, path_settings(system, env, options_)),
        last_(deepest(system, options_)) {}

  EngineResult run() {
    EngineResult result = found();
    if (Unknown* unknown = result.unknown()) unknown->clear_to = clear_to_;
    return result;
  }

 private:
  enum class Found : std::uint8_t {
    Goal,
    NoGoal,
    NoRun,    // of so many steps
    Nothing,  // the solver could not decide
  };
  enum class Runs : std::uint8_t { All, LookedAt };

  [[nodiscard]] EngineResult found();
  [[nodiscard]] std::optional<EngineResult> out_of_reach();
  [[nodiscard]] bool wants_search() const;
  enum class Turn : std::uint8_t { First, Next };
  [[nodiscard]] std::optional<EngineResult> search_back(Turn turn);
  void raise_clear(std::uint64_t depth);
  void begin_path();
  void deepen();
  [[nodiscard]] Found ask();
  smt::CheckResult query(std::span<const Expr> assumptions);
  [[nodiscard]] EngineResult cleared();
  [[nodiscard]] EngineResult no_longer_run(std::uint64_t depth, Runs which);
  [[nodiscard]] EngineResult out_of_range(std::uint64_t depth);

  Counts counts_;
  const TransitionSystem& system_;
  Env& env_;
  const BmcOptions& options_;
  SymbolicPath path_;
  std::optional<Reductions> reductions_;   // chosen before the first formula
  std::optional<BackwardTurns> backward_;  // none: not wanted
  std::uint64_t last_;                     // deepest goal to ask for
  std::optional<std::uint64_t> clear_to_;  // every depth up to this one has no goal
  std::optional<Reason> gave_up_;          // on the first depth that the solver could not decide
};

EngineResult Bmc::found() {
  if (auto result = out_of_reach()) return *result;
  if (wants_search()) {
    if (auto result = search_back(Turn::First)) return *result;
  }
  begin_path();
  for (;; deepen()) {
    const std::uint64_t depth = path_.depth();
    if (auto stop = env_.stopped()) return unknown(*stop);
    env_.report_depth("bmc", depth);
    DepthBounds* bounds = path_.bounds();
    if (bounds != nullptr && bounds->empty()) return no_longer_run(depth, Runs::All);
    // Only for bounded questions: without a bound a proof is an invariant that others can check.
    if (system_.bound.max && bounds != nullptr && bounds->fixpoint() && !bounds->goal_possible())
      return out_of_range(depth);
    if (!clear_to_ || depth > *clear_to_) {
      if (auto result = search_back(Turn::Next)) return *result;
    }
    if (depth >= system_.bound.min) {
      switch (ask()) {
        case Found::Goal:
          return reached(path_, !gave_up_);
        case Found::NoGoal:
          if (!gave_up_) raise_clear(depth);
          break;
        case Found::NoRun:
          return no_longer_run(depth, Runs::LookedAt);
        case Found::Nothing:
          break;
      }
    } else if (!gave_up_) {
      raise_clear(depth);
    }
    if (depth >= last_) return cleared();
  }
}

// Do the ranges exclude the goal at every depth? Then no formula is needed. Only for bounded
// questions: without a bound a proof is an invariant that others can check.
std::optional<EngineResult> Bmc::out_of_reach() {
  if (!system_.bound.max || path_.bounds() == nullptr) return std::nullopt;
  DepthBounds ahead(system_);
  for (; !ahead.empty() && !ahead.fixpoint() && ahead.depth() < last_; ahead.advance()) {
    if (ahead.goal_possible() || env_.stopped()) return std::nullopt;
  }
  if (ahead.goal_possible()) return std::nullopt;
  counts_.depth.raise_to(ahead.depth());
  counts_.skipped += ahead.depth() + 1;
  if (ahead.empty()) return no_longer_run(ahead.depth(), Runs::All);
  if (ahead.fixpoint()) return out_of_range(ahead.depth());
  clear_to_ = last_;
  return cleared();
}

// Backward reachability. Only in concurrent models: what other processes do need not be in a set of
// states. A single one is in every step.
bool Bmc::wants_search() const {
  return *options_.projection == BmcProjection::Liveness && *options_.backward == BmcBackward::On &&
         !env_.confirms && system_.bound.min == 0 && is_concurrent(system_);
}

// None: the question is still open.
std::optional<EngineResult> Bmc::search_back(Turn turn) {
  if (turn == Turn::Next && (!backward_ || backward_->over())) return std::nullopt;
  auto timing = counts_.searching.measure();
  if (!backward_)
    backward_.emplace(system_, env_, *options_.ranges == BmcRanges::On, counts_.cubes);
  auto result = turn == Turn::First ? backward_->first_turn() : backward_->next_turn();
  if (const auto clear = backward_->clear_to()) raise_clear(std::min(*clear, last_));
  return result;
}

// No goal up to this depth, whatever the solver could not decide there.
void Bmc::raise_clear(std::uint64_t depth) {
  if (!clear_to_ || *clear_to_ < depth) clear_to_ = depth;
  if (*clear_to_ >= path_.depth()) gave_up_.reset();
}

void Bmc::begin_path() {
  {
    auto timing = counts_.encoding.measure();
    reductions_.emplace(system_, options_, path_.unroller(), path_.steps());
  }
  path_.require_init();
}

void Bmc::deepen() {
  auto timing = counts_.encoding.measure();
  const std::uint64_t step = path_.depth();
  path_.extend();
  reductions_->encode(step, path_.pending());
  counts_.depth.raise_to(path_.depth());
}

// Is the goal possible at this depth? First by ranges, from the first states and back from the
// goal, then by the solver.
Bmc::Found Bmc::ask() {
  const std::uint64_t depth = path_.depth();
  if (clear_to_ && depth <= *clear_to_) return Found::NoGoal;
  ExprPool& pool = *system_.pool;
  const Expr goal = path_.unroller().fresh("goal", Type::boolean(), depth);
  if (!path_.narrow_to(goal)) {
    ++counts_.skipped;
    return Found::NoGoal;
  }
  path_.pending().push_back(pool.implies(goal, path_.goal()));
  reductions_->at_goal(depth, goal, path_.pending());
  const smt::CheckResult result = query({&goal, 1});
  switch (result.answer) {
    case smt::Answer::Sat:
      return Found::Goal;
    case smt::Answer::Unsat:
      if (path_.unsat_core().empty()) return Found::NoRun;
      path_.pending().push_back(pool.negate(goal));
      return Found::NoGoal;
    case smt::Answer::Unknown:
      if (!gave_up_) gave_up_ = at_depth(result.reason, depth);
      return Found::Nothing;
  }
  return Found::Nothing;
}

smt::CheckResult Bmc::query(std::span<const Expr> assumptions) {
  auto timing = counts_.solving.measure();
  return path_.check_assuming(assumptions);
}

// No depth up to the last one has a goal, as far as the solver knows.
EngineResult Bmc::cleared() {
  if (gave_up_) return unknown(*gave_up_);
  if (system_.bound.max) return EngineResult{Unreachable{UpToBound{}}};
  // Depths that the ranges exclude were not asked about: perhaps runs have ended long ago.
  if (query({}).answer == smt::Answer::Unsat) return no_longer_run(path_.depth(), Runs::LookedAt);
  return bound_reached(last_);
}

// All runs, or all that are looked at, are shorter.
EngineResult Bmc::no_longer_run(std::uint64_t depth, Runs which) {
  if (gave_up_) return unknown(*gave_up_);
  clear_to_ = last_;
  const bool projected = which == Runs::LookedAt && reductions_->projects();
  return EngineResult{Unreachable{
      AllRunsShort{depth > 0 ? depth - 1 : 0,
                   projected ? AllRunsShort::Of::ProjectedSteps : AllRunsShort::Of::Steps}}};
}

// From here on the ranges stay the same, and they exclude the goal.
EngineResult Bmc::out_of_range(std::uint64_t depth) {
  if (gave_up_) return unknown(*gave_up_);
  clear_to_ = last_;
  return EngineResult{Unreachable{RangesSettled{depth}}};
}

// All steps at once. The goal stands after the last step; a run that gets there earlier waits.
EngineResult run_monolithic(const TransitionSystem& system, Env& env, const BmcOptions& options) {
  Counts counts(env.statistics);
  SymbolicPath path(system, env.solvers, path_settings(system, env, options));
  const std::uint64_t last = deepest(system, options);
  std::optional<Reductions> reductions;
  {
    auto timing = counts.encoding.measure();
    reductions.emplace(system, options, path.unroller(), path.steps());
  }
  path.require_init();
  while (path.depth() < last) {
    if (auto stop = env.stopped()) return unknown(*stop);
    auto timing = counts.encoding.measure();
    const std::uint64_t step = path.depth();
    path.extend(step >= system.bound.min);
    reductions->encode(step, path.pending());
    counts.depth.raise_to(path.depth());
  }
  path.pending().push_back(path.goal());
  reductions->at_goal(last, system.pool->boolean(true), path.pending());
  auto timing = counts.solving.measure();
  const smt::CheckResult result = path.check_assuming({});
  switch (result.answer) {
    case smt::Answer::Sat:
      return reached(path, false);
    case smt::Answer::Unsat: {
      if (system.bound.max) return EngineResult{Unreachable{UpToBound{}}};
      EngineResult cleared = bound_reached(last);
      cleared.unknown()->clear_to = last;
      return cleared;
    }
    case smt::Answer::Unknown:
      return unknown(result.reason);
  }
  return {};
}

void declare(OptionSet& options) {
  options.add<BmcOptions>();
  options.add<BlocksOptions>();
}

// Large systems in large blocks: in a program of some hundred statements most of a formula says
// where control is.
FlatTransformation in_blocks_if_large(const Env& env) {
  return [&env](const TransitionSystem& system) -> std::optional<FlatTransformed> {
    const bool asked = *env.options.get<BlocksOptions>().blocks == simplify::Blocks::Large;
    if (!asked && system.transitions.size() < kBlockwise) return std::nullopt;
    return in_blocks(env)(system);
  };
}

// Arrays whose cells are all named by constants are variables.
EngineResult run(const TransitionSystem& system, Env& env) {
  return run_transformed(system, env, {in_blocks_if_large(env), simplify::array_cells()},
                         [](const TransitionSystem& cells, Env& inner) {
                           const BmcOptions& options = inner.options.get<BmcOptions>();
                           if (*options.encoding == BmcEncoding::Monolithic)
                             return run_monolithic(cells, inner, options);
                           return Bmc(cells, inner).run();
                         });
}

// What is violated mostly shows in a few steps. With its own solver it is among the first of the
// race, with the other one among the last.
std::optional<PresolveSlot> presolve(const QuestionProfile& question) {
  if (question.bounded) return PresolveSlot{1, question.counts_far ? 0.1 : 0.2};
  if (!question.large()) return PresolveSlot{1, 0.1};
  return PresolveSlot{5, 0.1 * static_cast<double>(question.transitions) / kTransitionsPerShare};
}

std::vector<RaceSlot> race(const QuestionProfile& question) {
  const std::chrono::milliseconds turn(question.bounded ? 1000 : 250);
  return {{30, turn}, {80, std::chrono::milliseconds(250), false, false, true}};
}

}  // namespace

}  // namespace whittle::engine::bmc

namespace whittle {

const EngineInfo kBmcInfo = {
    "bmc",
    "Bounded model checking: looks for a run to the goal, one step longer at a time.",
    "reachability and invariants up to a bound, with shortest traces; unknown beyond it, unless "
    "runs, or the sets of states that lead to the goal, come to an end",
    engine::bmc::declare,
    engine::bmc::run,
    std::nullopt,
    {.bounded = true, .clears_bounds = true, .traces = true, .shortest = true},
    {engine::bmc::presolve, engine::bmc::race, 1},
};

}  // namespace whittle
