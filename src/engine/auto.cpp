// SPDX-License-Identifier: Apache-2.0
// A portfolio of engines. First presolving: those that are quick when they have an answer, one
// after the other and for a moment each, in this process, since most questions are small, and
// starting processes costs more than answering them. Then a race (race.h) of all engines that can
// decide the question.
//
//   bounded question      bmc;              then the race of bmc, explicit, swarm, accelerate, each
//                                           solver
//   unbounded question    bmc, kinduction;  then the race of pdr, rsc, these, explicit, swarm,
//                                           accelerate
//
//   infinite runs         scc, ranking, region; then the race of these and kliveness
//
// and backward, for an unbounded question in a concurrent model; and pdr on the model as it was
// parsed (Env::as_parsed), where splitting its relation may have made too much of it.
//
// No engine is named here: each says in its own file what it can answer and when it is worth asking
// (capabilities.h); this file works out the profile of the question.
//
// The presolve slots are a share of `auto-presolve` each, measured on all examples and families
// (whittle bench auto): what is violated mostly shows in a few steps, what holds is mostly proved
// in 50 ms, and in 100 ms where induction has to go deep (Fibonacci numbers up to 10^9).
// What is lost in them is lost for every question that needs the race; there two engines run at
// once, so who is first in line matters more. A question with large numbers and loops that count is
// one for `accelerate` first.
//
// An answer counts once its witness was accepted on the model as it was written (Env::accept). A
// short trace that is not known to be shortest is made so (ScheduleHint::shorten), if that is soon
// done.
#include "engine/auto.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/engines.h"
#include "engine/portfolio/processor_limit.h"
#include "engine/portfolio/race.h"
#include "expr/traverse.h"
#include "simplify/flat/summary_steps.h"

namespace whittle {

namespace {

template <class T>
std::vector<T> by_rank(std::vector<std::pair<int, T>> ranked) {
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<T> result;
  for (auto& entry : ranked) result.push_back(std::move(entry.second));
  return result;
}

}  // namespace

std::vector<Presolver> presolve_schedule(const QuestionProfile& question) {
  std::vector<std::pair<int, Presolver>> ranked;
  for (const EngineInfo* engine : engines()) {
    if (engine->schedule.presolve == nullptr || !suits(engine->can, question)) continue;
    if (const auto slot = engine->schedule.presolve(question))
      ranked.push_back({slot->rank, {engine, slot->share}});
  }
  return by_rank(std::move(ranked));
}

std::vector<Racer> race_schedule(const QuestionProfile& question, smt::SolverId solver) {
  std::vector<std::pair<int, Racer>> ranked;
  for (const EngineInfo* engine : engines()) {
    if (engine->schedule.race == nullptr || !suits(engine->can, question)) continue;
    for (const RaceSlot& slot : engine->schedule.race(question)) {
      const smt::SolverId chosen =
          engine->solver.value_or(slot.other_solver ? smt::other(solver) : solver);
      ranked.push_back({slot.rank, {engine, chosen, slot.turn, slot.pinned, slot.as_parsed}});
    }
  }
  return by_rank(std::move(ranked));
}

}  // namespace whittle

namespace whittle::engine::automatic {

namespace {

// Tells the engine under it to stop after so many reports of progress: unlike time, that is the
// same in every run.
class ReportLimit final : public ProgressListener {
 public:
  ReportLimit(ProgressListener& outer, unsigned most, CancelToken token)
      : outer_(outer), left_(most), token_(std::move(token)) {}
  void on_progress(const ProgressEvent& event) override {
    outer_.on_progress(event);
    if (left_ == 0 || --left_ == 0) token_.cancel();
  }

 private:
  ProgressListener& outer_;
  unsigned left_;
  CancelToken token_;
};

constexpr long kFar = 100;  // a number that is not reached by a few steps

constexpr unsigned kMostReports = 16;      // of an engine alone, with --jobs 1
constexpr unsigned kReproducibleTime = 8;  // times as long as otherwise, at most
// However large the system is, an engine has no longer than this before the race.
constexpr std::chrono::milliseconds kLongestPresolve{1'500};

// Traces of up to so many steps are made shortest, within this processor time.
constexpr std::uint64_t kShortTrace = 50;
constexpr std::chrono::milliseconds kShortenBounded{10'000};
constexpr std::chrono::milliseconds kShortenUnbounded{1'000};

// Does something count, and has it far to go?
bool counts_far(const TransitionSystem& system) {
  if (system.bound.max.value_or(kFar) < kFar ||
      system.transitions.size() >= QuestionProfile::kLarge)
    return false;
  bool far = system.bound.max.has_value();
  const ExprPool& pool = *system.pool;
  std::vector<Expr> terms = {system.goal.condition};
  for (const Transition& t : system.transitions) terms.push_back(t.guard);
  for_each_subterm(pool, terms, [&](Expr e) {
    if (!pool.is_const(e)) return;
    const Value& value = pool.value(e);
    if (pool.type(e) == Type::integer())
      far |= value.as_integer() >= Integer(kFar) || value.as_integer() <= Integer(-kFar);
    if (pool.type(e) == Type::real())
      far |= value.as_real() >= Rational(kFar) || value.as_real() <= Rational(-kFar);
  });
  return far && simplify::Accelerator(system).has_summaries();
}

QuestionProfile profile(const TransitionSystem& system, const Env& env) {
  const auto is_place = [](const StateVariable& v) { return v.is_location; };
  QuestionProfile result;
  result.bounded = system.bound.max.has_value();
  result.live = system.acceptance.has_value();
  result.concurrent = std::count_if(system.variables.begin(), system.variables.end(), is_place) > 1;
  result.counts_far = !result.live && counts_far(system);
  result.as_parsed = env.as_parsed != nullptr;
  result.transitions = system.transitions.size();
  return result;
}

// Those that make traces shortest, who is given least time first.
std::vector<const EngineInfo*> shorteners() {
  std::vector<const EngineInfo*> result;
  for (const EngineInfo* engine : engines())
    if (engine->schedule.shorten > 0) result.push_back(engine);
  std::stable_sort(result.begin(), result.end(), [](const EngineInfo* a, const EngineInfo* b) {
    return a->schedule.shorten < b->schedule.shorten;
  });
  return result;
}

class Auto {
 public:
  Auto(const TransitionSystem& system, Env& env)
      : system_(system),
        env_(env),
        options_(env.options.get<AutoOptions>()),
        question_(profile(system, env)) {}

  EngineResult run() {
    for (const Presolver& presolver : presolve_schedule(question_)) {
      if (auto winner = presolve(presolver)) return finished(std::move(*winner));
      if (auto stop = env_.stopped()) {
        best_.unknown()->reason = *stop;
        return finished(std::move(best_));
      }
    }
    const std::vector<Racer> racers = race_schedule(question_, env_.solvers.settings().id);
    EngineResult result = race(system_, env_, racers);
    if (result.unknown() == nullptr) return finished(std::move(result));
    const Reason reason = result.unknown()->reason;
    keep_better(best_, std::move(result));
    best_.unknown()->reason = reason;
    return finished(std::move(best_));
  }

 private:
  // Limited by processor time, so that a machine that has other things to do makes no difference;
  // with one job, by what is done, so that every run is like every other.
  std::optional<EngineResult> presolve(const Presolver& presolver) {
    const EngineInfo& engine = *presolver.engine;
    const bool reproducible = *options_.jobs == 1;
    const auto time =
        std::chrono::milliseconds(static_cast<long>(*options_.presolve * presolver.share * 1000));
    ProcessorLimit limit(std::min(reproducible ? time * kReproducibleTime : time, kLongestPresolve),
                         env_.cancel);
    Env limited = limit.applied(env_);
    ReportLimit reports(env_.progress, kMostReports, limited.cancel);
    ProgressListener& progress = reproducible ? reports : env_.progress;
    Env env{limited.options, limited.solvers, limited.deadline, limited.cancel, limited.statistics,
            limited.log,     progress,        limited.property, limited.begun};
    EngineResult result = run_engine(engine, system_, env);
    if (result.unknown() != nullptr) {
      env_.log.debug("auto: {} gives up in presolving: {}", engine.id, reason_text(result));
      keep_better(best_, std::move(result));
      return std::nullopt;
    }
    if (auto problem = witness_problem(system_, env_, result)) {
      env_.log.warning("the answer of {} was rejected: {}", engine.id, *problem);
      return std::nullopt;
    }
    return result;
  }

  // Who asks with a bound, and who reads a short trace, wants a shortest one.
  EngineResult shortest(EngineResult result) {
    Reached* reached = result.reached();
    if (reached == nullptr || reached->shortest || question_.live) return result;
    std::uint64_t length = 0;
    for (const FlatStep& step : reached->trace.steps) length += step.times;
    if (length == 0 || length > kShortTrace) return result;
    TransitionSystem shorter = system_;
    shorter.bound.max = length - 1;
    const std::chrono::duration<double, std::milli> time =
        question_.bounded ? kShortenBounded : kShortenUnbounded;
    // Few states are seen sooner than formulas are made.
    for (const EngineInfo* engine : shorteners()) {
      const auto share =
          std::chrono::duration_cast<std::chrono::milliseconds>(time * engine->schedule.shorten);
      ProcessorLimit limit(share, env_.cancel);
      Env limited = limit.applied(env_);
      EngineResult other = run_engine(*engine, shorter, limited);
      if (other.unknown() != nullptr) continue;
      if (other.unreachable() != nullptr) {
        reached->shortest = true;
        return result;
      }
      if (auto problem = witness_problem(system_, env_, other)) {
        env_.log.warning("the answer of {} was rejected: {}", engine->id, *problem);
        return result;
      }
      return other;
    }
    return result;
  }

  EngineResult finished(EngineResult found) {
    EngineResult result = shortest(std::move(found));
    if (result.unknown() != nullptr) result.engine = "auto";
    return result;
  }

  const TransitionSystem& system_;
  Env& env_;
  const AutoOptions& options_;
  QuestionProfile question_;
  EngineResult best_;
};

void declare(OptionSet& options) { options.add<AutoOptions>(); }

EngineResult run(const TransitionSystem& system, Env& env) { return Auto(system, env).run(); }

}  // namespace

}  // namespace whittle::engine::automatic

namespace whittle {

const EngineInfo kAutoInfo = {
    "auto",
    "Races the engines that can decide the question and takes the first checked answer.",
    "everything that one of the other engines decides",
    engine::automatic::declare,
    engine::automatic::run,
    std::nullopt,
    {.bounded = true,
     .clears_bounds = true,
     .unbounded = true,
     .traces = true,
     .proofs = true,
     .live = true,
     .strong_fairness = true},
};

}  // namespace whittle
