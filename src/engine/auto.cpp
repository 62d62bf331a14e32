// SPDX-License-Identifier: Apache-2.0
// The engine for those who do not want to choose one. First those that are quick when they have an
// answer, one after the other and for a moment each, in this process: most questions are small, and
// starting processes costs more than answering them. Then a race (race.h) of all engines that can
// decide the question.
//
//   bounded question      bmc;              then the race of bmc, explicit, swarm, accelerate, each
//                                           solver
//   unbounded question    bmc, kinduction;  then the race of these and explicit, swarm, pdr, rsc,
//                                           accelerate
//
// and backward, for an unbounded question where several machines take turns; and pdr on the model
// as it was parsed (Env::as_parsed), where taking it apart may have made too much of it.
//
// The moments are a share of `auto-alone` each, measured on all examples and families (whittle
// bench auto): what is violated mostly shows in a few steps, what holds is mostly proved in 50 ms,
// and in 100 ms where induction has to go deep (Fibonacci numbers up to 10^9).
// What is lost in them is lost for every question that needs the race; there two engines run at
// once, so who is first in line matters more. A question with large numbers and loops that count is
// one for `accelerate` first.
//
// An answer counts once its witness was accepted on the model as it was written (Env::accept). A
// short trace that is not known to be shortest is made so with `explicit` or `bmc`, if that is soon
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
// So many transitions make a large system; a moment is for so many of them.
constexpr std::size_t kMany = 200;
constexpr double kManyShare = 100;

constexpr unsigned kMostReports = 40;       // of an engine alone, with --jobs 1
constexpr unsigned kReproducibleTime = 20;  // times as long as otherwise, at most

// Traces of up to so many steps are made shortest, within this processor time.
constexpr std::uint64_t kShortTrace = 50;
constexpr std::chrono::milliseconds kShortenBounded{10'000};
constexpr std::chrono::milliseconds kShortenUnbounded{1'000};

class Auto {
 public:
  Auto(const TransitionSystem& system, Env& env)
      : system_(system), env_(env), options_(env.options.get<AutoOptions>()), deep_(seems_deep()) {}

  EngineResult run() {
    for (const Moment& moment : moments()) {
      if (auto winner = alone(moment)) return finished(std::move(*winner));
      if (auto stop = env_.stopped()) {
        best_.unknown()->reason = *stop;
        return finished(std::move(best_));
      }
    }
    const std::vector<Racer> all = racers();
    EngineResult result = race(system_, env_, all);
    calls_ += result.solver_calls;
    if (result.unknown() == nullptr) return finished(std::move(result));
    const Reason reason = result.unknown()->reason;
    keep_better(best_, std::move(result));
    best_.unknown()->reason = reason;
    return finished(std::move(best_));
  }

 private:
  [[nodiscard]] bool bounded() const { return system_.bound.max.has_value(); }

  // An engine, and its share of the time before the race.
  struct Moment {
    std::string_view engine;
    double share;
  };
  [[nodiscard]] std::vector<Moment> moments() const {
    const Moment states = {"explicit", 0.05};
    const Moment swarm = {"swarm", 0.05};
    if (bounded()) {
      if (deep_) return {{"bmc", 0.1}, {"accelerate", 0.4}, states};
      return {{"bmc", 0.2}, states};
    }
    if (system_.transitions.size() >= kMany) {
      // What holds at each node is found in one pass, which costs as much as unrolling one step.
      const double size = static_cast<double>(system_.transitions.size()) / kManyShare;
      return {{"kinduction", 0.4 * size}, {"bmc", 0.1 * size}};
    }
    // An invariant says more than that all states were seen, but not where processes interleave:
    // there it is rare, and long.
    const Moment induction = {"kinduction", 0.8};
    if (deep_) return {{"bmc", 0.1}, {"accelerate", 0.4}, induction};
    if (several_machines()) return {{"bmc", 0.1}, states, swarm, induction};
    return {{"bmc", 0.1}, induction, states};
  }

  [[nodiscard]] bool several_machines() const {
    const auto is_place = [](const StateVariable& v) { return v.is_location; };
    return std::count_if(system_.variables.begin(), system_.variables.end(), is_place) > 1;
  }

  // Does something count, and has it far to go?
  [[nodiscard]] bool seems_deep() const {
    if (system_.bound.max.value_or(kFar) < kFar || system_.transitions.size() >= kMany)
      return false;
    bool far = system_.bound.max.has_value();
    const ExprPool& pool = *system_.pool;
    std::vector<Expr> terms = {system_.goal.condition};
    for (const Transition& t : system_.transitions) terms.push_back(t.guard);
    for_each_subterm(pool, terms, [&](Expr e) {
      if (!pool.is_const(e)) return;
      const Value& value = pool.value(e);
      if (pool.type(e) == Type::integer())
        far |= value.as_integer() >= Integer(kFar) || value.as_integer() <= Integer(-kFar);
      if (pool.type(e) == Type::real())
        far |= value.as_real() >= Rational(kFar) || value.as_real() <= Rational(-kFar);
    });
    return far && simplify::Accelerator(system_).has_summaries();
  }

  [[nodiscard]] std::vector<Racer> racers() const {
    const smt::SolverId first = env_.solvers.settings().id;
    std::vector<Racer> list;
    auto add = [&](std::string_view id, smt::SolverId solver, int turn, bool stays = false) {
      list.push_back({find_engine(id), solver, std::chrono::milliseconds(turn), stays});
    };
    if (deep_) add("accelerate", first, 250);
    if (bounded()) {
      add("bmc", first, 1000);
      add("explicit", first, 1000);
      add("swarm", first, 250);
    } else {
      // It has had no moment of its own, and most of what takes long is for it. Of a relation that
      // fell into many parts it makes more as it stands.
      const bool many = system_.transitions.size() >= kMany;
      const bool whole = env_.as_parsed != nullptr;
      if (whole) {
        add("pdr", smt::SolverId::Z3, 250, true);
        list.back().as_parsed = true;
      }
      add("pdr", smt::SolverId::Z3, 250, !(whole && many));
      // Processes that interleave have many states, but often few enough to see them all.
      const bool interleave = several_machines();
      if (interleave) add("explicit", first, 5000);
      add("bmc", first, 250);
      add("kinduction", first, 250);
      if (!interleave) add("explicit", first, 250);
      // What it has not found after some searches it seldom finds: its turns are short.
      add("swarm", first, 250);
      add("rsc", first, 250);
    }
    if (!deep_) add("accelerate", first, 250);
    add("bmc", smt::other(first), 250);
    // Last, so that it takes no turns from the others; for bounded questions `bmc` does as much.
    if (!bounded() && several_machines()) add("backward", first, 1000);
    return list;
  }

  // Limited by processor time, so that a machine that has other things to do makes no difference;
  // with one job, by what is done, so that every run is like every other.
  std::optional<EngineResult> alone(const Moment& moment) {
    const EngineInfo& engine = *find_engine(moment.engine);
    const bool reproducible = *options_.jobs == 1;
    const auto time =
        std::chrono::milliseconds(static_cast<long>(*options_.alone * moment.share * 1000));
    ProcessorLimit limit(reproducible ? time * kReproducibleTime : time, env_.cancel);
    Env limited = limit.applied(env_);
    ReportLimit reports(env_.progress, kMostReports, limited.cancel);
    ProgressListener& progress = reproducible ? reports : env_.progress;
    Env env{limited.options, limited.solvers, limited.deadline, limited.cancel, limited.statistics,
            limited.log,     progress,        limited.property, limited.begun};
    EngineResult result = run_engine(engine, system_, env);
    calls_ += result.solver_calls;
    if (result.unknown() != nullptr) {
      env_.log.debug("auto: {} alone gives up: {}", engine.id, reason_text(result));
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
    if (reached == nullptr || reached->shortest) return result;
    std::uint64_t length = 0;
    for (const FlatStep& step : reached->trace.steps) length += step.times;
    if (length == 0 || length > kShortTrace) return result;
    TransitionSystem shorter = system_;
    shorter.bound.max = length - 1;
    const std::chrono::milliseconds time = bounded() ? kShortenBounded : kShortenUnbounded;
    // Few states are seen sooner than formulas are made.
    const std::pair<std::string_view, std::chrono::milliseconds> helpers[] = {
        {"explicit", time / 5}, {"bmc", time}};
    for (const auto& [id, share] : helpers) {
      ProcessorLimit limit(share, env_.cancel);
      Env limited = limit.applied(env_);
      EngineResult other = run_engine(*find_engine(id), shorter, limited);
      calls_ += other.solver_calls;
      if (other.unknown() != nullptr) continue;
      if (other.unreachable() != nullptr) {
        reached->shortest = true;
        return result;
      }
      if (auto problem = witness_problem(system_, env_, other)) {
        env_.log.warning("the answer of {} was rejected: {}", id, *problem);
        return result;
      }
      return other;
    }
    return result;
  }

  EngineResult finished(EngineResult found) {
    EngineResult result = shortest(std::move(found));
    result.solver_calls = calls_;
    if (result.unknown() != nullptr) result.engine = "auto";
    return result;
  }

  const TransitionSystem& system_;
  Env& env_;
  const AutoOptions& options_;
  bool deep_;
  std::uint64_t calls_ = 0;
  EngineResult best_;
};

void declare(OptionSet& options) { options.add<AutoOptions>(); }

EngineResult run(const TransitionSystem& system, Env& env) { return Auto(system, env).run(); }

}  // namespace

const EngineInfo kAutoInfo = {
    "auto",
    "Races the engines that can decide the question and takes the first checked answer.",
    "everything that one of the other engines decides",
    declare,
    run,
};

}  // namespace whittle
