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
// differ in which of several alike instances does what (symmetry.cpp). All keep the least depth.
// Runs of exactly k steps have no idle steps; the single formula below has them at its end only.
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

#include "absint/interval/depth_bounds.h"
#include "base/error.h"
#include "engine/path/path_solver.h"
#include "engine/path/step_encoding.h"
#include "engine/path/unroller.h"
#include "engine/preimage/backward_search.h"
#include "engine/reduction/accesses.h"
#include "engine/reduction/partial_order.h"
#include "engine/reduction/projection.h"
#include "engine/reduction/symmetry.h"
#include "engine/transformed.h"
#include "simplify/flat/array_cells.h"

namespace whittle::engine::bmc {

namespace {

// Of backward reachability: before the first formula is made, about a second; before each
// further question to the solver; and in all. By work, not by the clock, so that every run does the
// same.
constexpr std::uint64_t kFirstEffort = 10'000'000;
constexpr std::uint64_t kEffort = 1'000'000;
constexpr std::uint64_t kMostEffort = 30'000'000;

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

class Bmc {
 public:
  Bmc(const TransitionSystem& system, Env& env)
      : counts_(env.statistics),
        system_(system),
        env_(env),
        options_(env.options.get<BmcOptions>()),
        pool_(*system.pool),
        unroller_(system),
        bounds_(wants_bounds() ? std::make_unique<DepthBounds>(system) : nullptr),
        steps_(system, unroller_, step_encoding(*options_.encoding), bounds_.get()),
        solver_(pool_, env.solvers, wants_bits()),
        last_(system.bound.max.value_or(std::max(*options_.max_depth, system.bound.min))) {}

  EngineResult run();

 private:
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
    Counter& cubes;    // sets of states, looked at from the goal back
    Timer& searching;  // through them
    Timer& encoding;
    Timer& solving;
  } counts_;

  void choose_reductions();
  [[nodiscard]] std::optional<EngineResult> out_of_reach();
  [[nodiscard]] bool wants_search() const;
  [[nodiscard]] std::optional<EngineResult> search_back(std::uint64_t effort);
  [[nodiscard]] std::optional<EngineResult> search_on();
  void raise_clear(std::uint64_t depth);
  EngineResult run_incremental();
  EngineResult run_monolithic();
  // The ranges are those of runs that move at every step.
  [[nodiscard]] bool wants_bounds() const {
    return *options_.ranges == BmcRanges::On && *options_.encoding != BmcEncoding::Monolithic;
  }
  // Processes take turns: their order is what is looked for, and numbers matter less. (Counters
  // of one machine are better off as numbers: `whittle bench deep-search`.)
  [[nodiscard]] bool wants_bits() const {
    if (*options_.numbers != BmcNumbers::Auto) return *options_.numbers == BmcNumbers::Bits;
    return env_.solvers.settings().id == smt::SolverId::Z3 && several_machines();
  }
  [[nodiscard]] bool several_machines() const {
    return std::count_if(system_.variables.begin(), system_.variables.end(),
                         [](const StateVariable& v) { return v.is_location; }) > 1;
  }
  enum class Found : std::uint8_t {
    Goal,
    NoGoal,
    NoRun,    // of so many steps
    Nothing,  // the solver could not decide
  };
  [[nodiscard]] Found ask();
  [[nodiscard]] bool look_back(Expr goal);
  void start();
  void deepen();
  [[nodiscard]] Expr goal_at(std::uint64_t k) {
    return unroller_.at_time(system_.goal.condition, k);
  }
  smt::CheckResult query(std::span<const Expr> assumptions);
  [[nodiscard]] EngineResult reached(std::uint64_t depth);
  [[nodiscard]] static EngineResult unknown(Reason reason);
  [[nodiscard]] EngineResult cleared();
  enum class Runs : std::uint8_t { All, LookedAt };
  [[nodiscard]] EngineResult no_longer_run(Runs which);
  [[nodiscard]] EngineResult out_of_range();
  [[nodiscard]] FlatTrace trace(std::uint64_t depth);

  const TransitionSystem& system_;
  Env& env_;
  const BmcOptions& options_;
  ExprPool& pool_;
  Unroller unroller_;
  std::unique_ptr<DepthBounds> bounds_;  // null: not wanted
  StepEncoder steps_;
  std::unique_ptr<BackwardSearch> back_;                    // null: not wanted, or no longer
  std::uint64_t effort_left_ = kMostEffort - kFirstEffort;  // for it, after the first formula
  std::unique_ptr<Accesses> accesses_;                      // null: nobody needs them
  std::unique_ptr<PartialOrder> order_;                     // null: all orders
  std::unique_ptr<Symmetry> symmetry_;                      // null: all instances
  std::unique_ptr<Projection> projection_;                  // null: all steps
  std::vector<Expr> pending_;  // required, but not told to the solver yet
  PathSolver solver_;
  std::uint64_t depth_ = 0;                // steps that the solver knows
  std::uint64_t last_;                     // deepest goal to ask for
  std::optional<std::uint64_t> clear_to_;  // every depth up to this one has no goal
  std::optional<Reason> gave_up_;          // on the first depth that the solver could not decide
};

void Bmc::choose_reductions() {
  auto timing = counts_.encoding.measure();
  // A shorter run is no answer to a question for at least so many steps.
  const bool project = *options_.projection != BmcProjection::Off && system_.bound.min == 0;
  // Alike instances are worth more than independent steps, and both together would lose runs.
  if (*options_.symmetry == BmcSymmetry::On && !system_.alike.empty())
    symmetry_ = std::make_unique<Symmetry>(system_, unroller_, steps_);
  const bool order = *options_.por == BmcPor::On && !symmetry_;
  if (!project && !order) return;
  accesses_ = std::make_unique<Accesses>(system_);
  const bool by_depth = *options_.encoding != BmcEncoding::Monolithic;
  bool late = false;
  if (project && *options_.projection == BmcProjection::Dependency) {
    projection_ = dependency_projection(system_, *accesses_, unroller_, steps_);
  } else if (project && (!by_depth || may_have_idle_steps(system_, *accesses_))) {
    // Alike instances come into play in an order of their own, which moved steps would break.
    late = !symmetry_;
    projection_ = liveness_projection(system_, *accesses_, unroller_, steps_, late);
  }
  // Around a mutex the order is given but for a few steps, and the constraints only cost time
  // (philosophers: 0.25 s instead of 0.15 s with ten of them, 1.7 s instead of 0.3 s with 15).
  if (order && !(several_machines() && accesses_->all_meet()))
    order_ = std::make_unique<PartialOrder>(system_, *accesses_, unroller_, steps_, late);
}

EngineResult Bmc::run() {
  EngineResult result =
      *options_.encoding == BmcEncoding::Monolithic ? run_monolithic() : run_incremental();
  if (Unknown* unknown = result.unknown()) unknown->clear_to = clear_to_;
  return result;
}

// init(s@0), with known values put in.
void Bmc::start() {
  for (std::uint32_t v = 0; bounds_ && v < system_.variables.size(); ++v) {
    const Type type = system_.variables[v].type;
    if (auto value = bounds_->range(v).single(pool_, type)) {
      unroller_.define(v, 0, pool_.constant(*value, type));
    }
  }
  pending_.push_back(unroller_.at_time(system_.init, 0));
}

// Do the ranges exclude the goal at every depth? Then no formula is needed. Only for bounded
// questions: without a bound a proof is an invariant that others can check.
std::optional<EngineResult> Bmc::out_of_reach() {
  if (!system_.bound.max || !bounds_) return std::nullopt;
  DepthBounds ahead(system_);
  for (; !ahead.dead() && !ahead.settled() && ahead.depth() < last_; ahead.advance()) {
    if (ahead.goal_possible() || env_.stopped()) return std::nullopt;
  }
  if (ahead.goal_possible()) return std::nullopt;
  depth_ = ahead.depth();
  counts_.depth.raise_to(depth_);
  counts_.skipped += depth_ + 1;
  if (ahead.dead()) return no_longer_run(Runs::All);
  if (ahead.settled()) return out_of_range();
  clear_to_ = last_;
  return cleared();
}

// Backward reachability. Only in concurrent models: what other processes do need not be in a set of
// states. A single one is in every step.
bool Bmc::wants_search() const {
  return *options_.projection == BmcProjection::Liveness && *options_.backward == BmcBackward::On &&
         !env_.confirms && system_.bound.min == 0 && several_machines();
}

// Looks at so many sets of states more; empty: the question is still open.
std::optional<EngineResult> Bmc::search_back(std::uint64_t effort) {
  auto timing = counts_.searching.measure();
  if (!back_) {
    const DistanceSettings settings{system_.bound.max, *options_.ranges == BmcRanges::On};
    back_ = std::make_unique<BackwardSearch>(system_, env_, settings);
  }
  const std::uint64_t looked_at = back_->looked_at();
  const BackwardSearch::State state = back_->run(effort);
  counts_.cubes += back_->looked_at() - looked_at;
  if (back_->clear() > 0) raise_clear(std::min(back_->clear() - 1, last_));
  switch (state) {
    case BackwardSearch::State::Searching:
      return std::nullopt;
    case BackwardSearch::State::Found:
      return EngineResult{Reached{back_->trace(), true}};
    case BackwardSearch::State::Nothing: {
      raise_clear(last_);
      const Expr invariant = system_.bound.max ? Expr() : back_->invariant();
      back_ = nullptr;
      if (system_.bound.max) return EngineResult{Unreachable{UpToBound{}}};
      if (!invariant.valid()) return std::nullopt;
      return EngineResult{Unreachable{Inductive{invariant}}};
    }
    case BackwardSearch::State::Unsupported:
      back_ = nullptr;
      return std::nullopt;
  }
  return std::nullopt;
}

// No goal up to this depth, whatever the solver could not decide there.
void Bmc::raise_clear(std::uint64_t depth) {
  if (!clear_to_ || *clear_to_ < depth) clear_to_ = depth;
  if (*clear_to_ >= depth_) gave_up_.reset();
}

std::optional<EngineResult> Bmc::search_on() {
  if (!back_ || (clear_to_ && depth_ <= *clear_to_)) return std::nullopt;
  auto result = search_back(kEffort);
  effort_left_ -= std::min(effort_left_, kEffort);
  if (effort_left_ == 0) back_ = nullptr;
  return result;
}

EngineResult Bmc::run_incremental() {
  if (auto result = out_of_reach()) return *result;
  if (wants_search()) {
    if (auto result = search_back(kFirstEffort)) return *result;
  }
  choose_reductions();
  start();
  for (;; deepen()) {
    if (auto stop = env_.stopped()) return unknown(*stop);
    env_.report_depth("bmc", depth_);
    if (bounds_ && bounds_->dead()) return no_longer_run(Runs::All);
    // Only for bounded questions: without a bound a proof is an invariant that others can check.
    if (system_.bound.max && bounds_ && bounds_->settled() && !bounds_->goal_possible())
      return out_of_range();
    if (auto result = search_on()) return *result;
    if (depth_ >= system_.bound.min) {
      switch (ask()) {
        case Found::Goal:
          return reached(depth_);
        case Found::NoGoal:
          if (!gave_up_) raise_clear(depth_);
          break;
        case Found::NoRun:
          return no_longer_run(Runs::LookedAt);
        case Found::Nothing:
          break;
      }
    } else if (!gave_up_) {
      raise_clear(depth_);
    }
    if (depth_ >= last_) return cleared();
  }
}

// Is the goal possible at this depth? First by ranges, from the start and back from the goal, then
// by the solver.
Bmc::Found Bmc::ask() {
  if (clear_to_ && depth_ <= *clear_to_) return Found::NoGoal;
  const Expr goal = unroller_.fresh("goal", Type::boolean(), depth_);
  if (bounds_) {
    if (!bounds_->goal_possible() || !look_back(goal)) {
      ++counts_.skipped;
      return Found::NoGoal;
    }
  }
  pending_.push_back(pool_.implies(goal, goal_at(depth_)));
  if (projection_) projection_->at_goal(depth_, goal, pending_);
  const smt::CheckResult result = query({&goal, 1});
  switch (result.answer) {
    case smt::Answer::Sat:
      return Found::Goal;
    case smt::Answer::Unsat:
      if (solver_.unsat_core().empty()) return Found::NoRun;
      pending_.push_back(pool_.negate(goal));
      return Found::NoGoal;
    case smt::Answer::Unknown:
      if (!gave_up_) gave_up_ = at_depth(result.reason, depth_);
      return Found::Nothing;
  }
  return Found::Nothing;
}

// goal -> what it says about the steps before; false: it is impossible.
bool Bmc::look_back(Expr goal) {
  const LookedBack back = bounds_->look_back();
  if (!back.possible) return false;
  for (const LookedBack::Excluded& excluded : back.excluded) {
    const Expr selector = steps_.selector(excluded.depth, excluded.transition);
    if (!selector.valid()) continue;
    pending_.push_back(pool_.implies(goal, pool_.negate(selector)));
  }
  for (const LookedBack::Narrowed& narrowed : back.narrowed) {
    const Expr variable = unroller_.variable(narrowed.variable, narrowed.depth);
    for (Expr condition : steps_.in_range(variable, narrowed.range)) {
      pending_.push_back(pool_.implies(goal, condition));
    }
  }
  return true;
}

// The goal stands after the last step; a run that gets there earlier waits.
EngineResult Bmc::run_monolithic() {
  choose_reductions();
  start();
  for (; depth_ < last_; deepen()) {
    if (auto stop = env_.stopped()) return unknown(*stop);
  }
  pending_.push_back(goal_at(depth_));
  if (projection_) projection_->at_goal(depth_, pool_.boolean(true), pending_);
  const smt::CheckResult result = query({});
  switch (result.answer) {
    case smt::Answer::Sat:
      return reached(depth_);
    case smt::Answer::Unsat:
      clear_to_ = last_;
      return cleared();
    case smt::Answer::Unknown:
      return unknown(result.reason);
  }
  return {};
}

void Bmc::deepen() {
  auto timing = counts_.encoding.measure();
  const bool may_wait =
      *options_.encoding == BmcEncoding::Monolithic && depth_ >= system_.bound.min;
  steps_.encode(depth_, pending_, may_wait);
  if (order_) order_->encode(depth_, pending_);
  if (symmetry_) symmetry_->encode(depth_, pending_);
  if (projection_) projection_->encode(depth_, pending_);
  ++depth_;
  counts_.depth.raise_to(depth_);
}

smt::CheckResult Bmc::query(std::span<const Expr> assumptions) {
  auto timing = counts_.solving.measure();
  for (Expr condition : pending_) solver_.require(condition);
  pending_.clear();
  return solver_.check_assuming(assumptions);
}

EngineResult Bmc::reached(std::uint64_t depth) {
  try {
    return EngineResult{
        Reached{trace(depth), !gave_up_ && *options_.encoding != BmcEncoding::Monolithic}};
  } catch (const smt::NoValue& none) {
    return unknown({Reason::Kind::Incomplete,
                    fmt::format("the goal is reachable, but by values that cannot be written "
                                "down: {}",
                                none.what())});
  }
}

EngineResult Bmc::unknown(Reason reason) { return EngineResult{Unknown{std::move(reason)}}; }

// No depth up to the last one has a goal, as far as the solver knows.
EngineResult Bmc::cleared() {
  if (gave_up_) return unknown(*gave_up_);
  if (!system_.bound.max) {
    // Depths that the ranges exclude were not asked about: perhaps runs have ended long ago.
    const bool path_alone = *options_.encoding != BmcEncoding::Monolithic;
    if (path_alone && query({}).answer == smt::Answer::Unsat) return no_longer_run(Runs::LookedAt);
    return unknown({Reason::Kind::Bound, fmt::format("bound reached: {} steps", last_)});
  }
  return EngineResult{Unreachable{UpToBound{}}};
}

// All runs, or all that are looked at, are shorter.
EngineResult Bmc::no_longer_run(Runs which) {
  if (gave_up_) return unknown(*gave_up_);
  clear_to_ = last_;
  const bool projected = which == Runs::LookedAt && projection_;
  return EngineResult{Unreachable{
      AllRunsShort{depth_ > 0 ? depth_ - 1 : 0,
                   projected ? AllRunsShort::Of::ProjectedSteps : AllRunsShort::Of::Steps}}};
}

// From here on the ranges stay the same, and they exclude the goal.
EngineResult Bmc::out_of_range() {
  if (gave_up_) return unknown(*gave_up_);
  clear_to_ = last_;
  return EngineResult{Unreachable{RangesSettled{depth_}}};
}

// Equal steps in a row are one step with repetitions.
FlatTrace Bmc::trace(std::uint64_t depth) {
  FlatTrace result;
  for (std::uint32_t v = 0; v < system_.variables.size(); ++v) {
    result.initial.push_back(solver_.value(unroller_.variable(v, 0)));
  }
  std::uint64_t k = 0;
  for (; k < depth; ++k) {
    const std::optional<std::uint32_t> taken =
        steps_.taken(k, [&](Expr term) { return solver_.value(term); });
    if (!taken) break;
    FlatStep step;
    step.transition = *taken;
    const Transition& transition = system_.transitions[*taken];
    for (SymbolId input : transition.inputs) {
      step.inputs.push_back(solver_.value(unroller_.symbol(input, k)));
    }
    for (std::uint32_t v : transition.open) {
      step.open.emplace_back(v, solver_.value(unroller_.variable(v, k + 1)));
    }
    if (!result.steps.empty() && result.steps.back().transition == step.transition &&
        result.steps.back().inputs == step.inputs && result.steps.back().open == step.open) {
      ++result.steps.back().times;
    } else {
      result.steps.push_back(std::move(step));
    }
  }
  for (SymbolId input : system_.goal.inputs) {
    result.goal_inputs.push_back(solver_.value(unroller_.symbol(input, depth)));
  }
  return result;
}

void declare(OptionSet& options) { options.add<BmcOptions>(); }

// Arrays whose cells are all named by constants are variables.
EngineResult run(const TransitionSystem& system, Env& env) {
  return run_transformed(
      system, env, {simplify::array_cells()},
      [](const TransitionSystem& cells, Env& inner) { return Bmc(cells, inner).run(); });
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
