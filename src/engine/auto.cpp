// SPDX-License-Identifier: Apache-2.0
// The engine for those who do not want to choose one. First those that are quick when they have an
// answer, one after the other and for a moment each, in this process: most questions are small, and
// starting processes costs more than answering them. Then a race (race.h) of all engines that can
// decide the question.
//
//   bounded question      bmc, accelerate;                     then these, with each solver
//   unbounded question    bmc, accelerate, kinduction, rsc;    then these and pdr
//
// An answer counts once its witness was accepted on the model as it was written (Env::accept). A
// short trace that is not known to be shortest is made so with `bmc`, if that is soon done.
#include "engine/auto.h"

#include <fmt/format.h>

#include "engine/engines.h"
#include "engine/processor_limit.h"
#include "engine/race.h"

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

constexpr unsigned kMostReports = 40;       // of an engine alone, with --jobs 1
constexpr unsigned kReproducibleTime = 20;  // times as long as otherwise, at most

// Traces of up to so many steps are made shortest, within this processor time.
constexpr std::uint64_t kShortTrace = 50;
constexpr std::chrono::milliseconds kShortenBounded{10'000};
constexpr std::chrono::milliseconds kShortenUnbounded{1'000};

class Auto {
 public:
  Auto(const TransitionSystem& system, Env& env)
      : system_(system), env_(env), options_(env.options.get<AutoOptions>()) {}

  EngineResult run() {
    for (std::string_view id : quick_ones()) {
      if (auto winner = alone(*find_engine(id))) return finished(std::move(*winner));
      if (auto reason = env_.stop_reason(); !reason.empty()) {
        best_.reason = std::string(reason);
        return finished(std::move(best_));
      }
    }
    const std::vector<Racer> all = racers();
    EngineResult result = race(system_, env_, all);
    calls_ += result.solver_calls;
    if (result.outcome != Outcome::Unknown) return finished(std::move(result));
    const std::string reason = result.reason;
    keep_better(best_, std::move(result));
    best_.reason = reason;
    return finished(std::move(best_));
  }

 private:
  [[nodiscard]] bool bounded() const { return system_.bound.max.has_value(); }

  [[nodiscard]] std::vector<std::string_view> quick_ones() const {
    if (bounded()) return {"bmc", "accelerate"};
    return {"bmc", "accelerate", "kinduction", "rsc"};
  }

  [[nodiscard]] std::vector<Racer> racers() const {
    const smt::SolverId first = env_.solvers.settings().id;
    std::vector<Racer> list;
    auto add = [&](std::string_view id, smt::SolverId solver) {
      list.push_back({find_engine(id), solver});
    };
    if (!bounded()) {
      add("kinduction", first);
      add("pdr", smt::SolverId::Z3);
      add("rsc", first);
    }
    add("bmc", first);
    add("accelerate", first);
    add("bmc", smt::other(first));
    return list;
  }

  // Limited by processor time, so that a machine that has other things to do makes no difference;
  // with one job, by what is done, so that every run is like every other.
  std::optional<EngineResult> alone(const EngineInfo& engine) {
    const bool reproducible = *options_.jobs == 1;
    const auto time = std::chrono::milliseconds(static_cast<long>(*options_.alone * 1000));
    ProcessorLimit limit(reproducible ? time * kReproducibleTime : time, env_.cancel);
    Env limited = limit.applied(env_);
    ReportLimit reports(env_.progress, kMostReports, limited.cancel);
    ProgressListener& progress = reproducible ? reports : env_.progress;
    Env env{limited.options, limited.solvers, limited.deadline, limited.cancel, limited.statistics,
            limited.log,     progress,        limited.property, limited.begun};
    EngineResult result = engine.run(system_, env);
    if (result.engine.empty()) result.engine = engine.id;
    calls_ += result.solver_calls;
    if (result.outcome == Outcome::Unknown) {
      env_.log.debug("auto: {} alone gives up: {}", engine.id, result.reason);
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
    if (result.outcome != Outcome::Reached || result.shortest) return result;
    std::uint64_t length = 0;
    for (const FlatStep& step : result.trace->steps) length += step.times;
    if (length == 0 || length > kShortTrace) return result;
    TransitionSystem shorter = system_;
    shorter.bound.max = length - 1;
    ProcessorLimit limit(bounded() ? kShortenBounded : kShortenUnbounded, env_.cancel);
    Env limited = limit.applied(env_);
    EngineResult other = find_engine("bmc")->run(shorter, limited);
    calls_ += other.solver_calls;
    if (other.outcome == Outcome::Unreached) result.shortest = true;
    if (other.outcome != Outcome::Reached) return result;
    if (auto problem = witness_problem(system_, env_, other)) {
      env_.log.warning("the answer of bmc was rejected: {}", *problem);
      return result;
    }
    other.engine = "bmc";
    return other;
  }

  EngineResult finished(EngineResult found) {
    EngineResult result = shortest(std::move(found));
    result.solver_calls = calls_;
    if (result.outcome == Outcome::Unknown) result.engine = "auto";
    return result;
  }

  const TransitionSystem& system_;
  Env& env_;
  const AutoOptions& options_;
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
